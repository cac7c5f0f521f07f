import { normalizePartNumber } from "@partline/parts-language";
import { type FoundPart, isOfRow, type PageFindings, type Table } from "../findings.ts";
import { holds } from "../page.ts";
import { plain } from "../text/lines.ts";
import { splitNumbers } from "./cells.ts";
import { getColumn } from "./columns.ts";
import { type Carried, findLayout } from "./layout.ts";
import { listEdges } from "../models/manual-text.ts";
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
      carried?.width === countColumns(first) &&
      !findLayout(first).columns.some(({ isHeaded }) => isHeaded) &&
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
    const lastColumns = last && (isContinued && last === first ? carried.columns : findLayout(last).columns);
    previous =
      last && lastColumns && lastColumns.length > 0
        ? { page: page.page, columns: lastColumns, width: countColumns(last), shapes: findShapes(last, lastColumns) }
        : undefined;
    return reading;
  });
}

/** Points between the tables of one list, which a line or a note parts. */
const NEXT_TABLE = 60;

/**
 * Returns the columns of a list for the table right below it on the page, which has no header of its own: those that
 * stand under them. Undefined if the table is no part of the list.
 */
export function findCarriedColumns(table: Table, above: Table, columns: Carried["columns"]): Carried | undefined {
  const [list, second] = columns;
  const gap = table.y - above.y - above.height;
  if (!list?.isHeaded || second || gap < 0 || gap > NEXT_TABLE || findLayout(table).columns.some(isHeadedList))
    return undefined;
  if ([list.models, list.marks, list.numbers].some(({ length }) => length > 0)) return undefined;
  const { was } = findLayout(above);
  const findBelow = (column: number | undefined): number | undefined =>
    column === undefined ? undefined : findColumnUnder(table, getSpan(above, was[column] ?? column));
  const partNumber = findBelow(list.partNumber);
  if (partNumber === undefined) return undefined;
  const [description, reference, quantity] = [list.description, list.reference, list.quantity].map(findBelow);
  const carried: Carried = {
    width: countColumns(table),
    columns: [{ ...list, partNumber, description, reference, quantity, goesOn: [], counts: [], notes: [] }],
  };
  return isContinuation(table, { ...carried, shapes: new Set() }) ? carried : undefined;
}

const isHeadedList = ({ isHeaded }: Carried["columns"][number]): boolean => isHeaded;

/** Left and right edge of a column's cells. */
type Span = readonly [from: number, to: number];

function getSpan({ boxes }: Table, column: number): Span {
  const cells = boxes.flatMap((row) => row[column] ?? []);
  return [Math.min(...cells.map(({ x }) => x)), Math.max(...cells.map(({ x, width }) => x + width))];
}

/** Finds the column that shares most of its width with a span. */
function findColumnUnder(table: Table, [from, to]: Span): number | undefined {
  const shared = Array.from({ length: countColumns(table) }, (_, column) => {
    const [left, right] = getSpan(table, column);
    return Math.min(right, to) - Math.max(left, from);
  });
  const most = Math.max(0, ...shared);
  return most > 0 ? shared.indexOf(most) : undefined;
}

interface Continued extends Carried {
  /** Shapes of the list's numbers. */
  shapes: ReadonlySet<string>;
}

/** Least share of a number column's cells that have numbers of the list. */
const LEAST_ALIKE = 0.6;
/** Least share of a cell's letters and digits that its numbers make up. */
const WHOLE = 0.8;

/** Whether the table has no header of its own, and numbers in the list's number columns, where it has no names. */
function isContinuation(table: Table, { columns, shapes }: Continued): boolean {
  const hasNumber = (cell: string): boolean => {
    const numbers = splitNumbers(plain(cell));
    const countLetters = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, "").length;
    return (
      numbers.some((number) => shapes.has(findShape(number))) ||
      countLetters(numbers.join("")) >= WHOLE * countLetters(cell)
    );
  };
  return columns.every(({ partNumber, description }) => {
    const cells = getColumn(table.rows, partNumber);
    const isHeaded = getColumn(table.rows.slice(0, table.headerRows), partNumber).some((cell) => !hasNumber(cell));
    const names = description === undefined ? [] : getColumn(table.rows, description);
    const isElsewhere = names.length > 0 && names.filter(hasNumber).length >= LEAST_ALIKE * names.length;
    return !isHeaded && !isElsewhere && cells.filter(hasNumber).length >= LEAST_ALIKE * cells.length;
  });
}

function findShapes({ rows }: Table, columns: Carried["columns"]): ReadonlySet<string> {
  return new Set(
    columns.flatMap(({ partNumber }) =>
      getColumn(rows, partNumber).flatMap((cell) => splitNumbers(plain(cell)).map(findShape)),
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

function countColumns({ rows }: Table): number {
  return rows[0]?.length ?? 0;
}

/** Pages, and share of them. */
const FEWEST_PAGES = 4;
/** Pages of a manual that has a cover. */
const LONG = 10;
const SHARE = 0.5;

/**
 * Removes numbers at the same place, or the edge, of most pages: the manual's, a form's, a telephone; and those without
 * a name that the cover alone has: the manual's own order number.
 */
export function withoutRunning(pages: readonly PageFindings[]): PageFindings[] {
  const alone = pages.flatMap(({ parts }) => parts.filter((part) => !isOfRow(part)));
  const isMost = (count: number): boolean => count >= Math.max(FEWEST_PAGES, SHARE * pages.length);
  const edges = pages.map(({ text }) => ` ${listEdges(text).join(" ").replace(/\s+/g, " ")} `);
  const running = [...Map.groupBy(alone, ({ pnNorm, box }) => `${pnNorm} ${Math.round(box.y / 4)}`).values()]
    .filter((same) => {
      const [number = ""] = same.map(({ partNumber }) => partNumber);
      return (
        isMost(new Set(same.map(({ page }) => page)).size) ||
        isMost(edges.filter((words) => words.includes(` ${number} `)).length)
      );
    })
    .flat();
  const inside = new Set(pages.slice(1).flatMap(({ parts }) => parts.map(({ pnNorm }) => pnNorm)));
  const isOfCover = ({ page, pnNorm, description }: FoundPart): boolean =>
    page === 1 && pages.length >= LONG && description === undefined && !inside.has(pnNorm);
  const removed = new Set([...running, ...alone.filter(isOfCover)]);
  return pages.map((page) => ({ ...page, parts: page.parts.filter((part) => !removed.has(part)) }));
}
