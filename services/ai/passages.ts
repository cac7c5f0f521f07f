import type { Passage } from "@partline/parts-search";
import { figureKey, type ManualFile, type ManualPage } from "@partline/manual-reader";
import { getAt } from "@partline/toolkit";
import { formatSchemaName } from "./manual-source.ts";

export interface PassageDeps {
  figures: ManualFile["figures"];
  /** Models of the manual. */
  equipment: readonly string[];
  /** Models of each page that is not for all of them. */
  onlyOfPage: ReadonlyMap<number, string[]>;
}

export function toPassages(
  pages: readonly Pick<ManualPage, "page" | "text" | "figure">[],
  { figures, equipment, onlyOfPage }: PassageDeps,
): Passage[] {
  const schemas = new Map(figures.map((figure) => [figureKey(figure), formatSchemaName(figure)]));
  return pages.flatMap(({ page, text, figure }) => {
    const schema = figure === undefined ? undefined : (schemas.get(figure) ?? figure);
    return cutPage(text).map((piece) => ({
      page,
      ...piece,
      schema,
      equipment: [...(onlyOfPage.get(page) ?? equipment)],
    }));
  });
}

/** Returns the text to embed of a passage, with its equipment, diagram and heading. */
export function renderEmbeddingText({ text, schema, heading, equipment }: Passage): string {
  const about = [equipment.join(", "), schema ?? "", heading !== undefined && !text.startsWith(heading) ? heading : ""]
    .filter((part) => part !== "")
    .join(". ");
  return `${about}\n${text}`;
}

/** A piece of a page about one thing, judged by layout. */
export interface Piece {
  text: string;
  /** Heading above it. */
  heading?: string;
}

/** Target and maximum characters of a passage. */
const ENOUGH = 600;
const MOST = 1_000;
/** Minimum characters of a passage that a heading ends. */
const WORTH_ENDING = 250;
/** Maximum characters of a heading, of stacked headings (a list in capitals is none) and of a table's header. */
const LONGEST_HEADING = 90;
const LONGEST_HEADINGS = 300;
const LONGEST_HEADER = 160;
/** Maximum characters of a table row that stays whole. */
const LONGEST_ROW = 2 * MOST;

/** The pipeline separates cells of a line by two spaces or more. */
const APART = / {2,}/;
const HEADER_WORDS =
  /\b(?:ref|item|key|index|no|nos|part|number|description|qty|quantity|req'?d|remarks|notes?|name|model)\b/gi;
const LISTED = /^(?:fig(?:ure)?|section|chapter|table|diagram|schema|plate)\b/i;
const NUMBERED = /^\d{1,2}(?:[.-]\d{1,2}){0,3}[.)]?\s+\p{Lu}/u;

type Line = { kind: "break" } | { kind: "heading" | "header" | "row" | "text"; text: string };

/** Text that is not cut, with the words that it needs around it. */
interface Unit {
  text: string;
  /** Header of the row's columns. */
  header?: string;
  heading?: string;
  /** Begins something new. */
  isStart: boolean;
}

/**
 * Cuts a page's text into passages at headings and paragraphs. A table row stays whole; a passage with rows begins with
 * the header of their columns.
 */
export function cutPage(text: string): Piece[] {
  const pieces: Piece[] = [];
  let units: Unit[] = [];
  let length = 0;
  const close = (): void => {
    if (units.length > 0) pieces.push(toPiece(units));
    units = [];
    length = 0;
  };
  for (const unit of toUnits(parseLines(text))) {
    const isFull =
      length + unit.text.length > MOST ||
      (unit.isStart && length >= WORTH_ENDING) ||
      (length >= ENOUGH && unit.header === undefined);
    if (length > 0 && isFull) close();
    units.push(unit);
    length += unit.text.length + 1;
  }
  close();
  return pieces;
}

function toPiece(units: readonly Unit[]): Piece {
  const lines: string[] = [];
  let header: string | undefined;
  for (const unit of units) {
    if (unit.header !== undefined && unit.header !== header && !unit.text.endsWith(unit.header))
      lines.push(unit.header);
    header = unit.header;
    lines.push(unit.text);
  }
  const heading = units.find((unit) => unit.heading !== undefined)?.heading;
  return { text: lines.join("\n"), heading };
}

function toUnits(lines: readonly Line[]): Unit[] {
  const units: Unit[] = [];
  let heading: string | undefined;
  let header: string | undefined;
  let paragraph: string[] = [];
  /** Headings for the next unit. */
  let leading: string[] = [];
  const add = (text: string, columnHeader?: string): void => {
    units.push({
      text: [...leading, text].join("\n").trim(),
      header: columnHeader,
      heading,
      isStart: leading.length > 0,
    });
    leading = [];
  };
  const endParagraph = (): void => {
    for (const text of split(paragraph.join("\n"), MOST - leading.join("\n").length - 1)) add(text);
    paragraph = [];
  };
  for (const line of lines) {
    if (line.kind === "text") {
      paragraph.push(line.text);
      header = undefined;
      continue;
    }
    endParagraph();
    if (line.kind === "break") continue;
    if (line.kind === "heading") {
      if (leading.join("\n").length > LONGEST_HEADINGS) add("");
      heading = line.text;
      header = undefined;
      leading.push(line.text);
    } else if (line.kind === "header") {
      header = line.text;
      add(line.text, header);
    } else {
      for (const text of split(line.text, LONGEST_ROW)) add(text, header);
    }
  }
  endParagraph();
  if (leading.length > 0) units.push({ text: leading.join("\n"), heading: getAt(leading, -1), isStart: true });
  return units;
}

function parseLines(text: string): Line[] {
  const lines = text.split("\n").map((line) => line.trim());
  return lines.map((line, index): Line => {
    if (line === "") return { kind: "break" };
    if (isHeader(line)) return { kind: "header", text: line };
    if (APART.test(line)) return { kind: "row", text: line };
    return { kind: isHeading(line, lines[index - 1]) ? "heading" : "text", text: line };
  });
}

/** Returns whether a line heads a table: cells without a digit, at least half of them typical header words. */
function isHeader(line: string): boolean {
  const cells = line.split(APART);
  if (cells.length < 2 || line.length > LONGEST_HEADER || /\d/.test(line)) return false;
  return cells.filter((cell) => cell.search(HEADER_WORDS) !== -1).length * 2 >= cells.length;
}

function isHeading(line: string, previousLine: string | undefined): boolean {
  if (line.length > LONGEST_HEADING || /[.,;:!?]$/.test(line) || !/\p{L}{2}/u.test(line)) return false;
  if (LISTED.test(line) || NUMBERED.test(line)) return true;
  const letters = line.match(/\p{L}/gu)!;
  const isLoud = letters.length >= 4 && letters.every((letter) => letter === letter.toUpperCase());
  return (
    isLoud &&
    (previousLine === undefined ||
      previousLine === "" ||
      /[.:!?]$/.test(previousLine) ||
      previousLine === previousLine.toUpperCase())
  );
}

/** Returns pieces of at most `most` characters, cut behind a sentence, a line or a word if possible. */
function split(text: string, most: number): string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > most) {
    const window = rest.slice(0, most);
    const cut =
      [/^[^]*[.!?](?=\s)/u, /^[^]*(?=\n)/u, /^[^]*(?=\s)/u]
        .map((end) => end.exec(window)?.[0].length ?? 0)
        .find((length) => length > most / 3) ?? countWholeCharacters(window);
    pieces.push(rest.slice(0, cut).trim());
    rest = rest.slice(cut).trim();
  }
  if (rest !== "") pieces.push(rest);
  return pieces;
}

/** Returns the length without half of a surrogate pair. */
function countWholeCharacters(text: string): number {
  return /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;
}
