import { type Box, holds, median, uniteBoxes } from "../page.ts";
import { type Line, toLine, groupRows, type Word } from "./lines.ts";

/** Lines from the top down. */
export type Block = Line[];

const BIN = 2;
/** Points, between columns of text. */
export const NARROWEST_GUTTER = 7;
/** Of the width, for a gutter. */
const MIDDLE = [0.2, 0.8] as const;
/** Share of lines that may cross a gutter. */
const ACROSS = 0.35;
const FEWEST_LINES = 3;
/** Median of a column's lines; cells have fewer. */
const COLUMN_CHARACTERS = 16;

/** Blocks in reading order: columns one by one, between lines that cross them. Tables (`together`) are not split. */
export function splitBlocks(words: readonly Word[], together: readonly Box[] = []): Block[] {
  const rows = groupRows(words);
  const lines = (): Block[] => (rows.length > 0 ? [rows.map(toLine)] : []);
  if (rows.length < FEWEST_LINES) return lines();
  const gutter = findGutter(rows, together);
  if (gutter === undefined) return lines();
  const blocks: Block[] = [];
  let slice: Word[][] = [];
  let across: Block | undefined;
  const close = (): void => {
    if (slice.length === 0) return;
    blocks.push(...splitColumns(slice, gutter, together));
    slice = [];
    across = undefined;
  };
  for (const row of rows) {
    if (
      row.some((word) => isAcross(word, gutter)) ||
      together.some((box) => crosses(box, gutter) && row.some((word) => holds(box, word)))
    ) {
      close();
      if (across) across.push(toLine(row));
      else blocks.push((across = [toLine(row)]));
    } else slice.push(row);
  }
  close();
  return blocks;
}

function splitColumns(rows: Word[][], gutter: number, together: readonly Box[]): Block[] {
  const sides = splitSides(rows, gutter);
  const isColumn = sides.every((side) => side.length >= FEWEST_LINES);
  return isColumn ? sides.flatMap((side) => splitBlocks(side.flat(), together)) : [rows.map(toLine)];
}

function findGutter(rows: readonly Word[][], together: readonly Box[]): number | undefined {
  const bounds = uniteBoxes(rows.flat());
  const bins = Math.max(1, Math.ceil(bounds.width / BIN));
  const covered = new Array<number>(bins).fill(0);
  /** The last row that covered a bin. */
  const lastRows = new Array<number>(bins).fill(-1);
  for (const [n, row] of rows.entries()) {
    const boxes = [...row, ...together.filter((box) => row.some((word) => holds(box, word)))];
    for (const { x, width } of boxes) {
      const to = Math.min(bins, (x + width - bounds.x) / BIN);
      for (let bin = Math.max(0, Math.floor((x - bounds.x) / BIN)); bin < to; bin++) {
        if (lastRows[bin] === n) continue;
        lastRows[bin] = n;
        covered[bin]!++;
      }
    }
  }
  const toGutter = ([from, to]: Run): { at: number; width: number } => ({
    at: bounds.x + ((from + to) / 2) * BIN,
    width: (to - from) * BIN,
  });
  const isGutter = ({ at: middle, width }: { at: number; width: number }): boolean =>
    width >= NARROWEST_GUTTER &&
    middle > bounds.x + MIDDLE[0] * bounds.width &&
    middle < bounds.x + MIDDLE[1] * bounds.width;
  const gutters = listRuns(covered, (rowCount) => rowCount <= rows.length * ACROSS).flatMap((strip) => {
    // Short lines widen a strip: the columns are apart where the fewest lines are.
    const bare = covered.slice(...strip);
    const fewest = Math.min(...bare);
    const gaps = listRuns(bare, (rowCount) => rowCount === fewest)
      .map(([from, to]) => toGutter([strip[0] + from, strip[0] + to]))
      .filter(isGutter);
    return gaps.length > 0 ? gaps : [toGutter(strip)].filter(isGutter);
  });
  return gutters.sort((a, b) => b.width - a.width).find(({ at: middle }) => areColumns(rows, middle))?.at;
}

/** First bin, and the one behind the last. */
type Run = readonly [from: number, to: number];

/** Lists the runs of bins that pass. */
function listRuns(bins: readonly number[], passes: (rowCount: number) => boolean): Run[] {
  const runs: Run[] = [];
  for (let from = 0; from < bins.length; from++) {
    if (!passes(bins[from]!)) continue;
    let to = from;
    while (to < bins.length && passes(bins[to]!)) to++;
    runs.push([from, to]);
    from = to;
  }
  return runs;
}

function areColumns(rows: readonly Word[][], gutter: number): boolean {
  const apart = rows.filter((row) => !row.some((word) => isAcross(word, gutter)));
  return splitSides(apart, gutter).every((filled) => {
    const lengths = filled.map((row) => row.reduce((length, { text }) => length + text.length + 1, 0));
    return filled.length >= FEWEST_LINES && median(lengths) >= COLUMN_CHARACTERS;
  });
}

/** Rows with words left of the gutter, and right of it. */
function splitSides(rows: readonly Word[][], gutter: number): Word[][][] {
  return [true, false].map((isLeft) =>
    rows.map((row) => row.filter((word) => word.x < gutter === isLeft)).filter((row) => row.length > 0),
  );
}

function isAcross(word: Word, gutter: number): boolean {
  return word.x < gutter - 1 && word.x + word.width > gutter + 1;
}

function crosses(box: Box, x: number): boolean {
  return box.x < x && box.x + box.width > x;
}
