import type { CollectionDefinition, Document } from "../document-store/port.ts";

/** A manual that was read; `_id` is its sha256. */
export interface ManualDocument extends Document {
  title: string;
  filename: string;
  /**
   * Models that it is for; what it calls itself where it names none. Empty before it was read, and when it is removed.
   */
  equipment: string[];
  manufacturer?: string;
  pages: number;
  /** How many rows count for each of `equipment`, in their order. */
  counts?: number[];
  /** Of its last reading, begun or finished. */
  begun: number;
  /** Of the reading whose rows count; absent until the first is finished, and when the manual is removed. */
  live?: number;
  /** Which reading of the pipeline's counts; absent where none does, or versions before 0.2 took it in. */
  run?: number;
  /** The last reading of the pipeline's that was removed. */
  removedRun?: number;
  /** `Fitment.revision` when that reading took its place, or the manual was removed. */
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
 * One document, `_id` `fitment`: counts how often a reading took its place, so that a reader knows whether one did
 * meanwhile.
 */
export interface FitmentState extends Document {
  revision: number;
}

export const FITMENT_STATE: CollectionDefinition = { name: "ai_fitment_state", fields: { revision: "number" } };

/** Maximum rows of one number that are read: a common bolt is in every manual, many times. */
export const MOST_OF_A_NUMBER = 2_000;

/** A part where a manual lists it. */
export interface RowDocument extends Document {
  sha256: string;
  /** Of the reading that wrote it; whether that counts, its manual says. */
  reading: number;
  /** Its place among the parts of the manual, from 0. */
  position: number;
  pnNorm: string;
  partNumber: string;
  vendor?: string;
  page: number;
  /** What a customer would call its diagram or section; empty where there is none. */
  schema: string;
  /** Key of its figure (mixins/figure-key.ts). */
  figure?: string;
  reference?: string;
  quantity?: number;
  description?: string;
  confidence: number;
  replacedBy?: string;
  replacedByNorm?: string;
  /** A list of superseded numbers names it, which says of no equipment that it has it. */
  isSupersession?: true;
  /** Those models of the manual that its page is for, where that names some of them. */
  only?: string[];
}

export const ROWS: CollectionDefinition = {
  name: "ai_fitment",
  fields: { sha256: "string", reading: "number", position: "number", pnNorm: "string", replacedByNorm: "string" },
  indexes: [{ keys: { pnNorm: 1 } }, { keys: { replacedByNorm: 1 } }, { keys: { sha256: 1, reading: 1, position: 1 } }],
};

/** A diagram of a manual. */
export interface DiagramOfManual {
  key: string;
  schema: string;
  page: number;
  /** Index of the first image that shows it; absent where it is drawn with lines. */
  image?: number;
  only?: string[];
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

/** Whether a row lists its part for an equipment of its manual. */
export function isOn({ only, isSupersession }: { only?: string[]; isSupersession?: true }, equipment: string): boolean {
  return isSupersession === undefined && (only === undefined || only.includes(equipment));
}

export function readingId(sha256: string, reading: number): string {
  return `${sha256}:${reading}`;
}
