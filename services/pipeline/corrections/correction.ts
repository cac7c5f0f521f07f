import type { AtomicWrite, CollectionDefinition, Document } from "@partline/durable";
import type { FoundPart, ManualFigure } from "@partline/manual-reader";
import { computeDigest } from "@partline/toolkit";
import type { GivenFacts } from "../collections.ts";

/** Fields of a row that staff can correct. */
export type RowFields = Pick<
  FoundPart,
  "partNumber" | "description" | "quantity" | "reference" | "quantities" | "figure"
>;
export type FigureFields = Pick<ManualFigure, "label" | "title">;

/** Changes that staff typed: null removes a value, an absent field stays as read. */
export type RowChanges = { [Field in keyof RowFields]?: RowFields[Field] | null };

interface CorrectionFields extends Document {
  sha256: string;
  page: number;
  /** Counts its changes: who corrects it names the one that they saw. */
  revision: number;
  correctedAt: Date;
}

export interface RowCorrection extends CorrectionFields {
  kind: "row";
  /** The row as it was read; absent for one that staff added. */
  original?: RowFields & Pick<FoundPart, "box">;
  /** Null: it is no part. */
  changes: RowChanges | null;
}

export interface FigureCorrection extends CorrectionFields {
  kind: "figure";
  original: FigureFields;
  changes: Partial<FigureFields>;
}

/** Somebody looked at the page: it needs no look any more. */
export interface PageCheck extends CorrectionFields {
  kind: "page";
}

export type Correction = RowCorrection | FigureCorrection | PageCheck;

/** Correction of a whole manual by staff; `_id` is its SHA-256. */
export interface MachineCorrection extends Document, GivenFacts {}

/**
 * Corrections by staff, by the file's hash; they apply to every reading of the file. The id of a correction begins with
 * the hash; for a row or figure that was read its digest follows, so that two people cannot correct it at once.
 */
export const CORRECTIONS: CollectionDefinition = {
  name: "pipeline_corrections",
  fields: { sha256: "string", page: "number", revision: "number", correctedAt: "date" },
  indexes: [{ keys: { sha256: 1, page: 1, correctedAt: 1 } }],
};

/** Returns the write that keeps what staff said of a manual for the next reading of its file. */
export const keepMachine = (sha256: string, { equipment, manufacturer }: GivenFacts): AtomicWrite => ({
  collection: CORRECTIONS,
  updateOne: {
    filter: { _id: sha256 },
    update:
      manufacturer === undefined
        ? { $set: { equipment }, $unset: { manufacturer: true } }
        : { $set: { equipment, manufacturer } },
    upsert: true,
  },
});

/** Returns the name of a correction and its revision, with which a reading says that it has it. */
export const getVersion = ({ _id, revision }: Pick<Correction, "_id" | "revision">): string =>
  `${toCorrectionId(_id)}.${revision}`;

/** The id without the manual's, as the API has it. */
export const toCorrectionId = (_id: string): string => _id.slice(_id.indexOf("-") + 1);

const DIGEST_CHARACTERS = 20;
const computeId = (value: unknown): string => computeDigest(value).replaceAll(/[-_]/g, "x").slice(0, DIGEST_CHARACTERS);

/** Returns the id of a row: of its correction, else of what was read. */
export function getRowId({ correction, page, box, ...part }: FoundPart): string {
  // Without its figure, whose name is corrected for all of its rows.
  const { figure: _, ...fields } = toRowFields(part);
  return correction ?? computeId({ page, box, ...fields });
}

/** Returns the id of a figure on its page. */
export function getFigureId(page: number, { label, title }: FigureFields): string {
  return computeId({ page, label, title });
}

export function toRowFields({
  partNumber,
  description,
  quantity,
  reference,
  quantities,
  figure,
}: RowFields): RowFields {
  return { partNumber, description, quantity, reference, quantities, figure };
}
