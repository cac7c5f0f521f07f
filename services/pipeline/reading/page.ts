/**
 * What a page of a PDF holds, as its reader found it and nobody has interpreted it yet. Every rule that reads manuals
 * starts from this.
 */

/**
 * Points (1/72 inch) from the top left corner of the page as a person sees it: rotation is applied, y grows downwards.
 */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Why nobody who looks at the page sees a text: what hides there is data that is not to be trusted. */
export type HiddenReason = "invisible-mode" | "too-small" | "no-contrast" | "off-page" | "covered";

/** A run of text that was drawn at once; a word or several. */
export interface TextBox extends Box {
  text: string;
  /** Points. */
  fontSize: number;
  /** Of its baseline as seen, in degrees clockwise: 0, 90, 180, 270, or anything between. */
  angle: number;
  isBold: boolean;
  hidden?: HiddenReason;
}

/** A straight line or the edge of a filled bar, horizontal or vertical. */
export interface RuledLine {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

/** A raster image where the page shows it. */
export interface PageImage extends Box {
  /** From 1 in the order of drawing. */
  index: number;
  pixelWidth: number;
  pixelHeight: number;
}

export interface PageContent {
  /** From 1. */
  number: number;
  /** Points, as seen. */
  width: number;
  height: number;
  texts: TextBox[];
  lines: RuledLine[];
  images: PageImage[];
  /** How many other strokes and fills there are: a line drawing has hundreds. */
  drawnPaths: number;
}
