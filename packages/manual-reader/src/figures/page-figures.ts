import type { PageFigure } from "../findings.ts";
import { type Box, getMiddle, type PageContent, toShares } from "../page.ts";
import type { View } from "../text/directions.ts";
import type { Line } from "../text/lines.ts";
import { type Callout, findDrawing } from "./drawings.ts";
import { figureHeadings, titleOfPage } from "./headings.ts";

interface Placed {
  figure: PageFigure & Required<Pick<PageFigure, "places">>;
  /** The figure's callouts that are part numbers, as they stand on the page. */
  partNumbers: Callout[];
  /** The top of the figure's heading; 0 without one. */
  top: number;
}

/** Callouts of a drawing whose places are kept. */
const MOST_PLACES = 500;

/** Each heading with the images and callouts next to it; a drawing without heading is a figure without name. */
export function figuresOfPage(page: PageContent, views: readonly [View, ...View[]], hasRows: boolean): Placed[] {
  const [main, ...turned] = views;
  const lines = main.blocks.flat();
  const drawing = findDrawing(main.page, lines, main.tables);
  const numbered = figureHeadings(lines);
  const title = numbered.length === 0 && (drawing || hasRows) ? titleOfPage(lines) : undefined;
  const headings = title ? [title] : numbered;
  const entries = headings.map(({ label, title, line }) => ({ label, title, top: line.box.y }));
  // The headline of a list that lies on its side may stand findUprightHeading.
  if (entries.length === 0 && (drawing || hasRows))
    entries.push(...turned.flatMap(({ blocks }) => findUprightHeading(blocks.flat())).slice(0, 1));
  const placedFigures = (drawing && entries.length === 0 ? [{ label: "", title: "", top: 0 }] : entries).map(
    ({ top, ...name }): Placed => ({
      figure: { ...name, page: page.number, images: [], callouts: [], places: [] },
      partNumbers: [],
      top,
    }),
  );
  if (!drawing) return placedFigures;
  const first = Math.min(...[...drawing.images, ...drawing.callouts.map(({ box }) => box)].map(getMiddle));
  // Captions stand below drawings.
  const isBelow = placedFigures.length > 1 && placedFigures.every(({ top }) => top > first);
  const findNearest = (y: number) => nearest(placedFigures, y, isBelow);
  for (const image of drawing.images) findNearest(getMiddle(image)).figure.images.push(image.index);
  for (const callout of drawing.callouts) {
    const { text, box } = callout;
    const { figure, partNumbers } = findNearest(getMiddle(box));
    const { callouts, places } = figure;
    if (callout.isPartNumber && !callouts.includes(text)) partNumbers.push({ ...callout, box: main.toPage(box) });
    if (!callouts.includes(text)) callouts.push(text);
    if (places.length < MOST_PLACES) places.push({ ref: text, box: toShares(main.toPage(box), page) });
  }
  return placedFigures;
}

function findUprightHeading(lines: readonly Line[]): { label: string; title: string; top: number }[] {
  const heading = figureHeadings(lines)[0] ?? titleOfPage(lines);
  return heading ? [{ label: heading.label, title: heading.title, top: 0 }] : [];
}

/** Finds the figure whose heading is above the box, else the first. */
export function figureAt(placedFigures: readonly Placed[], box: Box): PageFigure | undefined {
  return placedFigures.length > 0 ? nearest(placedFigures, getMiddle(box), false).figure : undefined;
}

function nearest(placedFigures: readonly Placed[], y: number, isBelow: boolean): Placed {
  const sorted = [...placedFigures].sort((a, b) => a.top - b.top);
  return isBelow
    ? (sorted.find(({ top }) => top >= y) ?? sorted.at(-1)!)
    : (sorted.findLast(({ top }) => top <= y) ?? sorted[0]!);
}
