import type { PageFindings, Table } from "../findings.ts";
import { columnsByHeader } from "./columns.ts";

const NUMBER_HEADER = /\b(?:part|item|stock) ?(?:no|number|#)/i;
const OTHER_HEADER = /\b(?:ref|qty|quantity|description)/i;
/** Characters; a longer line is prose. */
const LONGEST_HEADER = 80;
const MOST_PAGES = 10;

/** Says of a manual without parts on which pages a list of parts begins all the same; undefined if there is none. */
export function unreadListsNote(pages: readonly Pick<PageFindings, "page" | "text" | "tables" | "parts">[]) {
  if (pages.some(({ parts }) => parts.length > 0)) return undefined;
  const listPages = pages.filter(hasListHeader);
  if (listPages.length === 0) return undefined;
  const numbers = listPages.slice(0, MOST_PAGES).map(({ page }) => page);
  const more = listPages.length > MOST_PAGES ? ` and ${listPages.length - MOST_PAGES} more` : "";
  return `No part was read, but a list of parts seems to begin on page ${numbers.join(", ")}${more}: check the file`;
}

/** Whether a list of parts begins on a page, by the words over its columns. */
export function hasListHeader({ text, tables }: Pick<PageFindings, "text" | "tables">): boolean {
  return tables.some(isHeaded) || text.split("\n").some(isHeader);
}

function isHeaded({ rows }: Table): boolean {
  return columnsByHeader(rows) !== undefined;
}

function isHeader(line: string): boolean {
  return line.length <= LONGEST_HEADER && NUMBER_HEADER.test(line) && OTHER_HEADER.test(line);
}
