import { normalizePartNumber } from "@partline/parts-language";
import { type FoundPart, isOfRow, type PageFindings, type Table } from "../findings.ts";
import { holds } from "../page.ts";
import { type Carried, layoutOf } from "./layout.ts";
import { readRows } from "./rows.ts";
import type { Surroundings } from "./scan.ts";

/** Reads a page's first table without headers with the columns of the list that ends the page before. */
export function continueTables(pages: readonly PageFindings[], known: Surroundings): PageFindings[] {
  let before: (Carried & { page: number }) | undefined;
  return pages.map((page) => {
    const first = page.tables.toSorted((a, b) => a.y - b.y)[0];
    const carried = before?.page === page.page - 1 ? before : undefined;
    const isContinued =
      first !== undefined &&
      carried?.width === widthOf(first) &&
      !layoutOf(first).columns.some(({ isHeaded }) => isHeaded);
    const read = isContinued
      ? {
          ...page,
          parts: [...page.parts.filter(({ box }) => !holds(first, box)), ...rereadParts(first, page, known, carried)],
        }
      : page;
    const last = page.tables.toSorted((a, b) => b.y + b.height - a.y - a.height)[0];
    const own = last && (isContinued && last === first ? carried.columns : layoutOf(last).columns);
    before = last && own && own.length > 0 ? { page: page.page, columns: own, width: widthOf(last) } : undefined;
    return read;
  });
}

function rereadParts(table: Table, { page, parts }: PageFindings, known: Surroundings, carried: Carried): FoundPart[] {
  const figures = new Map(parts.map(({ pnNorm, figure }) => [pnNorm, figure]));
  return readRows(table, page, known, carried).parts.map((part) => {
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
