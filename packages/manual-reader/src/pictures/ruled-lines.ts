import type { Box } from "../page.ts";
import { groupNear } from "../tables/rules.ts";
import { type Raster, WHITE } from "./raster.ts";

/** Share of an inch: shorter runs of ink belong to letters. */
const SHORTEST_ACROSS = 0.35;
const SHORTEST_DOWN = 0.25;
/** Likewise: thicker ones are bars, which stay. */
const THICKEST = 0.04;

/** Removes ruled lines from a picture, which a recogniser takes for letters, and returns where they were, in pixels. */
export function takeRuledLines(raster: Raster, level: number, dpi: number): Box[] {
  const { width, height, gray } = raster;
  const ink = { gray, level };
  const across = findRuns(ink, { count: height, length: width, step: 1, stride: width }, SHORTEST_ACROSS * dpi);
  const down = findRuns(ink, { count: width, length: height, step: width, stride: 1 }, SHORTEST_DOWN * dpi);
  const boxes = [
    ...join(across, THICKEST * dpi).map(({ from, to, first, last }) => toBox(from, to, first, last)),
    ...join(down, THICKEST * dpi).map(({ from, to, first, last }) => toBox(first, last + 1, from, to - 1)),
  ];
  const isThin = ({ width: across, height: down }: Box): boolean => Math.min(across, down) <= THICKEST * dpi;
  const lines = boxes.filter(isThin);
  for (const { x, y, width: wide, height: high } of lines)
    for (let row = Math.max(0, y - 1); row < Math.min(height, y + high + 1); row += 1)
      gray.fill(WHITE, row * width + Math.max(0, x - 1), row * width + Math.min(width, x + wide + 1));
  return lines;
}

function toBox(left: number, right: number, top: number, bottom: number): Box {
  return { x: left, y: top, width: right - left, height: bottom - top + 1 };
}

interface LongRun {
  index: number;
  from: number;
  to: number;
}

/** Finds the long runs of ink in rows or columns. */
function findRuns(
  { gray, level }: Pick<Raster, "gray"> & { level: number },
  { count, length, step, stride }: { count: number; length: number; step: number; stride: number },
  shortest: number,
): LongRun[] {
  const runs: LongRun[] = [];
  for (let index = 0; index < count; index += 1) {
    let from = -1;
    for (let n = 0; n <= length; n += 1) {
      const hasInk = n < length && (gray[index * stride + n * step] ?? WHITE) < level;
      if (hasInk && from === -1) from = n;
      if (hasInk || from === -1) continue;
      if (n - from >= shortest) runs.push({ index, from, to: n });
      from = -1;
    }
  }
  return runs;
}

/** Joins runs that lie beside each other to lines; of one that is not level, each step is a line of its own. */
function join(runs: readonly LongRun[], thickest: number) {
  const lines: { first: number; last: number; from: number; to: number }[] = [];
  for (const { index, from, to } of runs) {
    const line = lines.findLast(
      ({ first, last, ...ends }) => index - last <= 1 && from < ends.to && to > ends.from && index - first < thickest,
    );
    if (!line) lines.push({ first: index, last: index, from, to });
    else Object.assign(line, { last: index, from: Math.min(line.from, from), to: Math.max(line.to, to) });
  }
  return lines;
}

/** Share of an inch: rows of a header, and lines this close are one. */
const LOWEST_HEADER = 0.1;
const TALLEST_HEADER = 0.7;
const SAME_LINE = 0.04;
const FEWEST_CELLS = 3;

/** Finds the cells of the first row of a ruled list, whose words have other sizes than the rest; empty without. */
export function findHeaderCells(lines: readonly Box[], { width }: Pick<Raster, "width">, dpi: number): Box[] {
  const across = groupNear(
    lines.filter((line) => line.width > line.height).map((line) => ({ at: line.y, line })),
    SAME_LINE * dpi,
  ).filter((group) => group.reduce((sum, { line }) => sum + line.width, 0) >= width / 2);
  const [top, bottom] = across.map((group) => Math.max(...group.map(({ line }) => line.y + line.height)));
  if (top === undefined || bottom === undefined) return [];
  if (bottom - top < LOWEST_HEADER * dpi || bottom - top > TALLEST_HEADER * dpi) return [];
  const middle = (top + bottom) / 2;
  const edges = groupNear(
    lines
      .filter((line) => line.height > line.width && line.y < middle && line.y + line.height > middle)
      .map((line) => ({ at: line.x + line.width / 2 })),
    SAME_LINE * dpi,
  ).map((group) => group[0]?.at ?? 0);
  const cells = edges
    .slice(1)
    .map((right, n) => ({ x: edges[n] ?? 0, y: top, width: right - (edges[n] ?? 0), height: bottom - top }));
  return cells.length >= FEWEST_CELLS ? cells : [];
}
