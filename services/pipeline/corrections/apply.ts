import { normalizePartNumber } from "@partline/parts-language";
import { figureKey, findVendor, type FoundPart, type PageFindings } from "@partline/manual-reader";
import { computeDigest } from "@partline/toolkit";
import {
  type Correction,
  type FigureCorrection,
  type FigureFields,
  getVersion,
  type RowChanges,
  type RowCorrection,
  type RowFields,
  toRowFields,
} from "./correction.ts";

/** Rows of a page, with the versions of the corrections that they have. */
export interface CorrectedRows {
  parts: FoundPart[];
  applied: string[];
  /** Corrections that the reading no longer needs, because it has the same values without them. */
  unneeded: string[];
}

/**
 * Applies corrections to the rows of a page, except those that it has. A row is found by its number, its place and its
 * words, so that it may have moved or be read otherwise than when it was corrected; one that is no longer read is
 * added.
 */
export function correctRows(
  { parts, applied }: Pick<CorrectedRows, "parts" | "applied">,
  corrections: readonly RowCorrection[],
  manufacturer?: string,
): CorrectedRows {
  const pending = corrections.filter((correction) => !applied.includes(getVersion(correction)));
  const rows = new Map<RowCorrection, FoundPart>();
  const claimed = new Map<FoundPart, RowCorrection>();
  const pairs = pending
    .flatMap((correction) => parts.map((part) => ({ correction, part, score: scoreMatch(part, correction) })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  for (const { correction, part } of pairs) {
    if (rows.has(correction) || claimed.has(part)) continue;
    rows.set(correction, part);
    claimed.set(part, correction);
  }
  const unneeded = pending.filter((correction) => !isNeeded(correction, rows.get(correction)));
  const remaining = parts.flatMap((part) => {
    const correction = claimed.get(part);
    return correction ? toCorrectedPart(part, correction, manufacturer) : part;
  });
  const added = pending
    .filter((correction) => !rows.has(correction))
    .flatMap((correction) =>
      toCorrectedPart(undefined, correction, manufacturer).map((part) =>
        correction.changes?.figure === null ? part : withFigure(part, remaining),
      ),
    );
  return {
    parts: [...remaining, ...added],
    applied: [...applied, ...pending.map(getVersion)],
    unneeded: unneeded.map(getVersion),
  };
}

function isNeeded({ changes, original }: RowCorrection, part: FoundPart | undefined): boolean {
  if (changes === null) return part !== undefined;
  if (!part) return true;
  return computeDigest(applyChanges(part, changes, original)) !== computeDigest(toRowFields(part));
}

/** The number that a row has once it is corrected. */
const getNumber = ({ original, changes }: RowCorrection): string => changes?.partNumber ?? original?.partNumber ?? "";

/** More than anything else that speaks for a row. */
const CERTAIN = 100;

/**
 * Returns how much speaks for a row being the one that was corrected; 0 if it is another. A row at the same place with
 * another number is the same if the numbers are alike; one that is no part must have its number.
 */
function scoreMatch(part: FoundPart, correction: RowCorrection): number {
  const { original, changes } = correction;
  if (part.correction !== undefined) return isSameCorrection(part, correction) ? CERTAIN : 0;
  const corrected = normalizePartNumber(getNumber(correction));
  if (!original) return part.pnNorm === corrected && part.reference === (changes?.reference ?? undefined) ? 1 : 0;
  const readNumber = normalizePartNumber(original.partNumber);
  const isThere = computeOverlap(part.box, original.box) >= SAME_PLACE;
  const hasWords =
    part.reference === original.reference && foldWords(part.description) === foldWords(original.description);
  const tied = (isThere ? 4 : 0) + (part.reference === original.reference ? 2 : 0) + (hasWords ? 1 : 0);
  if (part.pnNorm === readNumber) return changes === null && !isThere && !hasWords ? 0 : 16 + tied;
  if (changes === null) return 0;
  if (part.pnNorm === corrected) return 8 + tied;
  return isThere && (isAlike(part.pnNorm, readNumber) || isAlike(part.pnNorm, corrected)) ? tied : 0;
}

function isSameCorrection({ correction: version }: FoundPart, correction: RowCorrection): boolean {
  return version?.split(".")[0] === getVersion(correction).split(".")[0];
}

/** Share of the smaller box that two have in common. */
const SAME_PLACE = 0.5;

function computeOverlap(a: FoundPart["box"], b: FoundPart["box"]): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  const smaller = Math.min(a.width * a.height, b.width * b.height);
  return width <= 0 || height <= 0 || smaller === 0 ? 0 : (width * height) / smaller;
}

/** Returns whether two numbers begin and end alike for half of the longer one. */
function isAlike(first: string, second: string): boolean {
  const longest = Math.max(first.length, second.length);
  const shortest = Math.min(first.length, second.length);
  let start = 0;
  while (start < shortest && first[start] === second[start]) start += 1;
  let end = 0;
  while (end < shortest - start && first.at(-1 - end) === second.at(-1 - end)) end += 1;
  return 2 * (start + end) >= longest;
}

const foldWords = (text = ""): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, " ")
    .trim();

function toCorrectedPart(part: FoundPart | undefined, correction: RowCorrection, manufacturer?: string): FoundPart[] {
  const { changes, original, page } = correction;
  if (changes === null) return [];
  const source = part ?? { page, pattern: "correction", box: NOWHERE, ...original };
  const fields = applyChanges(source, changes, original);
  const vendor = part?.partNumber === fields.partNumber ? part.vendor : findVendor(fields.partNumber, manufacturer);
  return [
    {
      ...source,
      ...fields,
      pnNorm: normalizePartNumber(fields.partNumber),
      confidence: 1,
      namedIn: undefined,
      vendor,
      correction: getVersion(correction),
      ...(changes.quantities && { areModelsCorrected: true }),
    },
  ];
}

/** Place of a row that staff added. */
const NOWHERE = { x: 0, y: 0, width: 0, height: 0 };

function applyChanges(part: Partial<RowFields>, changes: RowChanges, original?: RowFields): RowFields {
  const change = <Field extends keyof RowFields>(field: Field): RowFields[Field] | undefined =>
    changes[field] === undefined ? part[field] : (changes[field] ?? undefined);
  return {
    // Who corrects a row has seen its number, too.
    partNumber: changes.partNumber ?? original?.partNumber ?? part.partNumber ?? "",
    description: change("description"),
    reference: change("reference"),
    figure: change("figure"),
    quantity: change("quantity"),
    // A quantity that staff gave is that of all models, unless they gave the models, too.
    quantities: changes.quantity != null && changes.quantities === undefined ? undefined : change("quantities"),
  };
}

/** A row without place belongs to the figure of the row before it, by reference, else of the page. */
function withFigure(part: FoundPart, pageRows: readonly FoundPart[]): FoundPart {
  const near = pageRows.findLast(
    ({ reference, figure }) => figure !== undefined && Number(reference) <= Number(part.reference),
  );
  const figure = part.figure ?? (near ?? pageRows.find((row) => row.figure !== undefined))?.figure;
  return figure === undefined ? part : { ...part, figure };
}

/** Applies corrections to the figures of a page before the manual is put together: parts and callouts follow. */
export function correctFigures(page: PageFindings, corrections: readonly FigureCorrection[]): PageFindings {
  return corrections.reduce(({ figures, parts, ...rest }, { original, changes }) => {
    const target = findFigure(figures, original, { ...original, ...changes });
    const result = { ...(target ?? { page: page.page, images: [], callouts: [] }), ...original, ...changes };
    const [oldKey, newKey] = [target && figureKey(target), figureKey(result)];
    return {
      ...rest,
      figures: target ? figures.map((figure) => (figure === target ? result : figure)) : [...figures, result],
      parts: parts.map((part) =>
        part.figure !== undefined && part.figure === oldKey ? { ...part, figure: newKey } : part,
      ),
    };
  }, page);
}

/**
 * Finds the figure that a correction is about, as it is read now. A manual that is put together may have given it
 * another name: of its label and title, or of the page beside it if it had none.
 */
function findFigure<T extends FigureFields>(
  figures: readonly T[],
  original: FigureFields,
  corrected: FigureFields,
): T | undefined {
  const isNamed = (name: FigureFields) => (figure: T) => figure.label === name.label && figure.title === name.title;
  return (
    figures.find(isNamed(corrected)) ??
    figures.find(isNamed(original)) ??
    figures.find(({ label, title }) => original.label === "" && `${label} ${title}` === original.title) ??
    figures.find(({ label }) => label !== "" && label === original.label) ??
    figures.find(({ title }) => title !== "" && title === original.title) ??
    figures.find((figure) => figureKey(figure) === "")
  );
}

/** Returns whether the reading has a figure otherwise than staff says. */
export function isFigureNeeded(page: PageFindings | undefined, { original, changes }: FigureCorrection): boolean {
  const corrected = { ...original, ...changes };
  return !page?.figures.some(({ label, title }) => label === corrected.label && title === corrected.title);
}

/** Puts what staff wrote in place of what OCR misread in the text that search and desk quote. */
export function correctText(page: PageFindings, corrections: readonly RowCorrection[]): string {
  if (!page.isRecognised) return page.text;
  return corrections.reduce((text, { original, changes }) => {
    if (!original || !changes) return text;
    return (["partNumber", "description"] as const).reduce((current, field) => {
      const [from, to] = [original[field], changes[field]];
      return from && typeof to === "string" ? current.replaceAll(from, to) : current;
    }, text);
  }, page.text);
}

const isOfRow = (correction: Correction): correction is RowCorrection => correction.kind === "row";
const isOfFigure = (correction: Correction): correction is FigureCorrection => correction.kind === "figure";

/** Splits corrections by kind. */
export const selectRows = (corrections: readonly Correction[]): RowCorrection[] => corrections.filter(isOfRow);
export const selectFigures = (corrections: readonly Correction[]): FigureCorrection[] => corrections.filter(isOfFigure);

/** A page that could not be original, of which staff wrote down what it has. */
export function createUnreadPage(page: number): PageFindings {
  return {
    ...{ page, text: "", hiddenText: "", isScanned: false, isRecognised: false },
    ...{ tables: [], parts: [], figures: [], models: [] },
  };
}
