import { readFileSync } from "node:fs";

/** First and last row, first and last column, text. */
type Cell = readonly [row: number, lastRow: number, column: number, lastColumn: number, text: string];

/** Right and lower neighbours, as the shared corpus' `score_tables.py` counts them. */
export type Relations = ReadonlyMap<string, number>;

export function relationsOfTables(tables: readonly (readonly (readonly string[])[])[]): Relations {
  return pooled(
    tables.map((rows) => listRelations(rows.flatMap((row, r) => row.map((text, c): Cell => [r, r, c, c, text])))),
  );
}

/** Reads the ground truth of ICDAR-2013 about a document. */
export function relationsOfTruth(file: string): Relations {
  const numberIn = (tag: string, name: string): number | undefined => {
    const digits = new RegExp(`\\b${name}=['"](-?\\d+)['"]`).exec(tag)?.[1];
    return digits === undefined ? undefined : Number(digits);
  };
  const xml = readFileSync(file, "utf8");
  const tables = [...xml.matchAll(/<table\b[\s\S]*?<\/table>/g)].map(([table]) =>
    [...table.matchAll(/(<region\b[^>]*>)([\s\S]*?)<\/region>/g)].flatMap(([, region, body]) => {
      const [rows, columns] = [numberIn(region!, "row-increment") ?? 0, numberIn(region!, "col-increment") ?? 0];
      return [...body!.matchAll(/(<cell\b[^>]*>)([\s\S]*?)<\/cell>/g)].map(([, cell, within]): Cell => {
        const [row, column] = [numberIn(cell!, "start-row")!, numberIn(cell!, "start-col")!];
        const text = [...within!.matchAll(/<content>([\s\S]*?)<\/content>/g)]
          .map(([, content]) => plain(content!))
          .join(" ");
        const [lastRow, lastColumn] = [numberIn(cell!, "end-row") ?? row, numberIn(cell!, "end-col") ?? column];
        return [row + rows, lastRow + rows, column + columns, lastColumn + columns, text];
      });
    }),
  );
  return pooled(tables.map(listRelations));
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "", lt: "", gt: "", quot: "", apos: "" };

function plain(text: string): string {
  return text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, "$1")
    .replace(/&#(x?)([0-9a-f]+);/gi, (_, hex: string, code: string) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    )
    .replace(/&(\w+);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

const normalized = (text: string): string => text.toLowerCase().replace(/[^0-9a-z]/g, "");

function listRelations(all: readonly Cell[]): Relations {
  const cells = all.filter(([, , , , text]) => normalized(text) !== "");
  const grid = new Map<string, Cell>();
  for (const cell of cells)
    for (let row = cell[0]; row <= cell[1]; row += 1)
      for (let column = cell[2]; column <= cell[3]; column += 1) grid.set(`${row} ${column}`, cell);
  const rows = Math.max(0, ...cells.map(([, last]) => last));
  const columns = Math.max(0, ...cells.map(([, , , last]) => last));
  const digits = new Map<string, number>();
  for (const cell of cells) {
    const visitedCells = new Set<Cell>();
    const add = (from: readonly [number, number], step: 0 | 1, most: number): void => {
      const position: [number, number] = [...from];
      while (position[step] <= most && !grid.has(position.join(" "))) position[step] += 1;
      const neighbor = grid.get(position.join(" "));
      if (position[step] > most || !neighbor || visitedCells.has(neighbor)) return;
      visitedCells.add(neighbor);
      const key = `${normalized(cell[4])} ${normalized(neighbor[4])} ${step}`;
      digits.set(key, (digits.get(key) ?? 0) + 1);
    };
    for (let row = cell[0]; row <= cell[1]; row += 1) add([row, cell[3] + 1], 1, columns);
    visitedCells.clear();
    for (let column = cell[2]; column <= cell[3]; column += 1) add([cell[1] + 1, column], 0, rows);
  }
  return digits;
}

function pooled(relationsList: readonly Relations[]): Relations {
  const sum = new Map<string, number>();
  for (const relations of relationsList)
    for (const [key, count] of relations) sum.set(key, (sum.get(key) ?? 0) + count);
  return sum;
}

export interface Score {
  precision: number;
  recall: number;
}

export function computeScore(got: Relations, want: Relations): Score {
  const count = (relations: Relations): number => [...relations.values()].reduce((sum, count) => sum + count, 0);
  const hits = [...got].reduce((sum, [key, count]) => sum + Math.min(count, want.get(key) ?? 0), 0);
  return { precision: hits / Math.max(1, count(got)), recall: hits / Math.max(1, count(want)) };
}

/** Macro: of the means over documents. */
export function computeF1(scores: readonly Score[]): number {
  const mean = (field: keyof Score): number =>
    scores.reduce((sum, score) => sum + score[field], 0) / Math.max(1, scores.length);
  const [precision, recall] = [mean("precision"), mean("recall")];
  return (2 * precision * recall) / Math.max(1e-9, precision + recall);
}
