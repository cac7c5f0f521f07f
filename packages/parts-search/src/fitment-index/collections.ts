import type { CollectionDefinition, Document } from "@partline/durable";
import type { SerialRange } from "@partline/parts-language";
import type { ListedPart, PlacedCallout } from "@partline/manual-reader";

/** A manual that was read; `_id` is its sha256. */
export interface ManualDocument extends Document {
  title: string;
  filename: string;
  /** Models that it is for, else its title. Empty until it was read, and after its removal. */
  equipment: string[];
  manufacturer?: string;
  pages: number;
  /** Pages with lists as pictures that OCR has not read: their parts are missing. */
  listPictures?: number;
  /** Number of rows of each of `equipment`, in the same order. */
  counts?: number[];
  /** Number of its last reading, begun or finished. */
  begun: number;
  /** Number of the reading whose rows count; absent until the first has finished, and after its removal. */
  live?: number;
  /** Run of the pipeline that counts; absent if none does. */
  run?: number;
  /** Last run of the pipeline that was removed. */
  removedRun?: number;
  /** Revision of the state when its rows last changed. */
  revision?: number;
  readAt?: Date;
}

export const MANUALS: CollectionDefinition = {
  name: "ai_manuals",
  fields: {
    begun: "number",
    live: "number",
    run: "number",
    removedRun: "number",
    revision: "number",
    readAt: "date",
  },
  indexes: [{ keys: { revision: 1 } }],
};

/**
 * One document, `_id` `fitment`. Each change of a manual raises its revision: a reader notices it during its look-up.
 */
export interface FitmentState extends Document {
  revision: number;
}

export const FITMENT_STATE: CollectionDefinition = { name: "ai_fitment_state", fields: { revision: "number" } };

/** Maximum rows of one number that are read: a common bolt is in every manual. */
export const MOST_OF_A_NUMBER = 2_000;

/** A listed part on models of its manual. */
export interface RowDocument extends Document, ListedPart {
  sha256: string;
  /** Number of the reading that wrote it; the manual's `live` says whether it counts. */
  reading: number;
  /** Place among the parts of the manual, from 0. */
  position: number;
  /** Name of its diagram or section; empty if it has none. */
  schema: string;
  replacedByNorm?: string;
  /** True if from a list of superseded numbers, which fits no equipment. */
  isSupersession?: true;
  /** The manual's models that its page names; absent if the page is for all. */
  only?: string[];
}

export const ROWS: CollectionDefinition = {
  name: "ai_fitment",
  fields: {
    sha256: "string",
    reading: "number",
    position: "number",
    pnNorm: "string",
    replacedByNorm: "string",
    figure: "string",
  },
  indexes: [
    { keys: { pnNorm: 1 } },
    { keys: { replacedByNorm: 1 } },
    { keys: { sha256: 1, reading: 1, position: 1 } },
    { keys: { sha256: 1, reading: 1, figure: 1 } },
  ],
};

export interface DiagramOfManual {
  key: string;
  schema: string;
  page: number;
  /** Index of the first image that shows it; absent where it is drawn with lines. */
  image?: number;
  only?: string[];
  /** Serial numbers of the machines that it is for; absent if its pages name none. */
  serials?: SerialRange[];
}

/** The diagrams of one reading of a manual; `_id` is `{sha256}:{reading}`. */
export interface DiagramsDocument extends Document {
  sha256: string;
  reading: number;
  diagrams: DiagramOfManual[];
}

export const DIAGRAMS: CollectionDefinition = {
  name: "ai_diagrams",
  fields: { sha256: "string", reading: "number" },
  indexes: [{ keys: { sha256: 1, reading: 1 } }],
};

/** A figure's callouts on one page of one reading; `_id` is `{sha256}:{reading}:{page}:{place among its figures}`. */
export interface CalloutsDocument extends Document {
  sha256: string;
  reading: number;
  page: number;
  figure: string;
  callouts: PlacedCallout[];
}

export const CALLOUTS: CollectionDefinition = {
  name: "ai_callouts",
  fields: { sha256: "string", reading: "number", page: "number", figure: "string" },
  indexes: [{ keys: { sha256: 1, reading: 1, page: 1 } }, { keys: { sha256: 1, reading: 1, figure: 1 } }],
};

/** Returns whether a row or diagram is for this equipment of its manual. */
export function isOn({ only, isSupersession }: { only?: string[]; isSupersession?: true }, equipment: string): boolean {
  return isSupersession === undefined && (only === undefined || only.includes(equipment));
}

export function toReadingId(sha256: string, reading: number): string {
  return `${sha256}:${reading}`;
}
