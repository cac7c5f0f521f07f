import type { PageFigure } from "../findings.ts";
import { areaOf, type Box, holds, middleOf, type PageContent, type PageImage, sharesOf, usualSize } from "../page.ts";
import type { View } from "../text/directions.ts";
import type { Line } from "../text/lines.ts";

interface Placed {
  figure: PageFigure & Required<Pick<PageFigure, "places">>;
  /** Of its heading; 0 without. */
  top: number;
}

/** Callouts of a drawing whose places are kept. */
const MOST_PLACES = 500;

/** Each heading with the images and callouts next to it; a drawing without heading is a figure without name. */
export function figuresOfPage(page: PageContent, main: View, hasRows: boolean): Placed[] {
  const lines = main.blocks.flat();
  const drawing = drawingOf(main.page, lines, main.tables);
  const numbered = figureHeadings(lines);
  const title = numbered.length === 0 && (drawing || hasRows) ? titleOfPage(lines) : undefined;
  const headings = title ? [title] : numbered;
  const named = headings.map(({ label, title, line }) => ({ label, title, top: line.box.y }));
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

interface Drawing {
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

/** Images or line drawings with their callouts: numbers that stand alone, but page numbers. */
function drawingOf(page: PageContent, lines: readonly Line[], tables: readonly Box[]): Drawing | undefined {
  const images = page.images.filter((image) => areaOf(image) >= LEAST_SHARE * page.width * page.height);
  const strokes = page.drawnPaths + page.lines.filter((line) => !tables.some((table) => holds(table, line, 4))).length;
  const hasStrokes = strokes >= FEWEST_STROKES;
  const callouts = lines.flatMap((line, index) => {
    const own = line.segments.flatMap(({ text, box }) => {
      const number = CALLOUT.exec(text)?.[1];
      return number && !tables.some((table) => holds(table, box, 2)) ? [{ text: number, box }] : [];
    });
    // Among words a number is a callout only beside an image.
    const isAmongWords = own.length < line.segments.length;
    const isEdge = own.length === 1 && line.segments.length === 1 && (index === 0 || index === lines.length - 1);
    return own.filter(
      ({ box }) =>
        images.some((image) => holds(image, box, BESIDE)) ||
        (hasStrokes && !isAmongWords && !(isEdge && atEdge(page, box))),
    );
  });
  const numbered = callouts.filter(({ text }) => /\d/.test(text)).length;
  if (images.length === 0 && !(hasStrokes && numbered >= 2) && strokes < STROKES_ALONE) return undefined;
  return { images, callouts };
}

function atEdge(page: PageContent, { y, height }: Box): boolean {
  return y + height < 0.1 * page.height || y > 0.9 * page.height;
}

interface Heading {
  /** As printed; empty if there is only a title. */
  label: string;
  title: string;
  line: Line;
}

const LABEL = String.raw`(?:\d{1,3}[A-Z]?(?:[-.]\d{1,3}[A-Z]?)*|[A-Z]{1,2}(?:[-.]?\d{1,3})?|[IVX]{1,5})(?![A-Za-z0-9])`;
/** Case matters, unlike in the words before. (V8 14 sometimes fails on a group with flags of its own.) */
const IS_LABEL = new RegExp(`^${LABEL}$`);
const NUMBERED = String.raw`(?:no\.?\s*)?(?<label>${LABEL})(?:\s*[-:.)]\s*|\s+|$)(?<title>.*)$`;
const FIGURE = new RegExp(String.raw`^(?:fig(?:ure|\.)?|illustration|illus\.?|diagram|plate)\s*${NUMBERED}`, "i");
const CONTINUED_END = String.raw`\s*[-,]?\s*\(?\b(?:continued|cont'?d?\.?|suite|fortsetzung)\)?\s*`;
const SECTION = new RegExp(String.raw`^(?:section|group|assembly|block|sheet)\s+${NUMBERED}`, "i");
/** Honda: `E-13 CARBURETOR`. */
const BLOCK = /^(?<label>[A-Z]-\d{1,2}(?:-\d{1,2})?)\s+(?=[A-Z]{3})(?<title>.*)$/;
/** `Mower Deck - Figure 7`. */
const TITLE_FIRST = new RegExp(
  String.raw`^(?<title>.*\S)\s+[-:]\s+(?:fig(?:ure|\.)?|illustration|diagram)\s*(?:no\.?\s*)?(?<label>${LABEL})(?:${CONTINUED_END})?$`,
  "i",
);
const CONTINUED = new RegExp(`${CONTINUED_END}$`, "i");
const IN_CONTENTS = /(?:\.\s?){3,}\s*\d*\s*$|\s{2,}\d{1,4}$/;
const LONGEST_TITLE = 70;
/** Characters that show an entry of a list of contents. */
const END_OF_LINE = 60;

/** Of figures, else of sections, from the top down, outside lists of contents. */
function figureHeadings(lines: readonly Line[]): Heading[] {
  const inContents = ({ text }: Line): string | undefined => IN_CONTENTS.exec(text.slice(-END_OF_LINE))?.[0];
  const contents = lines.filter((line) => inContents(line) !== undefined).length >= 3;
  const of = (pattern: RegExp): Heading[] =>
    lines.flatMap((line) => {
      const end = inContents(line);
      if (end !== undefined && pattern !== TITLE_FIRST && (contents || end.includes("."))) return [];
      const { label = "", title: rest = "" } = pattern.exec(line.text.trim())?.groups ?? {};
      const title = IS_LABEL.test(label) ? titleOf(rest) : undefined;
      return title !== undefined && (title !== "" || pattern === FIGURE) ? [{ label, title, line }] : [];
    });
  const figures = [...of(FIGURE), ...of(TITLE_FIRST)].sort((a, b) => a.line.box.y - b.line.box.y);
  return figures.length > 0 ? figures : [...of(SECTION), ...of(BLOCK)];
}

/** Undefined if a sentence goes on. */
function titleOf(rest: string): string | undefined {
  const title = rest
    .replace(/\s{2,}/g, " ")
    .replace(CONTINUED, "")
    .replace(/^[-:.\s]+|[-:\s]+$/g, "");
  if (title === "") return "";
  return title.length <= LONGEST_TITLE &&
    /^[\p{Lu}\d("]/u.test(title) &&
    !/[.;,]$/.test(title) &&
    !/^(?:shows?|is|and|or)\b/i.test(title)
    ? title
    : undefined;
}

const NO_TITLE =
  /^(?:(?:illustrated )?(?:parts?|spare parts)(?: (?:list|manual|catalog(?:ue)?|book|breakdown|identification))?|table of contents|contents|index|notes?|page \d+|continued)$/i;

/** The line that heads a page by size, weight or capitals. */
function titleOfPage(lines: readonly Line[]): Heading | undefined {
  const usual = usualSize(lines);
  const likely = lines.slice(0, 6).filter((line) => {
    const text = line.text.trim();
    return (
      line.segments.length <= 2 &&
      /\p{L}{3}/u.test(text) &&
      text.length <= LONGEST_TITLE &&
      !NO_TITLE.test(text) &&
      !/[.;,:]$/.test(text) &&
      (line.fontSize >= 1.15 * usual || (line.segments.length === 1 && (line.isBold || text === text.toUpperCase())))
    );
  });
  const line = likely.sort((a, b) => b.fontSize - a.fontSize)[0];
  const title = line?.text.trim().replace(/\s{2,}/g, " ");
  return line && { label: "", title: title!.replace(CONTINUED, ""), line };
}
