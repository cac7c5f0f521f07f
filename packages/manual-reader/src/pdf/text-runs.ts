import { type Box, type HiddenReason, holds, type TextBox, uniteBoxes } from "../page.ts";
import { boxAround, type Point } from "./matrix.ts";
import type { Color, PaintedAreas } from "./painted.ts";

/** Letters that look different are different runs. */
export interface Look {
  fontSize: number;
  isBold: boolean;
  color: Color;
  hidden: "invisible-mode" | "off-page" | undefined;
}

interface Run {
  look: Look;
  text: string;
  /** Unit vectors along and above the baseline. */
  along: Point;
  up: Point;
  start: Point;
  end: Point;
}

/** Times the font size: below is one word, then two, then another run. */
const WORD_GAP = 0.13;
const RUN_GAP = 0.6;
/** Times a letter's width: a space of fixed-width type. */
const WIDE_GAP = 1.25;
const WIDEST_GAP = 0.8;
/** Kerning and accents set letters back. */
const SET_BACK = 0.35;
/** Of the line box, from the baseline. */
const ASCENT = 0.75;
const DESCENT = 0.22;
/** Points; superscripts are larger. */
const SMALLEST = 2;
/** Times the font size, and a letter's width: how far a copy lies from what is printed twice, for bold or a shadow. */
const COPY_OFFSET = 0.25;
const COPY_WIDTH = 0.6;
/** Texts that a drawing may outline; outlines of a letter at most; share of the width; points. */
const MOST_OUTLINED = 50;
const MOST_OUTLINES = 4;
const OUTLINED_WIDTH = 0.8;
const OUTLINE_MARGIN = 3;
/** Points; of a cell in which letters are sought. */
const CELL = 8;

/** Joins letters on a baseline to words and runs. */
export function createTextRuns(painted: PaintedAreas) {
  const texts: { box: TextBox; order: number }[] = [];
  const isCopy = createPrintedLetters(painted);
  let current: Run | undefined;
  let isSpaced = false;

  return { letter, space, flush, revealOutlined, finish };

  /** From `start` to `end` on the baseline; may be several letters. */
  function letter(text: string, look: Look, along: Point, up: Point, start: Point, end: Point): void {
    if (isCopy(text, look, along, up, start, end)) {
      isSpaced = false;
      return;
    }
    const run = current;
    if (
      run &&
      (run.look === look || isAlike(run.look, look)) &&
      run.along[0] * along[0] + run.along[1] * along[1] > 0.999
    ) {
      const [dx, dy] = [start[0] - run.end[0], start[1] - run.end[1]];
      const gap = dx * along[0] + dy * along[1];
      const drop = Math.abs(dx * up[0] + dy * up[1]);
      if (drop < 0.15 * look.fontSize && gap > -SET_BACK * look.fontSize && gap < widestGap(run)) {
        const isApart = gap > WORD_GAP * look.fontSize || (isSpaced && gap > 0);
        run.text += isApart ? ` ${text}` : text;
        run.end = end;
        isSpaced = false;
        return;
      }
    }
    flush();
    current = { look, text, along, up, start, end };
  }

  function space(): void {
    isSpaced = true;
  }

  /** Later paint is not behind it. */
  function flush(): void {
    const run = current;
    current = undefined;
    isSpaced = false;
    if (!run || run.text.trim() === "") return;
    const box = toTextBox(run);
    const hidden = hiddenBecause(run.look, box);
    texts.push({ box: hidden ? { ...box, hidden } : box, order: painted.next() });
  }

  /**
   * Makes texts of the colour behind them visible if outlines in another colour draw them: at least one a letter, over
   * most of their width, as some programs print fonts that they may not embed.
   */
  function revealOutlined(box: Box, count: number): void {
    const hidden = texts
      .slice(-MOST_OUTLINED)
      .map(({ box: text }) => text)
      .filter((text) => text.hidden === "no-contrast" && holds(box, text, OUTLINE_MARGIN));
    const letters = hidden.reduce((sum, { text }) => sum + text.replace(/\s/g, "").length, 0);
    if (letters === 0 || count < letters || count > MOST_OUTLINES * letters) return;
    const { width, height } = uniteBoxes(hidden);
    if (box.width < OUTLINED_WIDTH * width || box.height > height + 2 * OUTLINE_MARGIN) return;
    for (const text of hidden) delete text.hidden;
  }

  function finish(): TextBox[] {
    flush();
    const places = createPlaces<TextBox>();
    const printedTexts = texts.flatMap(({ box, order }) => {
      const reach = COPY_OFFSET * box.fontSize;
      const isNear = ({ x, y }: TextBox): boolean => Math.abs(x - box.x) <= reach && Math.abs(y - box.y) <= reach;
      // Drawn twice, with paint between.
      if (places.find(box.text, [box.x, box.y], 2 * reach, isNear)) return [];
      places.add(box.text, [box.x, box.y], box);
      return [!box.hidden && painted.isCovered(box, order) ? { ...box, hidden: "covered" as const } : box];
    });
    return areGlyphCodes(printedTexts)
      ? printedTexts.map((text) => ({ ...text, hidden: "glyph-codes" as const }))
      : printedTexts;
  }

  function hiddenBecause({ hidden, fontSize, color }: Look, box: TextBox): HiddenReason | undefined {
    if (hidden) return hidden;
    if (fontSize < SMALLEST) return "too-small";
    return painted.hasContrast(box, color) ? undefined : "no-contrast";
  }

  function toTextBox({ text, along, up, start, end, look: { fontSize, isBold } }: Run): TextBox {
    const corner = ([x, y]: Point, rise: number): Point => [x + up[0] * rise, y + up[1] * rise];
    const [top, bottom] = [ASCENT * fontSize, -DESCENT * fontSize];
    const box = boxAround([corner(start, top), corner(start, bottom), corner(end, top), corner(end, bottom)]);
    const degrees = (Math.atan2(along[1], along[0]) * 180) / Math.PI;
    return { ...box, text: text.trim(), fontSize, isBold, angle: (Math.round(degrees * 2) / 2 + 360) % 360 };
  }
}

/** Control characters and those for private use: of a page, at least, and their share. */
const CODE = /[\p{Cc}\p{Co}\uFFFD]/gu;
const FEWEST_CODES = 50;
const CODES_SHARE = 0.3;

/** Whether the fonts of a page do not say which letters their glyphs are. */
function areGlyphCodes(texts: readonly TextBox[]): boolean {
  const characters = texts.map(({ text }) => text).join("");
  return (characters.match(CODE)?.length ?? 0) >= Math.max(FEWEST_CODES, CODES_SHARE * characters.length);
}

interface PrintedLetter {
  look: Look;
  start: Point;
}

/** The letters of a page, to find those that are printed again a little beside themselves. */
function createPrintedLetters(painted: PaintedAreas) {
  let letters = createPlaces<PrintedLetter>();
  let paintCount = 0;

  /** Remembers the letter unless it is a copy. */
  return function isCopy(text: string, look: Look, along: Point, up: Point, start: Point, end: Point): boolean {
    // Later paint may have covered the first print.
    if (painted.count() !== paintCount) letters = createPlaces();
    paintCount = painted.count();
    // The next of two equal letters lies a width away.
    const width = Math.hypot(end[0] - start[0], end[1] - start[1]) / text.length;
    const above = COPY_OFFSET * look.fontSize;
    const sideways = Math.min(above, COPY_WIDTH * width);
    const isFirst = ({ start: [x, y], look: { fontSize, hidden } }: PrintedLetter): boolean => {
      const [dx, dy] = [start[0] - x, start[1] - y];
      return (
        Math.abs(dx * along[0] + dy * along[1]) <= sideways &&
        Math.abs(dx * up[0] + dy * up[1]) <= above &&
        Math.abs(fontSize - look.fontSize) < 0.1 * look.fontSize &&
        hidden === look.hidden
      );
    };
    if (letters.find(text, start, Math.hypot(sideways, above), isFirst)) return true;
    letters.add(text, start, { look, start });
    return false;
  };
}

/** Of cells in a column. */
const MOST_CELLS = 100_000;

/** What stands on a page, by its text and place. */
function createPlaces<T>() {
  const placesByText = new Map<string, Map<number, T[]>>();
  const toCell = (coordinate: number): number => Math.floor(coordinate / CELL);
  return {
    add: (text: string, [x, y]: Point, value: T): void => {
      const cell = toCell(x) * MOST_CELLS + toCell(y);
      const cells = placesByText.get(text) ?? new Map<number, T[]>();
      if (cells.size === 0) placesByText.set(text, cells);
      const same = cells.get(cell);
      if (same) same.push(value);
      else cells.set(cell, [value]);
    },
    /** Finds one of this text that is so, within reach, points and at most a cell, and some beyond. */
    find: (text: string, [x, y]: Point, reach: number, isSo: (value: T) => boolean): T | undefined => {
      const cells = placesByText.get(text);
      if (!cells) return undefined;
      const within = Math.min(reach, CELL);
      const [right, bottom] = [toCell(x + within), toCell(y + within)];
      for (let column = toCell(x - within); column <= right; column += 1)
        for (let row = toCell(y - within); row <= bottom; row += 1) {
          const place = cells.get(column * MOST_CELLS + row)?.find(isSo);
          if (place !== undefined) return place;
        }
      return undefined;
    },
  };
}

function widestGap({ text, start, end, look: { fontSize } }: Run): number {
  const letter = Math.hypot(end[0] - start[0], end[1] - start[1]) / text.length;
  return Math.min(WIDEST_GAP * fontSize, Math.max(RUN_GAP * fontSize, WIDE_GAP * letter));
}

function isAlike(first: Look, second: Look): boolean {
  return (
    Math.abs(first.fontSize - second.fontSize) < 0.1 * first.fontSize &&
    first.isBold === second.isBold &&
    first.hidden === second.hidden &&
    (first.color === second.color || (first.color?.every((channel, n) => channel === second.color?.[n]) ?? false))
  );
}
