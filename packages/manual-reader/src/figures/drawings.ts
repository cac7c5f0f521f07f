import { computeArea, type Box, holds, type PageContent, type PageImage } from "../page.ts";
import { isOtherKind } from "../parts/other-kinds.ts";
import { findShape, isTelling } from "../parts/shapes.ts";
import type { Line } from "../text/lines.ts";

export interface Callout {
  text: string;
  box: Box;
  /** Present if the callout is a part number itself, not a reference to a list. */
  isPartNumber?: true;
  /** Of the part, if it stands behind or below its number. */
  name?: string;
}

export interface Drawing {
  images: PageImage[];
  callouts: Callout[];
}

const CALLOUT = /^\(?(\d{1,3}[A-Z]?|[A-Z])\)?$/;
/** Points between an image and its callouts. */
const BESIDE = 48;
/** Least share of the page that an image covers; smaller ones are logos and symbols. */
const LEAST_SHARE = 0.02;
/** Fewest strokes of a drawing with callouts, and of one without. */
const FEWEST_STROKES = 8;
const STROKES_ALONE = 150;

/** Images or line drawings of a page with their callouts: numbers that stand alone, but page numbers. */
export function findDrawing(page: PageContent, lines: readonly Line[], tables: readonly Box[]): Drawing | undefined {
  const images = page.images.filter((image) => computeArea(image) >= LEAST_SHARE * page.width * page.height);
  const strokes = countStrokes(page, tables);
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
  const share = images.reduce((sum, image) => sum + computeArea(image), 0) / (page.width * page.height);
  if (share >= DRAWN_SHARE || strokes >= STROKES_ALONE)
    callouts.push(...findPartNumbers(lines, tables, share >= PICTURE_SHARE));
  const numbered = callouts.filter(({ text }) => /\d/.test(text)).length;
  if (images.length === 0 && !(hasStrokes && numbered >= 2) && strokes < STROKES_ALONE) return undefined;
  return { images, callouts };
}

const PART_NUMBER = /^((?=(?:[^\d]*\d){3})[0-9A-Z]+(?:[-./][0-9A-Z]+)*)(?: ?\([^()]*\))?$/;
/** Least share of the page that a drawing's images cover, on a page that is a picture. */
const DRAWN_SHARE = 0.15;
const PICTURE_SHARE = 0.5;
/** Different numbers of such a drawing, and of one that is a picture; their share of the texts that stand alone. */
const FEWEST_NUMBERS = 12;
const FEWEST_ON_PICTURE = 5;
const NUMBERS_SHARE = 0.75;
/** Share of the numbers that are spelled alike. */
const SPELLED_ALIKE = 0.6;

/** Part numbers that stand alone all over a drawing, in place of references to a list. */
function findPartNumbers(lines: readonly Line[], tables: readonly Box[], isPicture: boolean): Callout[] {
  const segments = lines
    .flatMap((line) => line.segments)
    .filter(({ box }) => !tables.some((table) => holds(table, box, 2)));
  const callouts = segments.flatMap(({ text, box }): Callout[] => {
    const number = PART_NUMBER.exec(text)?.[1];
    return number === undefined ? [] : [{ text: number, box, isPartNumber: true }];
  });
  const labels = findLabels(segments);
  if (new Set(labels.map(({ text }) => text)).size >= FEWEST_LABELS) return labels;
  const numbers = [...new Set(callouts.map(({ text }) => text))];
  if (callouts.length < NUMBERS_SHARE * segments.length) return [];
  const telling = numbers.filter(isTelling);
  if (isPicture && telling.length === numbers.length && numbers.length >= FEWEST_ON_PICTURE) return callouts;
  const alike = Math.max(0, ...[...Map.groupBy(telling, findShape).values()].map(({ length }) => length));
  return numbers.length >= FEWEST_NUMBERS && alike >= SPELLED_ALIKE * numbers.length ? callouts : [];
}

type Segment = Line["segments"][number];

const LABEL = /^([0-9A-Z][0-9A-Z./-]*\d[0-9A-Z]*)(?: (\p{Lu}[\p{Lu} /.-]+))?$/u;
const LABEL_NAME = /^\p{Lu}[\p{Lu} /.-]+$/u;
/** Different labels of a drawing; lines of a name; times the height of one, to the next. */
const FEWEST_LABELS = 2;
const MOST_NAME_LINES = 3;
const NEXT_LINE = 0.6;

/**
 * Finds the labels of a drawing that are numbers spelled alike, with names in capitals behind or below: `162886 SCREW`.
 */
function findLabels(segments: readonly Segment[]): Callout[] {
  const labels = segments.flatMap((segment): Callout[] => {
    const [, text = "", first] = LABEL.exec(segment.text) ?? [];
    if (!isTelling(text) || isOtherKind(text)) return [];
    const words = first === undefined ? [] : [first];
    for (
      let line = findBelow(segment, segments);
      line && words.length < MOST_NAME_LINES;
      line = findBelow(line, segments)
    )
      words.push(line.text);
    const name = words.join(" ");
    return /\p{L}{3}/u.test(name) ? [{ text, box: segment.box, isPartNumber: true, name }] : [];
  });
  const shapes = [...Map.groupBy(labels, ({ text }) => findShape(text)).values()];
  return shapes.toSorted((first, second) => second.length - first.length)[0] ?? [];
}

/** Finds the line of a name right below another line of a label. */
function findBelow({ box }: Segment, segments: readonly Segment[]): Segment | undefined {
  return segments.find(({ text, box: { x, y, width, height } }) => {
    const gap = y - box.y - box.height;
    const isOver = x < box.x + box.width && box.x < x + width;
    return isOver && gap > -height / 2 && gap < NEXT_LINE * height && LABEL_NAME.test(text);
  });
}

/** Counts lines that no table has, and curves; as many as matter. */
function countStrokes({ drawnPaths, lines }: PageContent, tables: readonly Box[]): number {
  let strokes = drawnPaths;
  for (const line of lines) {
    if (strokes >= STROKES_ALONE) break;
    if (!tables.some((table) => holds(table, line, 4))) strokes += 1;
  }
  return strokes;
}

function atEdge(page: PageContent, { y, height }: Box): boolean {
  return y + height < 0.1 * page.height || y > 0.9 * page.height;
}
