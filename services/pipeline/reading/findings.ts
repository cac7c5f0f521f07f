import type { Box } from "./page.ts";

/** What reading makes of a page, and of a manual: the form in which results are kept and handed to whoever asks. */

export interface Table extends Box {
  /** From 1 on its page, from the top down. */
  index: number;
  /** Row by row, each of the same length; an empty cell is "". */
  rows: string[][];
  /** The first rows that name the columns; 0 when none does. */
  headerRows: number;
  /** Where each cell is, in the same order; null for an empty one. */
  boxes: (Box | null)[][];
}

/** A diagram or a section that parts belong to: what customers call a schema. */
export interface Figure {
  /** As printed: `7`, `3-2`, `A`; empty when it has a title alone. */
  label: string;
  title: string;
  /** Of the drawing, or of the heading where there is none. */
  page: number;
  /** Images of that page that show it, by index. */
  images: number[];
  /** Reference numbers that are drawn in it. */
  callouts: string[];
}

/** What a row says of a model that heads one of its columns. */
export interface ModelQuantity {
  /** As printed. */
  model: string;
  /** 0 where a dash or a blank says that it is not on that model; absent where it is, and the row does not say how many times. */
  quantity?: number;
}

export interface FoundPart {
  /** As printed. */
  partNumber: string;
  /** mixins/part-number.ts. */
  pnNorm: string;
  /** Name of the family that recognised it. */
  pattern: string;
  /** 0 to 1. */
  confidence: number;
  /** The vendor's code where the family or the page hints at one. */
  vendor?: string;
  page: number;
  box: Box;
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

/** Whether a part was read from a row of a list, and not named in passing. How many there are a sentence may say too. */
export function isOfRow({ namedIn, reference, quantity, quantities, description }: FoundPart): boolean {
  if (namedIn === "supersessions") return false;
  return (
    reference !== undefined ||
    quantity !== undefined ||
    quantities !== undefined ||
    (description !== undefined && namedIn === undefined)
  );
}

export interface PageFindings {
  page: number;
  /** What a person reads, in reading order, lines separated by line feeds. Hidden text is not in it. */
  text: string;
  /** What nobody sees; kept apart, never searched or quoted. */
  hiddenText: string;
  /** A picture of a page: no text of its own to speak of. */
  isScanned: boolean;
  /** The text was recognised from the picture. */
  isRecognised: boolean;
  tables: Table[];
  parts: FoundPart[];
  figures: Figure[];
  /** Equipment models that the page names, as printed. */
  models: string[];
}

/** What is known of a manual as a whole. */
export interface Manual {
  sha256: string;
  filename: string;
  title: string;
  /** Models that it is for: as whoever sent it says, else as its first pages do. */
  equipment: string[];
  manufacturer?: string;
  pages: number;
  figures: Figure[];
}
