import { type Box, holds, middleOf } from "../page.ts";
import { rowsOf } from "../text/lines.ts";
import { splitColumns } from "./columns.ts";
import { type Grid, isFigure, type Piece, stretchOf, textOf, withoutEmpty } from "./grid.ts";

/** A line: its position across, and its ends. */
interface Rule {
  at: number;
  from: number;
  to: number;
}

export interface Rules {
  horizontal: Rule[];
  vertical: Rule[];
}

/** Points: double lines are one. */
const NEAR = 2;
/** Points. */
const BREAK = 4;
const SHORTEST_ACROSS = 10;
const SHORTEST_DOWN = 5;

export function rulesOf(lines: readonly Box[]): Rules {
  const horizontal: Rule[] = [];
  const vertical: Rule[] = [];
  for (const { x, y, width, height } of lines) {
    if (width >= height) horizontal.push({ at: y + height / 2, from: x, to: x + width });
    else vertical.push({ at: x + width / 2, from: y, to: y + height });
  }
  return {
    horizontal: joined(horizontal).filter(({ from, to }) => to - from >= SHORTEST_ACROSS),
    vertical: joined(vertical).filter(({ from, to }) => to - from >= SHORTEST_DOWN),
  };
}

function joined(rules: readonly Rule[]): Rule[] {
  return groupNear(rules, NEAR).flatMap((group) => {
    const at = group.reduce((sum, rule) => sum + rule.at, 0) / group.length;
    const whole: Rule[] = [];
    for (const { from, to } of [...group].sort((one, other) => one.from - other.from)) {
      const last = whole.at(-1);
      if (last && from <= last.to + BREAK) last.to = Math.max(last.to, to);
      else whole.push({ at, from, to });
    }
    return whole;
  });
}

function groupNear<T extends { at: number }>(rules: readonly T[], within: number): T[][] {
  const groups: T[][] = [];
  for (const rule of [...rules].sort((one, other) => one.at - other.at)) {
    const group = groups.at(-1);
    if (group && rule.at - group[0]!.at <= within) group.push(rule);
    else groups.push([rule]);
  }
  return groups;
}

/** Sets of numbers from 0; the least of each stands for it. */
function disjoint(count: number) {
  const parents = Array.from({ length: count }, (_, n) => n);
  const rootOf = (n: number): number => {
    let root = n;
    while (parents[root] !== root) root = parents[root]!;
    parents[n] = root;
    return root;
  };
  const join = (one: number, other: number): void => {
    const [a, b] = [rootOf(one), rootOf(other)];
    parents[Math.max(a, b)] = Math.min(a, b);
  };
  return { rootOf, join };
}

/** Groups of lines that meet, each a table or drawing. */
export function meeting({ horizontal, vertical }: Rules): Rules[] {
  const { rootOf, join } = disjoint(horizontal.length + vertical.length);
  const reaches = ({ from, to }: Rule, { at }: Rule): boolean => at >= from - BREAK && at <= to + BREAK;
  horizontal.forEach((across, h) => {
    vertical.forEach((down, v) => {
      if (reaches(across, down) && reaches(down, across)) join(h, horizontal.length + v);
    });
  });
  const across = Map.groupBy(horizontal, (_, h) => rootOf(h));
  const down = Map.groupBy(vertical, (_, v) => rootOf(horizontal.length + v));
  const roots = new Set([...across.keys(), ...down.keys()]);
  return [...roots].map((root) => ({ horizontal: across.get(root) ?? [], vertical: down.get(root) ?? [] }));
}

/** Points between lines that should meet. */
const MEETS = 3;
/** Of a cell's side that a parting line covers. */
const PARTING = 0.6;
/** Of the cells; a chart has fewer. */
const LEAST_FILLED = 0.3;

/** First row and column of a cell. */
type Place = readonly [row: number, column: number];

/** Undefined if the lines are no table. */
export function ruledTable(
  { horizontal, vertical }: Rules,
  pieces: readonly Piece[],
): { grid: Grid; box: Box } | undefined {
  if (horizontal.length < 2 || vertical.length < 1) return undefined;
  const xs = edgesOf(vertical, horizontal);
  const ys = edgesOf(horizontal, vertical);
  if (xs.length < 3 || ys.length < 3) return undefined;
  const box = { x: xs[0]!, y: ys[0]!, width: xs.at(-1)! - xs[0]!, height: ys.at(-1)! - ys[0]! };
  const within = pieces.filter((piece) => holds(box, piece)).flatMap((piece) => partedAtRules(piece, vertical));
  const cells = spanningCells(xs, ys, { horizontal, vertical });
  const placed = within.map((piece) => {
    const column = indexIn(xs, piece.x + piece.width / 2);
    const cell = cells[indexIn(ys, middleOf(piece))]![column]!;
    const isWithin = piece.x >= xs[column]! - MEETS && piece.x + piece.width <= xs[column + 1]! + MEETS;
    return { piece, column, cell, isWithin };
  });
  const grid: Grid = ys.slice(1).map(() => xs.slice(1).map(() => []));
  for (const spanning of Map.groupBy(placed, ({ cell }) => cell.join()).values()) {
    const columns = new Set(spanning.map(({ column }) => column));
    // Texts that each keep to a column are cells without lines.
    const isParted = columns.size > 1 && spanning.every(({ isWithin }) => isWithin);
    for (const { piece, column, cell } of spanning) grid[cell[0]]![isParted ? column : cell[1]]!.push(piece);
  }
  const distinctCells = new Set(cells.flat().map((cell) => cell.join())).size;
  const filled = grid.flat().filter((cell) => cell.length > 0).length;
  const split = withoutEmpty(splitColumns(splitRows(grid)));
  if (split.length < 2 || (split[0]?.length ?? 0) < 2 || filled < LEAST_FILLED * distinctCells || filled < 4)
    return undefined;
  return split.flat().some((cell) => textOf(cell) !== "") ? { grid: split, box } : undefined;
}

/** Places of rules, and where those across them end. */
function edgesOf(rules: readonly Rule[], across: readonly Rule[]): number[] {
  const ends = [Math.min(...across.map(({ from }) => from)), Math.max(...across.map(({ to }) => to))];
  return groupNear([...rules, ...ends.map((at) => ({ at }))], MEETS).map(([first]) => first!.at);
}

/** Splits a text that was drawn at once over several cells. */
function partedAtRules(piece: Piece, vertical: readonly Rule[]): Piece[] {
  const middle = middleOf(piece);
  for (const { at, from, to } of vertical) {
    if (middle < from || middle > to || at < piece.x + MEETS || at > piece.x + piece.width - MEETS) continue;
    const parts = [...piece.text.matchAll(/\s+/g)].flatMap(({ index }) => {
      const [first, rest] = [stretchOf(piece, 0, index), stretchOf(piece, index, piece.text.length)];
      return first && rest ? [{ first, rest, away: Math.abs((first.x + first.width + rest.x) / 2 - at) }] : [];
    });
    const best = parts.sort((one, other) => one.away - other.away)[0];
    if (best && best.away < piece.fontSize)
      return [best.first, best.rest].flatMap((part) =>
        partedAtRules(
          part,
          vertical.filter((rule) => rule.at !== at),
        ),
      );
  }
  return [piece];
}

/** The cell of each place; cells without a line between them are one. */
function spanningCells(xs: readonly number[], ys: readonly number[], { horizontal, vertical }: Rules): Place[][] {
  const columns = xs.length - 1;
  const rows = ys.length - 1;
  const { rootOf, join } = disjoint(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const place = row * columns + column;
      if (column + 1 < columns && !isParted(vertical, xs[column + 1]!, ys[row]!, ys[row + 1]!)) join(place, place + 1);
      if (row + 1 < rows && !isParted(horizontal, ys[row + 1]!, xs[column]!, xs[column + 1]!))
        join(place, place + columns);
    }
  }
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column): Place => {
      const root = rootOf(row * columns + column);
      return [Math.floor(root / columns), root % columns];
    }),
  );
}

function isParted(rules: readonly Rule[], at: number, from: number, to: number): boolean {
  const length = rules
    .filter((rule) => Math.abs(rule.at - at) <= MEETS)
    .reduce((sum, rule) => sum + Math.max(0, Math.min(rule.to, to) - Math.max(rule.from, from)), 0);
  return length >= PARTING * (to - from);
}

function indexIn(edges: readonly number[], at: number): number {
  let n = 0;
  while (n < edges.length - 2 && at >= edges[n + 1]!) n += 1;
  return n;
}

/** Splits a row with several lines of figures. */
function splitRows(grid: Grid): Grid {
  return grid.flatMap((row) => {
    const lines = rowsOf(row.flat().filter(({ isTurned }) => !isTurned));
    if (lines.length < 2) return [row];
    const anchors = lines.filter(
      (line) =>
        row.filter((cell) => isFigure(textOf(cell.filter((piece) => line.includes(piece))))).length >= LEAST_FIGURES,
    );
    if (anchors.length < 2) return [row];
    const middles = anchors.map(middleOfLine);
    const anchorOf = new Map(
      lines.flatMap((line) => line.map((piece) => [piece, nearest(middles, middleOfLine(line))] as const)),
    );
    return anchors.map((_, n) => row.map((cell) => cell.filter((piece) => (anchorOf.get(piece) ?? 0) === n)));
  });
}

/** Of a line that is a row. */
const LEAST_FIGURES = 2;

function middleOfLine(line: readonly Piece[]): number {
  return line.reduce((sum, piece) => sum + middleOf(piece), 0) / line.length;
}

function nearest(numbers: readonly number[], to: number): number {
  return numbers.reduce((best, number, n) => (Math.abs(number - to) < Math.abs(numbers[best]! - to) ? n : best), 0);
}
