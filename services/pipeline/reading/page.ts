/** A page as drawn; all rules start from this. */

/** Points from the top left corner of the page as seen: rotated, y downwards. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Why nobody sees a text; such text is not to be trusted. */
export type HiddenReason = "invisible-mode" | "too-small" | "no-contrast" | "off-page" | "covered";

/** Text drawn at once: one word or several. */
export interface TextBox extends Box {
  text: string;
  fontSize: number;
  /** Of the baseline, degrees clockwise. */
  angle: number;
  isBold: boolean;
  hidden?: HiddenReason;
}

/** Horizontal or vertical, also the edge of a bar. */
export interface RuledLine {
  x1: number;
  y1: number;
  x2: number;
  y2: number;
}

export interface PageImage extends Box {
  /** From 1, in the order of drawing. */
  index: number;
  pixelWidth: number;
  pixelHeight: number;
}

export interface PageContent {
  number: number;
  /** Points, as seen. */
  width: number;
  height: number;
  texts: TextBox[];
  lines: RuledLine[];
  images: PageImage[];
  /** Other strokes and fills: a line drawing has hundreds. */
  drawnPaths: number;
}
