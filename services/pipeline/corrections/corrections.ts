import { ulid } from "@partline/toolkit";
import { omitUndefined } from "@partline/toolkit/pure";
import type { AtomicWrite, DocumentStore } from "@partline/durable";
import { isSafeText, normalizePartNumber } from "@partline/parts-language";
import { type FieldProblem, invalidField, notFound, PartlineError, validationFailed } from "../../../mixins/errors.ts";
import type { Infer } from "@partline/api-contracts";
import { MOST_CORRECTIONS } from "../limits.ts";
import type { Readings } from "../readings.ts";
import type { correctionRule, rowFields } from "../resources.ts";
import type { ManualResults } from "../results/manual-results.ts";
import {
  type Correction,
  CORRECTIONS,
  type FigureCorrection,
  type FigureFields,
  getRowId,
  type RowChanges,
  type RowCorrection,
  type RowFields,
  toCorrectionId,
  toRowFields,
} from "./correction.ts";

type InputFields = { [Field in keyof typeof rowFields]?: Infer<(typeof rowFields)[Field]> | undefined };
export type RowInput = InputFields & { part_number?: string | undefined };
export type PresentedCorrection = Infer<typeof correctionRule>;

/** A page of a manual. */
interface Place {
  sha256: string;
  page: number;
}

const CONFLICT = "Somebody else has corrected this meanwhile; get the page again";

/** A change, and what it answers. */
interface Change {
  write: AtomicWrite;
  result: PresentedCorrection;
}

interface CorrectionsDeps {
  documents: DocumentStore;
  readings: Pick<Readings, "correctPages">;
  results: Pick<ManualResults, "getPage" | "getManual">;
}

/** Corrects manuals for staff. Each change @throws NOT_FOUND, VERSION_CONFLICT, VALIDATION_FAILED */
export function createCorrections({ documents, readings, results }: CorrectionsDeps) {
  const corrections = documents.collection<Correction>(CORRECTIONS);

  /** Finds a correction by the version that a page shows; undefined if what it shows is not corrected. */
  const findVersion = async <K extends Correction["kind"]>(sha256: string, id: string, kind: K) => {
    const [name, revision] = id.split(".");
    if (revision === undefined) return undefined;
    const correction = await corrections.findOne({ _id: `${sha256}-${name}`, kind });
    if (!correction) throw notFound(kind === "row" ? "Row" : "Figure", id);
    if (correction.revision !== Number(revision)) throw new PartlineError("VERSION_CONFLICT", CONFLICT);
    return correction as Extract<Correction, { kind: K }>;
  };
  /** @throws NOT_FOUND, or VERSION_CONFLICT if somebody has corrected it meanwhile */
  const refuseUnknown = async (sha256: string, id: string, what: string): Promise<never> => {
    if (await corrections.findOne({ _id: `${sha256}-${id}` })) throw new PartlineError("VERSION_CONFLICT", CONFLICT);
    throw notFound(what, id);
  };
  const insert = async (correction: Correction): Promise<Change> => {
    const { _id, sha256 } = correction;
    if (await corrections.findOne({ _id })) throw new PartlineError("VERSION_CONFLICT", CONFLICT);
    if ((await corrections.count({ sha256 })) >= MOST_CORRECTIONS)
      throw validationFailed({ field: "body", message: `A manual has at most ${MOST_CORRECTIONS} corrections.` });
    return { write: { collection: CORRECTIONS, insertOne: { ...correction } }, result: present(correction) };
  };
  const replace = ({ _id, revision }: Correction, next: Correction): Change => {
    const replacement = { ...next, revision: revision + 1 };
    return {
      write: { collection: CORRECTIONS, require: true, replaceOne: { filter: { _id, revision }, replacement } },
      result: present(replacement),
    };
  };
  const remove = (correction: Correction): Change => {
    const { _id, revision } = correction;
    return {
      write: { collection: CORRECTIONS, require: true, deleteOne: { filter: { _id, revision } } },
      result: present(correction),
    };
  };

  return {
    addRow: (place: Place, input: RowInput) =>
      readings.correctPages(place.sha256, async () => {
        const { sha256, page } = place;
        const { parts } = await results.getPage(sha256, page);
        const changes = toChanges(input, (await results.getManual(sha256)).equipment);
        const pnNorm = normalizePartNumber(changes.partNumber ?? "");
        const reference = changes.reference ?? undefined;
        if (parts.some((part) => part.pnNorm === pnNorm && part.reference === reference))
          throw invalidField("part_number", "is on this page already, with that reference: correct that row");
        return insert({ ...createFields(place, ulid()), kind: "row", changes });
      }),
    /** @param input null: it is no part */
    correctRow: (place: Place, row: string, input: RowInput | null) =>
      readings.correctPages(place.sha256, async () => {
        const { sha256, page } = place;
        const changes = input && toChanges(input, (await results.getManual(sha256)).equipment);
        const version = await findVersion(sha256, row, "row");
        if (version && changes === null && !version.original) return remove(version);
        const { correctedAt } = createFields(place, row);
        if (version) {
          const allChanges = changes && { ...version.changes, ...changes };
          return replace(version, { ...version, correctedAt, changes: allChanges });
        }
        const { parts } = await results.getPage(sha256, page);
        const part = parts.find((pagePart) => getRowId(pagePart) === row);
        if (!part) return refuseUnknown(sha256, row, "Row");
        const original = { ...toRowFields(part), box: part.box };
        return insert({ ...createFields(place, row), kind: "row", original, changes } satisfies RowCorrection);
      }),
    correctFigure: (place: Place, figure: string, input: Partial<FigureFields>) =>
      readings.correctPages(place.sha256, async () => {
        const { sha256, page } = place;
        const version = await findVersion(sha256, figure, "figure");
        const { correctedAt } = createFields(place, figure);
        const { figures } = await results.getPage(sha256, page);
        const original = version?.original ?? figures.find(({ id }) => id === figure);
        if (!original) return refuseUnknown(sha256, figure, "Figure");
        const changes = { ...version?.changes, ...toFigureChanges(input) };
        const { label, title } = { ...original, ...changes };
        if (label === "" && title === "")
          throw validationFailed({ field: "label", message: "A figure must have a label or a title." });
        if (version) return replace(version, { ...version, correctedAt, changes });
        return insert({
          ...createFields(place, figure),
          kind: "figure",
          original: { label: original.label, title: original.title },
          changes,
        } satisfies FigureCorrection);
      }),
    /** Says that a page is right as it is read. */
    confirmPage: (place: Place) =>
      readings.correctPages(place.sha256, async () => {
        await results.getPage(place.sha256, place.page);
        const check = { ...createFields(place, `page${place.page}`), kind: "page" } as const;
        const previous = await corrections.findOne({ _id: check._id });
        return previous ? replace(previous, check) : insert(check);
      }),
    /** Withdraws a correction. */
    withdraw: (sha256: string, id: string) =>
      readings.correctPages(sha256, async () => {
        const correction = await corrections.findOne({ _id: `${sha256}-${id}` });
        if (!correction) throw notFound("Correction", id);
        return remove(correction);
      }),
  };
}

const createFields = ({ sha256, page }: Place, id: string) => ({
  _id: `${sha256}-${id}`,
  ...{ sha256, page, revision: 1, correctedAt: new Date() },
});

/** @throws VALIDATION_FAILED, which names the fields */
function toChanges(input: RowInput, equipment: readonly string[]): RowChanges {
  const problems: FieldProblem[] = [];
  const toText = (field: keyof typeof REFUSALS): string | null | undefined => {
    const text = input[field]?.trim();
    if (text === undefined) return input[field] === null ? null : undefined;
    const isRight = isSafeText(text) && (field !== "part_number" || normalizePartNumber(text) !== "");
    if (!isRight) problems.push({ field, message: REFUSALS[field] });
    return text === "" ? null : text;
  };
  const fields = {
    partNumber: toText("part_number") ?? undefined,
    description: toText("description"),
    reference: toText("reference"),
    figure: toText("figure"),
    quantity: input.quantity,
    quantities: input.models && toQuantities(input.models, equipment, problems),
  };
  if (input.models === null) fields.quantities = null;
  const changes = omitUndefined(fields) as RowChanges;
  if (problems.length === 0 && Object.keys(changes).length === 0)
    problems.push({ field: "body", message: "The body must have a field to correct." });
  const [first, ...rest] = problems;
  if (first) throw validationFailed([first, ...rest]);
  return changes;
}

const REFUSALS = {
  part_number: "The 'part_number' field must have a letter or a digit, and no control characters.",
  description: "The 'description' field must not have control characters.",
  reference: "The 'reference' field must not have control characters.",
  figure: "The 'figure' field must not have control characters.",
};

function toQuantities(
  models: NonNullable<RowInput["models"]>,
  equipment: readonly string[],
  problems: FieldProblem[],
): RowFields["quantities"] | null {
  const manualModels = new Map(equipment.map((model) => [normalizePartNumber(model), model]));
  models.forEach(({ model }, index) => {
    if (!manualModels.has(normalizePartNumber(model)))
      problems.push({
        field: `models[${index}].model`,
        message: `The 'models[${index}].model' field must be one of the manual's models: ${equipment.join(", ") || "none"}.`,
      });
  });
  const quantities = models.map(({ model, quantity }) => ({
    model: manualModels.get(normalizePartNumber(model)) ?? model,
    quantity: quantity ?? undefined,
  }));
  return quantities.length > 0 ? quantities : null;
}

/** @throws VALIDATION_FAILED */
function toFigureChanges(input: Partial<FigureFields>): Partial<FigureFields> {
  const changes: Partial<FigureFields> = {};
  for (const field of ["label", "title"] as const) {
    const text = input[field]?.trim();
    if (text === undefined) continue;
    if (!isSafeText(text)) throw invalidField(field, "must not have control characters");
    changes[field] = text;
  }
  if (Object.keys(changes).length === 0)
    throw validationFailed({ field: "body", message: "The body must have the field 'label' or 'title'." });
  return changes;
}

/** @param state of the manual that is put together; it is under way at first */
export function present(
  correction: Correction,
  state: PresentedCorrection["state"] = "under_way",
): PresentedCorrection {
  const { _id, page, correctedAt } = correction;
  const common = { correction: toCorrectionId(_id), page, state, corrected_at: correctedAt };
  if (correction.kind === "page") return { ...common, kind: "page" };
  if (correction.kind === "figure") {
    const { original, changes } = correction;
    return { ...common, kind: "figure", figure: { read: original, corrected: { ...original, ...changes } } };
  }
  const { original, changes } = correction;
  return {
    ...common,
    kind: "part",
    part: {
      read: original ? presentRow(original) : null,
      corrected: changes && presentRow({ partNumber: "", ...original, ...omitNulls(changes) }),
    },
  };
}

const omitNulls = (changes: RowChanges): Partial<RowFields> =>
  Object.fromEntries(Object.entries(changes).map(([field, value]) => [field, value ?? undefined]));

function presentRow({ partNumber, ...row }: RowFields) {
  return { part_number: partNumber, ...presentRowFields(row) };
}

/** Returns what a row says beside its number, as the API has it. */
export function presentRowFields({
  description,
  quantity,
  reference,
  quantities,
  figure,
}: Omit<RowFields, "partNumber">) {
  return {
    description: description ?? null,
    quantity: quantity ?? null,
    reference: reference ?? null,
    figure: figure ?? null,
    models: quantities?.map((column) => ({ model: column.model, quantity: column.quantity ?? null })) ?? null,
  };
}
