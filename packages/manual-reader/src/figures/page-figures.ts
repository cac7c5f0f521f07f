import type { PageFigure } from "../findings.ts";
import { type Box, middleOf, type PageContent, sharesOf } from "../page.ts";
import type { View } from "../text/directions.ts";
import type { Line } from "../text/lines.ts";
import { drawingOf } from "./drawings.ts";
import { figureHeadings, titleOfPage } from "./headings.ts";

interface Placed {
  figure: PageFigure & Required<Pick<PageFigure, "places">>;
  /** Of its heading; 0 without. */
  top: number;
}

/** Callouts of a drawing whose places are kept. */
const MOST_PLACES = 500;

/** Each heading with the images and callouts next to it; a drawing without heading is a figure without name. */
export function figuresOfPage(page: PageContent, views: readonly [View, ...View[]], hasRows: boolean): Placed[] {
  const [main, ...turned] = views;
  const lines = main.blocks.flat();
  const drawing = drawingOf(main.page, lines, main.tables);
  const numbered = figureHeadings(lines);
  const title = numbered.length === 0 && (drawing || hasRows) ? titleOfPage(lines) : undefined;
  const headings = title ? [title] : numbered;
  const named = headings.map(({ label, title, line }) => ({ label, title, top: line.box.y }));
  // The headline of a list that lies on its side may stand findUprightHeading.
  if (named.length === 0 && (drawing || hasRows))
    named.push(...turned.flatMap(({ blocks }) => findUprightHeading(blocks.flat())).slice(0, 1));
  const placed = (drawing && named.length === 0 ? [{ label: "", title: "", top: 0 }] : named).map(
    ({ top, ...name }): Placed => ({
      figure: { ...name, page: page.number, images: [], callouts: [], places: [] },
      top,
    }),
  );
  if (!drawing) return placed;
  const first = Math.min(...[...drawing.images, ...drawing.callouts.map(({ box }) => box)].map(middleOf));
  // Captions stand below drawings.
  const isBelow = placed.length > 1 && placed.every(({ top }) => top > first);
  const at = (y: number) => nearest(placed, y, isBelow).figure;
  for (const image of drawing.images) at(middleOf(image)).images.push(image.index);
  for (const { text, box } of drawing.callouts) {
    const { callouts, places } = at(middleOf(box));
    if (!callouts.includes(text)) callouts.push(text);
    if (places.length < MOST_PLACES) places.push({ ref: text, box: sharesOf(main.toPage(box), page) });
  }
  return placed;
}

function findUprightHeading(lines: readonly Line[]): { label: string; title: string; top: number }[] {
  const heading = figureHeadings(lines)[0] ?? titleOfPage(lines);
  return heading ? [{ label: heading.label, title: heading.title, top: 0 }] : [];
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
