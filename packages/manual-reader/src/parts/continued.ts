import { normalizePartNumber } from "@partline/parts-language";
import { type FoundPart, isOfRow, type PageFindings, type Table } from "../findings.ts";
import { holds } from "../page.ts";
import { plain } from "../text/lines.ts";
import { numbersOf } from "./cells.ts";
import { columnOf } from "./columns.ts";
import { type Carried, layoutOf } from "./layout.ts";
import { readLegend } from "./model-columns.ts";
import { readRows } from "./rows.ts";
import type { Surroundings } from "./scan.ts";
import { findShape } from "./shapes.ts";

/** Reads a page's first table without headers with the columns of the list that ends the page before. */
export function continueTables(pages: readonly PageFindings[], surroundings: Surroundings): PageFindings[] {
  let previous: (Continued & { page: number }) | undefined;
  return pages.map((page) => {
    const first = page.tables.toSorted((a, b) => a.y - b.y)[0];
    const carried = previous?.page === page.page - 1 ? previous : undefined;
    const isContinued =
      first !== undefined &&
      carried?.width === widthOf(first) &&
      !layoutOf(first).columns.some(({ isHeaded }) => isHeaded) &&
      isContinuation(first, carried);
    const reading = isContinued
      ? {
          ...page,
          parts: [
            ...page.parts.filter(({ box }) => !holds(first, box)),
            ...rereadParts(first, page, surroundings, carried),
          ],
        }
      : page;
    const last = page.tables.toSorted((a, b) => b.y + b.height - a.y - a.height)[0];
    const lastColumns = last && (isContinued && last === first ? carried.columns : layoutOf(last).columns);
    previous =
      last && lastColumns && lastColumns.length > 0
        ? { page: page.page, columns: lastColumns, width: widthOf(last), shapes: findShapes(last, lastColumns) }
        : undefined;
    return reading;
  });
}

interface Continued extends Carried {
  /** Of the list's numbers. */
  shapes: ReadonlySet<string>;
}

/** Of the cells of a number column. */
const LEAST_ALIKE = 0.6;
/** Of a cell's characters, without signs. */
const WHOLE = 0.8;

/** Whether the table has no header of its own, and numbers in the list's number columns. */
function isContinuation(table: Table, { columns, shapes }: Continued): boolean {
  const hasNumber = (cell: string): boolean => {
    const numbers = numbersOf(plain(cell));
    const countLetters = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, "").length;
    return (
      numbers.some((number) => shapes.has(findShape(number))) ||
      countLetters(numbers.join("")) >= WHOLE * countLetters(cell)
    );
  };
  return columns.every(({ partNumber }) => {
    const cells = columnOf(table.rows, partNumber);
    const isHeaded = columnOf(table.rows.slice(0, table.headerRows), partNumber).some((cell) => !hasNumber(cell));
    return !isHeaded && cells.filter(hasNumber).length >= LEAST_ALIKE * cells.length;
  });
}

function findShapes({ rows }: Table, columns: Carried["columns"]): ReadonlySet<string> {
  return new Set(
    columns.flatMap(({ partNumber }) =>
      columnOf(rows, partNumber).flatMap((cell) => numbersOf(plain(cell)).map(findShape)),
    ),
  );
}

function rereadParts(
  table: Table,
  { page, parts, text }: PageFindings,
  surroundings: Surroundings,
  carried: Carried,
): FoundPart[] {
  const figures = new Map(parts.map(({ pnNorm, figure }) => [pnNorm, figure]));
  return readRows(table, page, { ...surroundings, legend: readLegend(text) }, carried).parts.map((part) => {
    const figure = figures.get(normalizePartNumber(part.partNumber));
    return figure ? { ...part, figure } : part;
  });
}

function widthOf({ rows }: Table): number {
  return rows[0]?.length ?? 0;
}

/** Pages, and share of them. */
const FEWEST_PAGES = 4;
const SHARE = 0.5;

/** Removes numbers at the same place of most pages: the manual's, a form's, a telephone. */
export function withoutRunning(pages: readonly PageFindings[]): PageFindings[] {
  const alone = pages.flatMap(({ parts }) => parts.filter((part) => !isOfRow(part)));
  const running = new Set(
    [...Map.groupBy(alone, ({ pnNorm, box }) => `${pnNorm} ${Math.round(box.y / 4)}`).values()]
      .filter((same) => new Set(same.map(({ page }) => page)).size >= Math.max(FEWEST_PAGES, SHARE * pages.length))
      .flat(),
  );
  return pages.map((page) => ({ ...page, parts: page.parts.filter((part) => !running.has(part)) }));
}
