import type { Box } from "./box.ts";

/** The contents of a generated manual, known because it was written so: its reading is measured against them. */

/** The layouts in which a manual lists its parts, beside its supersessions. */
export const PARTS_LAYOUTS = [
  "ruled-table",
  "borderless-table",
  "two-column",
  "exploded-view",
  "rotated",
  "sideways",
  "scanned",
  "hidden-text",
] as const;
export type PartsLayout = (typeof PARTS_LAYOUTS)[number];

/** The layout of a page's parts; the first three kinds of page list no parts. */
export const LAYOUTS = ["title", "contents", "prose", ...PARTS_LAYOUTS, "supersession"] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The sign by which a reader knows a part's number: in a table, its shape is never the only one. */
export type LedBy = "column-header" | "label" | "replaced-by";

export interface PartTruth {
  /** As printed. */
  partNumber: string;
  /** packages/parts-language/src/part-number.ts, of the maker's number: without the shop's `CT-{MFG}-`. */
  pnNorm: string;
  /** The family of its shape: number-families.ts. */
  family: string;
  ledBy: LedBy;
  /** The vendor's code where the maker is one of the catalog's. */
  vendor?: string;
  /** The catalog has it. */
  isCatalogPart: boolean;
  page: number;
  layout: Layout;
  /** Points, as seen, from the top left. */
  box: Box;
  quantity?: number;
  /** As printed, its lines joined by a space. */
  description?: string;
  /** The name that a person says: `Blade Bolt` where `BOLT, BLADE` is printed. */
  name?: string;
  reference?: string;
  /** Of its figure. */
  figure?: { label: string; title: string };
  /** As printed. */
  replacedBy?: string;
}

export interface FigureTruth {
  /** As printed. */
  label: string;
  title: string;
  /** Of the drawing, or of the heading where there is none. */
  page: number;
  drawn: "lines" | "image" | "none";
  /** Reference numbers that are drawn in it and can be read as text. */
  callouts: string[];
  /** Of every reference number that is drawn in it, also in a picture: points, as seen, from the top left. */
  places: { ref: string; box: Box }[];
}

export interface TableTruth {
  page: number;
  layout: Layout;
  headerRows: number;
  /** Row by row; an empty cell is "". */
  cells: string[][];
}

/** Text that nobody who looks at the page sees, or that instructs a machine. None of its numbers is a part's. */
export interface PlantedText {
  page: number;
  manner: Planting;
  text: string;
  numbers: string[];
}

export const PLANTINGS = ["white", "tiny", "covered", "invisible-mode", "visible"] as const;
export type Planting = (typeof PLANTINGS)[number];

export interface PageTruth {
  page: number;
  layout: Layout;
  isScanned: boolean;
  /** Texts that look like part numbers and are none: dates, phones, torques, sizes, serials, forms. */
  distractors: string[];
}

export interface ManualTruth {
  seed: string;
  filename: string;
  title: string;
  manufacturer: string;
  vendor: string;
  /** As printed on its first page. */
  models: string[];
  /** Serial numbers that it is for: from this one on. */
  serialFrom: string;
  /** Of its pages before any is turned, points; drawings are on those. */
  size: readonly [width: number, height: number];
  pages: PageTruth[];
  figures: FigureTruth[];
  parts: PartTruth[];
  tables: TableTruth[];
  planted: PlantedText[];
}
