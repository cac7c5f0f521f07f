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

/** Whether a list of parts begins on a page, by the words over its columns, or it has positions that it calls parts. */
export function hasListHeader({ text, tables }: Pick<PageFindings, "text" | "tables">): boolean {
  const lines = text.split("\n");
  return (
    tables.some(isHeaded) || lines.some(isHeader) || (lines.some(isTitle) && countPositions(lines) >= FEWEST_POSITIONS)
  );
}

/** A list without numbers has its title, and more lines of a position and a name than a legend has. */
const TITLE =
  /^(?:\d[\d.]*\s+)?(?:spare )?(?:parts? lists?|parts?|(?:einzel|ersatz)?teile?(?:liste)?|st(?:ü|ue)ckliste|liste des pi(?:è|e)ces(?: d(?:é|e)tach(?:é|e)es)?|pi(?:è|e)ces d(?:é|e)tach(?:é|e)es|(?:lista|elenco) (?:de |delle )?(?:piezas|pe(?:ç|c)as|parti|ricambi|repuestos|recambios)|reservdelar|onderdelenlijst|lista cz(?:ę|e)(?:ś|s)ci)$/iu;
const POSITION = /^(?:\d{1,3}[A-Z]?|[A-Z]\d{1,2})[.)]?\s+\p{Lu}[\p{L}-]{3,}/u;
const FEWEST_POSITIONS = 10;

const isTitle = (line: string): boolean => TITLE.test(line.trim());

/** Counts the different positions in front of names. */
function countPositions(lines: readonly string[]): number {
  return new Set(lines.flatMap((line) => POSITION.exec(line.trim())?.[0].split(/\s/)[0] ?? [])).size;
}

function isHeaded({ rows }: Table): boolean {
  return columnsByHeader(rows) !== undefined;
}

function isHeader(line: string): boolean {
  return line.length <= LONGEST_HEADER && NUMBER_HEADER.test(line) && OTHER_HEADER.test(line);
}
