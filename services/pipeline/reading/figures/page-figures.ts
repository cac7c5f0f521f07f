import type { PageFigure } from "../findings.ts";
import { type Box, middleOf } from "../page.ts";
import type { Drawing } from "./drawings.ts";
import type { Heading } from "./headings.ts";

interface Placed {
  figure: PageFigure & Required<Pick<PageFigure, "places">>;
  /** Of its heading; 0 without. */
  top: number;
}

/** Callouts of a drawing whose places are kept. */
const MOST_PLACES = 500;

/**
 * Each heading with the images and callouts next to it; a drawing without heading is a figure without name.
 * @param shareOf in shares of the page
 */
export function figuresOfPage(
  page: number,
  headings: readonly Heading[],
  drawing: Drawing | undefined,
  shareOf: (box: Box) => Box,
): Placed[] {
  const figureOf = (label: string, title: string) => ({ label, title, page, images: [], callouts: [], places: [] });
  const placed: Placed[] = headings.map(({ label, title, line }) => ({
    figure: figureOf(label, title),
    top: line.box.y,
  }));
  if (!drawing) return placed;
  if (placed.length === 0) placed.push({ figure: figureOf("", ""), top: 0 });
  const first = Math.min(...[...drawing.images, ...drawing.callouts.map(({ box }) => box)].map(middleOf));
  // Captions stand below drawings.
  const isBelow = placed.length > 1 && placed.every(({ top }) => top > first);
  const at = (y: number) => nearest(placed, y, isBelow).figure;
  for (const image of drawing.images) at(middleOf(image)).images.push(image.index);
  for (const { text, box } of drawing.callouts) {
    const { callouts, places } = at(middleOf(box));
    if (!callouts.includes(text)) callouts.push(text);
    if (places.length < MOST_PLACES) places.push({ ref: text, box: shareOf(box) });
  }
  return placed;
}

/** That of the heading above, else the first. */
export function figureAt(placed: readonly Placed[], box: Box): PageFigure | undefined {
  return placed.length > 0 ? nearest(placed, middleOf(box), false).figure : undefined;
}

function nearest(placed: readonly Placed[], y: number, isBelow: boolean): Placed {
  const sorted = [...placed].sort((a, b) => a.top - b.top);
  return isBelow
    ? (sorted.find(({ top }) => top >= y) ?? sorted.at(-1)!)
    : (sorted.findLast(({ top }) => top <= y) ?? sorted[0]!);
}
