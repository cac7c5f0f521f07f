import { median } from "../page.ts";
import type { Pixels } from "./pixels.ts";
import { findInkLevel, type Raster, turnRaster, WHITE } from "./raster.ts";

/** Dots an inch of pictures that are judged. */
export const JUDGED_DPI = 100;

/** Upright strips of a picture: in so narrow ones lines that are not quite level stay apart. */
const STRIPS = 16;
/** Pixels: of a line of text, at 100 dots an inch. */
const LOWEST_LINE = 3;
const TALLEST_LINE = 24;
/** Pixels: of an upright dashed line every dash has fewer columns with ink. */
const FEWEST_COLUMNS = 4;
/** Share of a strip's width that a rule covers. */
const RULE_SHARE = 0.85;
/** A distance is the same as another within these shares of it. */
const SAME_PITCH = [0.75, 1.3] as const;
/** Pixels: closer lines are letters of turned text. */
const SMALLEST_PITCH = 10;
const FEWEST_LINES = 5;
const FEWEST_STRIPS = 4;
/** Of a strip's lines those of the list. */
const LEAST_SHARE = 0.5;
/** Gaps, upright, which part columns: pixels, and how many lines may have ink there. */
const GAP_WIDTH = 6;
const GAP_INK = 0.04;
const FEWEST_GAPS = 2;
/** Lines that are looked at for gaps: over more, columns that are not quite upright overlap. */
const LINES_FOR_GAPS = 12;

interface Run {
  from: number;
  to: number;
}

/** Pixels of an image that say whether it is a photo, and the share of paper, less than on the page, that it is not. */
const SAMPLED = 20_000;
const MAYBE_PAPER = 0.45;

/** Whether an image may show a list, by a few of its pixels: most photos need no other look. */
export function mayShowInk({ width, height, channels, data }: Pixels): boolean {
  if (!data || (channels !== 1 && channels !== 3)) return true;
  const step = Math.max(1, Math.floor((width * height) / SAMPLED));
  const offset = channels === 3 ? 1 : 0;
  const gray = Uint8Array.from(
    { length: Math.floor((width * height) / step) },
    (_, n) => data[n * step * channels + offset] ?? WHITE,
  );
  return findInkLevel({ gray }, MAYBE_PAPER) !== undefined;
}

/** Whether a picture is in black and white and shows a list: lines at one distance, in columns; upright or turned. */
export function isListShown(raster: Raster): boolean {
  const level = findInkLevel(raster);
  if (level === undefined) return false;
  return hasRows(raster, level) || hasRows(turnRaster(raster, 1), level);
}

/** Whether the strips of an upright picture have the rows of a list. */
function hasRows(raster: Raster, level: number): boolean {
  const strips = Array.from({ length: STRIPS }, (_, strip) => findStripLines(raster, level, strip));
  const listed = strips.filter(({ length }) => length > 0);
  const pitch = median(listed.map((lines) => median(getDistances(lines))));
  const alike = strips.map((lines) => (isSame(median(getDistances(lines)), pitch) ? lines : []));
  if (alike.filter(({ length }) => length > 0).length < FEWEST_STRIPS) return false;
  return countGaps(raster, level, alike) >= FEWEST_GAPS;
}

/** Finds a strip's longest run of lines at one distance, of which some may be left out; empty if it is no list. */
function findStripLines(raster: Raster, level: number, strip: number): Run[] {
  const runs = findRuns(raster, level, strip);
  const pitch = median(getDistances(runs));
  let best: Run[] = [];
  let chain: Run[] = [];
  for (const run of runs) {
    const last = chain.at(-1);
    const steps = last ? (run.from - last.from) / pitch : 0;
    if (!last || ![1, 2, 3].some((times) => isSame(steps, times))) chain = [];
    chain.push(run);
    if (chain.length > best.length) best = chain;
  }
  return pitch >= SMALLEST_PITCH && best.length >= Math.max(FEWEST_LINES, LEAST_SHARE * runs.length) ? best : [];
}

/** Finds the lines of a strip: rows with ink between rows without, or between rules. */
function findRuns({ width, height, gray }: Raster, level: number, strip: number): Run[] {
  const [left, right] = getSides(strip, width);
  const runs: Run[] = [];
  /** Of each column, the last line in which it has ink. */
  const marks = new Uint32Array(right - left);
  let columns = 0;
  let line = 1;
  let from = -1;
  for (let y = 0; y <= height; y += 1) {
    let ink = 0;
    const row = y * width;
    if (y < height) for (let x = left; x < right; x += 1) if ((gray[row + x] ?? WHITE) < level) ink += 1;
    const isText = ink > 0 && ink < RULE_SHARE * (right - left);
    if (isText && from === -1) {
      from = y;
      columns = 0;
      line += 1;
    }
    if (isText)
      for (let x = left; x < right; x += 1)
        if (marks[x - left] !== line && (gray[row + x] ?? WHITE) < level) {
          marks[x - left] = line;
          columns += 1;
        }
    if (isText || from === -1) continue;
    const isLine = y - from >= LOWEST_LINE && y - from <= TALLEST_LINE && columns >= FEWEST_COLUMNS;
    if (isLine) runs.push({ from, to: y });
    from = -1;
  }
  return runs;
}

/** Counts the gaps and the rules between columns, in the lines of each strip or of the one to its left. */
function countGaps({ width, gray }: Raster, level: number, strips: readonly (readonly Run[])[]): number {
  let gaps = 0;
  let clear = 0;
  let lines: readonly Run[] = [];
  let hasText = false;
  for (const [strip, ownLines] of strips.entries()) {
    if (ownLines.length > 0) {
      const first = Math.max(0, Math.floor((ownLines.length - LINES_FOR_GAPS) / 2));
      lines = ownLines.slice(first, first + LINES_FOR_GAPS);
    }
    const height = lines.reduce((sum, { from, to }) => sum + to - from, 0);
    const [left, right] = getSides(strip, width);
    for (let x = left; x < right && height > 0; x += 1) {
      let ink = 0;
      for (const { from, to } of lines)
        for (let y = from; y < to; y += 1) if ((gray[y * width + x] ?? WHITE) < level) ink += 1;
      if (ink <= GAP_INK * height) clear += 1;
      else if (ink >= RULE_SHARE * height) clear += GAP_WIDTH;
      else {
        if (hasText && clear >= GAP_WIDTH) gaps += 1;
        hasText = true;
        clear = 0;
      }
    }
  }
  return gaps;
}

function getSides(strip: number, width: number): [left: number, right: number] {
  return [Math.floor((strip * width) / STRIPS), Math.floor(((strip + 1) * width) / STRIPS)];
}

function getDistances(runs: readonly Run[]): number[] {
  return runs.slice(1).map(({ from }, n) => from - (runs[n]?.from ?? 0));
}

function isSame(distance: number, pitch: number): boolean {
  return distance >= SAME_PITCH[0] * pitch && distance <= SAME_PITCH[1] * pitch;
}
