import type { PlacedCallout } from "./manual.ts";
import type { ManualFigure, ManualFile, ManualPart } from "./manual.ts";
import type { Box } from "./page.ts";

export interface Table extends Box {
  /** The table's number on the page, from 1, from the top down. */
  index: number;
  /** Equally long; empty cells are "". */
  rows: string[][];
  /** Rows at the top that name the columns. */
  headerRows: number;
  /** Null for empty cells. */
  boxes: (Box | null)[][];
}

export interface Figure extends ManualFigure {
  /** Reference numbers in its drawing, each once. */
  callouts: string[];
}

export interface PageFigure extends Figure {
  /** The place of each callout; absent on pages that a version before 0.3 read. */
  places?: PlacedCallout[];
}

export interface FoundPart extends ManualPart {
  /** Family that recognised it. */
  pattern: string;
  box: Box;
}

/** Whether a list has it; a quantity alone may come from a sentence. */
export function isListed({ namedIn, reference, description }: FoundPart): boolean {
  return reference !== undefined || (description !== undefined && namedIn === undefined);
}

/** Whether it comes from a row of parts, or may. */
export function isOfRow(part: FoundPart): boolean {
  const { namedIn, quantity, quantities } = part;
  return namedIn !== "supersessions" && (isListed(part) || quantity !== undefined || quantities !== undefined);
}

export interface PageFindings {
  page: number;
  /** Points, as seen; absent on pages that a version before 0.3 read. */
  width?: number;
  height?: number;
  /** Visible text in reading order, in lines. */
  text: string;
  /** Never searched or quoted. */
  hiddenText: string;
  /** The page is a picture. */
  isScanned: boolean;
  /** Some or all of its text is from OCR. */
  isRecognised: boolean;
  /** Its lists were left out: OCR read most of their numbers wrong. */
  isMisread?: true;
  /** Has pictures of lists, which OCR has not read. */
  hasListPictures?: true;
  tables: Table[];
  parts: FoundPart[];
  /** Numbers of its text that are parts if the manual's lists spell theirs alike; until it is assembled. */
  possible?: FoundPart[];
  figures: PageFigure[];
  /** Model names as printed. */
  models: string[];
  /** Lines in large letters, on the first pages; absent elsewhere, and on pages that a version before 0.4 read. */
  headlines?: string[];
}

/** The pages of a range, a line each. */
export function listPages(range: string): PageFindings[] {
  return range
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as PageFindings);
}

export interface Manual extends Omit<ManualFile, "parts"> {
  figures: Figure[];
}
