import { areaOf, type Box, holds, type PageContent, type PageImage } from "../page.ts";
import type { Line } from "../text/lines.ts";

export interface Drawing {
  images: PageImage[];
  callouts: { text: string; box: Box }[];
}

const CALLOUT = /^\(?(\d{1,3}[A-Z]?|[A-Z])\)?$/;
/** Points between an image and its callouts. */
const BESIDE = 48;
/** Of the page; smaller images are logos and symbols. */
const LEAST_SHARE = 0.02;
/** Fewest strokes of a drawing with callouts, and of one without. */
const FEWEST_STROKES = 8;
const STROKES_ALONE = 150;

/** Images or line drawings of a page with their callouts: numbers that stand alone, but page numbers. */
export function drawingOf(page: PageContent, lines: readonly Line[], tables: readonly Box[]): Drawing | undefined {
  const images = page.images.filter((image) => areaOf(image) >= LEAST_SHARE * page.width * page.height);
  const strokes = page.drawnPaths + page.lines.filter((line) => !tables.some((table) => holds(table, line, 4))).length;
  const hasStrokes = strokes >= FEWEST_STROKES;
  const callouts = lines.flatMap((line, index) => {
    const lineCallouts = line.segments.flatMap(({ text, box }) => {
      const number = CALLOUT.exec(text)?.[1];
      return number && !tables.some((table) => holds(table, box, 2)) ? [{ text: number, box }] : [];
    });
    // Among words a number is a callout only beside an image.
    const isAmongWords = lineCallouts.length < line.segments.length;
    // A page's own number stands alone at its edge.
    const isEdge =
      lineCallouts.length === 1 && line.segments.length === 1 && (index === 0 || index === lines.length - 1);
    return lineCallouts.filter(
      ({ box }) =>
        !(isEdge && atEdge(page, box) && !images.some((image) => holds(image, box))) &&
        (images.some((image) => holds(image, box, BESIDE)) || (hasStrokes && !isAmongWords)),
    );
  });
  const numbered = callouts.filter(({ text }) => /\d/.test(text)).length;
  if (images.length === 0 && !(hasStrokes && numbered >= 2) && strokes < STROKES_ALONE) return undefined;
  return { images, callouts };
}

function atEdge(page: PageContent, { y, height }: Box): boolean {
  return y + height < 0.1 * page.height || y > 0.9 * page.height;
}
