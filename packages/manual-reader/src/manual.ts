/** What is read of a manual: its figures, parts and pages, as the pipeline keeps them for other services. */
import type { SerialRange } from "@partline/parts-language";
import type { Unsure } from "./models/machine.ts";

/** What a manual says of a part where it lists it. */
export interface ListedPart {
  /** The number as printed. */
  partNumber: string;
  pnNorm: string;
  /** 0 to 1. */
  confidence: number;
  /** The vendor's code, if the family or the page hints at one. */
  vendor?: string;
  page: number;
  /** Quantity in the equipment, from its table row; absent if it differs by model. */
  quantity?: number;
  description?: string;
  /** The reference (callout) number of its row. */
  reference?: string;
  /** Key of its figure, once the manual is assembled. */
  figure?: string;
  /** The number that replaces it, as printed. */
  replacedBy?: string;
}

/** The place of a drawn reference number, in shares of the page as seen, 0 to 1, from its top left corner. */
export interface PlacedCallout {
  /** The reference as printed, without brackets. */
  ref: string;
  box: { x: number; y: number; width: number; height: number };
}

/** `manual.json`. */
export interface ManualFile {
  sha256: string;
  filename: string;
  title: string;
  /** Models that the manual is for: named in the upload, else on its first pages. */
  equipment: string[];
  manufacturer?: string;
  /** What somebody should confirm; absent if all is sure, and in files of versions before 0.4. */
  unsure?: Unsure;
  pages: number;
  /** Pages with lists as pictures that OCR has not read. */
  listPictures?: number;
  /** Number of parts; absent in files of versions before 0.2. */
  parts?: number;
  figures: ManualFigure[];
}

/** A diagram or a section that parts belong to; customers call it a schema. */
export interface ManualFigure {
  /** The label as printed: `7`, `3-2`, `A`; empty if the figure has a title alone. */
  label: string;
  title: string;
  /** The page of the drawing, else of the heading. */
  page: number;
  /** Images of that page that show it, by index. */
  images: number[];
}

/** Key of a figure in parts and pages: the label, else the title, else empty. */
export function figureKey({ label, title }: Pick<ManualFigure, "label" | "title">): string {
  return label === "" ? title : label;
}

/** A callout with the key of the figure whose drawing it is in. */
export interface PageCallout extends PlacedCallout {
  figure: string;
}

/** What a row says of a model that heads one of its columns. */
export interface ModelQuantity {
  /** The model as printed. */
  model: string;
  /** 0 if a dash or a blank says that it is not on that model; absent if it is, without a number. */
  quantity?: number;
}

/** An entry of the list in `parts/{piece}.json`. */
export interface ManualPart extends ListedPart {
  /** Quantities for each model, from a row with a column for each of several models. */
  quantities?: ModelQuantity[];
  /** The place that named the part, if no list did: running text, or a list of numbers and their replacements. */
  namedIn?: "text" | "supersessions";
  /** Id of the correction by staff that it comes from, with its revision. */
  correction?: string;
  /** Staff named the models of `quantities`: they count for more than those of the page. */
  areModelsCorrected?: true;
}

/** An entry of the list in `findings/{range}.json`, which leaves out unreadable pages. */
export interface ManualPage {
  page: number;
  /** Readable text, at most 100,000 characters. */
  text: string;
  /** Key of the figure that is on it. */
  figure?: string;
  /** Equipment models that the page names, as printed. */
  models: string[];
  /** That its heading names; absent if none, or if it has several figures. Those of a title page are the manual's. */
  serials?: SerialRange[];
  /** Callouts in the page's drawings; absent in files of versions before 0.3. */
  callouts?: PageCallout[];
}
