import type { ManualFigure, ManualFile, ManualPart } from "../../shared/manual-objects.ts";
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

export interface Figure extends ManualFigure {
  /** Reference numbers that are drawn in it. */
  callouts: string[];
}

export interface FoundPart extends ManualPart {
  /** Name of the family that recognised it. */
  pattern: string;
  box: Box;
}

/**
 * Whether a part was read from a row of a list, and not named in passing. How many there are a sentence may say too.
 */
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
export interface Manual extends Omit<ManualFile, "parts"> {
  figures: Figure[];
}
