/** A page as drawn; all rules start from this. */

/** Points from the top left corner of the page as seen: rotated, y downwards. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Why nobody sees a text; such text is not to be trusted. */
export type HiddenReason = "invisible-mode" | "too-small" | "no-contrast" | "off-page" | "covered" | "glyph-codes";

/** Text drawn at once: one word or several. */
export interface TextBox extends Box {
  text: string;
  fontSize: number;
  /** The angle of the baseline, degrees clockwise. */
  angle: number;
  isBold: boolean;
  hidden?: HiddenReason;
}

export interface PageImage extends Box {
  /** The image's number on the page, from 1, in the order of drawing. */
  index: number;
}

export interface PageContent {
  number: number;
  /** Points, as seen. */
  width: number;
  height: number;
  texts: TextBox[];
  /** Horizontal or vertical ones, also edges of bars; one side of each is 0. */
  lines: Box[];
  images: PageImage[];
  /** Other strokes and fills: a line drawing has hundreds. */
  drawnPaths: number;
  /** Of these, fills as high as letters: text that is drawn as outlines has hundreds. */
  outlinedLetters?: number;
}

/** Letters of a page whose text is drawn as outlines, at least; share of what it draws. */
const FEWEST_OUTLINED = 150;
const OUTLINED_SHARE = 0.5;

/** Whether the letters of a page can only be seen: the shapes that it draws, or glyphs of an unknown code. */
export function hasDrawnText({ outlinedLetters = 0, drawnPaths, texts }: PageContent): boolean {
  const isOutlined = outlinedLetters >= Math.max(FEWEST_OUTLINED, OUTLINED_SHARE * drawnPaths);
  return isOutlined || texts.some(({ hidden }) => hidden === "glyph-codes");
}

export function toBox({ x, y, width, height }: Box): Box {
  return { x, y, width, height };
}

/** A box in shares of its page, 0 to 1, to a hundredth of a percent. */
export function toShares({ x, y, width, height }: Box, page: Pick<PageContent, "width" | "height">): Box {
  const share = (value: number, length: number): number =>
    Math.round(Math.min(1, Math.max(0, value / length)) * 10_000) / 10_000;
  const [left, top] = [share(x, page.width), share(y, page.height)];
  return {
    x: left,
    y: top,
    width: Math.min(1 - left, share(width, page.width)),
    height: Math.min(1 - top, share(height, page.height)),
  };
}

/** Infinite for none. */
export function uniteBoxes(boxes: Iterable<Box>): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  // One by one: a page may have more words than a call takes arguments.
  for (const { x, y, width, height } of boxes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Whether the middle of `inner` is in `outer`, give or take `margin` points. */
export function holds(outer: Box, inner: Box, margin = 0): boolean {
  return contains(outer, inner.x + inner.width / 2, getMiddle(inner), margin);
}

export function contains({ x, y, width, height }: Box, px: number, py: number, margin = 0): boolean {
  return px >= x - margin && px <= x + width + margin && py >= y - margin && py <= y + height + margin;
}

/** Returns the vertical middle. */
export function getMiddle({ y, height }: Box): number {
  return y + height / 2;
}

/** The median font size; 0 for none. */
export function usualSize(texts: readonly { fontSize: number }[]): number {
  return median(texts.map(({ fontSize }) => fontSize));
}

export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

export function computeArea(box: Box): number {
  return Math.max(0, box.width) * Math.max(0, box.height);
}
