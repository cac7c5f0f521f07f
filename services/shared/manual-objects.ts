/**
 * What the pipeline keeps of a manual in the object store for other services, and where. Source: design, Document
 * pipeline. `manual.json` is written last: who finds it finds the others.
 */

/** `manual.json`. */
export interface ManualFile {
  sha256: string;
  filename: string;
  title: string;
  /** Models that the manual is for: those that the upload names, else those that its first pages name. */
  equipment: string[];
  manufacturer?: string;
  pages: number;
  /** How many parts it names; absent in files of versions before 0.2. */
  parts?: number;
  figures: ManualFigure[];
}

/** A diagram or a section that parts belong to: what customers call a schema. */
export interface ManualFigure {
  /** As printed: `7`, `3-2`, `A`; empty when it has a title alone. */
  label: string;
  title: string;
  /** Of the drawing, or of the heading where there is none. */
  page: number;
  /** Images of that page that show it, by index. */
  images: number[];
}

/** What a row says of a model that heads one of its columns. */
export interface ModelQuantity {
  /** As printed. */
  model: string;
  /**
   * 0 where a dash or a blank says that it is not on that model; absent where it is, and the row does not say how many
   * times.
   */
  quantity?: number;
}

/** Of the list in `parts/{piece}.json`. */
export interface ManualPart {
  /** As printed. */
  partNumber: string;
  /** mixins/part-number.ts. */
  pnNorm: string;
  /** 0 to 1. */
  confidence: number;
  /** The vendor's code where the family or the page hints at one. */
  vendor?: string;
  page: number;
  /** From its table row; how many the equipment has. Absent where `quantities` differ. */
  quantity?: number;
  /** From a row with a quantity column for each of several models: what it says of each. */
  quantities?: ModelQuantity[];
  description?: string;
  /** The reference (callout) number of its row. */
  reference?: string;
  /** Key of its figure (mixins/figure-key.ts), once the manual is put together. */
  figure?: string;
  /** It is no longer supplied, and this number is, as printed. */
  replacedBy?: string;
  /** Where it was named if not in a list of parts: in running text, or in a list of numbers and what replaces them. */
  namedIn?: "text" | "supersessions";
}

/** Of the list in `findings/{range}.json`. Pages that could not be read are in none. */
export interface ManualPage {
  page: number;
  /** What a person reads, at most 100,000 characters. */
  text: string;
  /** Key of the figure that is on it. */
  figure?: string;
  /** Equipment models that the page names, as printed. */
  models: string[];
}

export const prefixOf = (sha256: string): string => `manuals/${sha256}/`;
export const manualKey = (sha256: string): string => `${prefixOf(sha256)}manual.json`;
/** Pieces count from 0. */
export const partsPieceKey = (sha256: string, piece: number): string => `${prefixOf(sha256)}parts/${piece}.json`;
export const findingsBelow = (sha256: string): string => `${prefixOf(sha256)}findings/`;
