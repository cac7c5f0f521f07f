import { normalizePartNumber } from "@partline/parts-language";
import type { FoundPart, Table } from "../findings.ts";
import { type Box, holds, toBox } from "../page.ts";
import type { Block } from "../text/blocks.ts";
import { boxAt, type Line, filterWords, toPassage } from "../text/lines.ts";
import type { View } from "../text/directions.ts";
import { nameBeside, readHeadLine } from "./beside.ts";
import { LIST_BETWEEN, PART_LABEL } from "./labels.ts";
import { readDescription, splitNumbers } from "./cells.ts";
import { findCarriedColumns } from "./continued.ts";
import { findRole } from "./headers.ts";
import { type Carried, findLayout } from "./layout.ts";
import { isOtherKind } from "./other-kinds.ts";
import { findRowLines, type RowLine } from "./row-lines.ts";
import { type Marked, readRows } from "./rows.ts";
import { type Candidate, partOfRow, findPossible, scan, type Surroundings } from "./scan.ts";
import { isTelling } from "./shapes.ts";
import { supersessionsIn } from "./supersession.ts";

/** Points. */
const INDENT = 8;

/** All part numbers of a page, without figures, and those that are some if the document's lists have the like. */
export function partsOfPage(
  number: number,
  tables: readonly Table[],
  views: readonly View[],
  surroundings: Surroundings,
): { parts: FoundPart[]; possible: FoundPart[] } {
  const carriedColumns: (Carried["columns"] | undefined)[] = [];
  const readings = tables.map((table, index) => {
    const above = tables[index - 1];
    const carried = above && findCarriedColumns(table, above, carriedColumns[index - 1] ?? findLayout(above).columns);
    carriedColumns.push(carried?.columns);
    const reading = readRows(table, number, surroundings, carried);
    if (findLayout(table).isOther || !isPoor(table, reading.parts.length)) return { ...reading, isInLines: false };
    const { rows, toPage } = findLinesOfTable(index, views);
    return rows.length > BETTER * reading.parts.length
      ? { ...reading, parts: readLines(rows, number, surroundings, toPage), marked: [], last: [], isInLines: true }
      : { ...reading, isInLines: false };
  });
  const free = views.map((view) => {
    const isFree = (word: Box): boolean => !view.tables.some((table) => holds(table, word));
    return { view, blocks: view.blocks.map((block) => filterWords(block, isFree)) };
  });
  const listed = new Set<Line>();
  for (const { view, blocks } of free)
    for (const [index, { last, columns, parts: listParts }] of readings.entries()) {
      const table = view.tables[index];
      if (!table) continue;
      continueLast(last, table, blocks, listed);
      if (columns.some(({ measure }) => measure !== undefined)) nameByHeading(listParts, table, blocks);
      const list = tables[index];
      if (
        list &&
        columns.length === 0 &&
        listParts.length === 0 &&
        findRole(findHeading(table, blocks)) === "partNumber"
      )
        listParts.push(...readNamedColumns(list, number, surroundings));
    }
  const parts = readings.flatMap((reading) => reading.parts);
  const passages = free.flatMap(({ view: { toPage }, blocks }) =>
    blocks.map((block) => ({ lines: block.filter((line) => !listed.has(line)), toPage })),
  );
  const possible: FoundPart[] = [];
  for (const { lines, toPage } of passages) {
    if (lines.length === 0) continue;
    parts.push(...readLines(findRowLines(lines), number, surroundings, toPage));
    const passage = toPassage(lines);
    const candidates = scan(passage.text, surroundings);
    const names = namesBeside(passage.text, candidates);
    const placePart = ({ start, end, part }: Candidate, name: string | undefined): FoundPart => {
      const place = { page: number, box: toPage(passage.boxAt(start, end)) };
      const head = readHeadAbove(passage.text, { start, end });
      return { ...part, ...place, namedIn: "text", ...(name && { description: name }), ...head };
    };
    parts.push(...candidates.map((candidate, index) => placePart(candidate, names[index])));
    const unlabelled = findPossible(passage.text, surroundings, candidates);
    const namesOfUnlabelled = namesBeside(passage.text, unlabelled);
    possible.push(...unlabelled.map((candidate, index) => placePart(candidate, namesOfUnlabelled[index])));
  }
  for (const [index, table] of tables.entries())
    if (readings[index]?.parts.length === 0 && !readings[index].isInLines) {
      parts.push(...partsOfOtherTable(table, number, surroundings));
      possible.push(...findPossibleInTable(table, number, surroundings));
    }
  const marked = readings.flatMap((reading) => reading.marked);
  const texts = passages.flatMap(({ lines }) => lines.map(({ text }) => text));
  return { parts: applyFootnotes(parts, marked, texts), possible };
}

/** Least share of a table's rows that have a part; characters of a cell into which rows flowed. */
const LEAST_READ = 0.5;
const LONGEST_CELL = 160;

/** Whether a table may be a list whose rows its cells are not. */
function isPoor({ rows }: Table, parts: number): boolean {
  return parts < LEAST_READ * rows.length || rows.some((row) => row.some(({ length }) => length > LONGEST_CELL));
}

/** Times the parts of a table's cells, that its lines must say to be read instead. */
const BETTER = 1.5;
/** Lines of a table that are read as rows. */
const FEWEST_ROWS = 4;

/** The lines of a table that read as rows of a list, regardless of its cells. */
function findLinesOfTable(index: number, views: readonly View[]) {
  const readings = views.map(({ blocks, tables, toPage }) => {
    const box = tables[index];
    const lines = box ? filterWords(blocks.flat(), (word) => holds(box, word)) : [];
    return { rows: lines.length < FEWEST_ROWS ? [] : findRowLines(lines), toPage };
  });
  const best = readings.reduce((first, second) => (second.rows.length > first.rows.length ? second : first));
  return best.rows.length < FEWEST_ROWS ? { ...best, rows: [] } : best;
}

function readLines(
  rows: readonly [Line, RowLine][],
  page: number,
  { models, vendor }: Surroundings,
  toPage: View["toPage"],
): FoundPart[] {
  return rows.flatMap(([line, { number, start, ...facts }]) => {
    if (models.has(normalizePartNumber(number))) return [];
    const place = { page, box: toPage(boxAt(line, start, start + number.length)) };
    return partOfRow(number, ["partRow"], "label", vendor, { ...place, ...facts });
  });
}

/** The line right below a table may continue its last description. */
function continueLast(last: readonly FoundPart[], table: Box, blocks: readonly Block[], listed: Set<Line>): void {
  const bottom = table.y + table.height;
  for (const line of blocks.flat()) {
    const gap = line.box.y - bottom;
    const isNext =
      gap > -0.5 * line.box.height &&
      gap < 0.6 * line.box.height &&
      line.segments.length === 1 &&
      line.box.x > table.x + INDENT;
    const end = last.find(({ description = "" }) => /[,-]$/.test(description));
    if (!isNext || !end || holds(table, line.box)) continue;
    end.description = `${end.description} ${line.text}`;
    listed.add(line);
    return;
  }
}

/** Times its height, that a heading may stand above its list. */
const HEADING_ABOVE = 2;

/** Names the parts of a list of numbers and measures, `Order No.` and `Length`, by the line above it. */
function nameByHeading(parts: readonly FoundPart[], table: Box, blocks: readonly Block[]): void {
  const name = readDescription(findHeading(table, blocks));
  if (name !== undefined && name.length <= LONGEST_HEADING)
    for (const part of parts) part.description = [name, part.description].filter(Boolean).join(", ");
}

const LONGEST_HEADING = 90;

/** Returns the line right above a table, without its colon, or nothing. */
function findHeading(table: Box, blocks: readonly Block[]): string {
  const heading = blocks.flat().findLast(({ box, segments }) => {
    const gap = table.y - box.y - box.height;
    return segments.length === 1 && gap > -box.height && gap < HEADING_ABOVE * box.height;
  });
  return heading?.text.replace(/[:.]+$/, "") ?? "";
}

/** Least share of the cells of a column that are one number each. */
const LEAST_NUMBERS = 0.8;

/**
 * Parts in the columns of a table whose heading says that it has their numbers, `Order No. of filters`: headers name
 * them.
 */
function readNamedColumns(table: Table, page: number, { models, vendor }: Surroundings): FoundPart[] {
  const [headers = [], ...body] = table.rows;
  return headers.flatMap((header, column) => {
    const rows = body.map((row) => splitNumbers(row[column] ?? "").filter((number) => isTelling(number)));
    const filled = body.filter((row) => row[column] !== "").length;
    const isNumbered = rows.filter(({ length }) => length === 1).length >= LEAST_NUMBERS * filled;
    const description = readDescription(header.replace(/[:.]+$/, ""));
    if (!isNumbered || description === undefined || findRole(header) !== undefined) return [];
    return rows.flatMap(([number], n) => {
      if (number === undefined || isOtherKind(number) || models.has(normalizePartNumber(number))) return [];
      const box = table.boxes[n + 1]?.[column] ?? toBox(table);
      return partOfRow(number, ["partColumn"], "column", vendor, { page, box, description });
    });
  });
}

/** Names beside numbers; a successor, or the next of a list, shares the name. */
function namesBeside(text: string, candidates: readonly Candidate[]): (string | undefined)[] {
  const names: (string | undefined)[] = [];
  for (const [index, { start, end, part }] of candidates.entries()) {
    const previous = candidates[index - 1];
    const from = text.lastIndexOf("\n", start - 1) + 1;
    const isSameLine = previous !== undefined && previous.start >= from;
    const until = text.indexOf("\n", end);
    // The label of a number may end the line above it.
    const above = text.lastIndexOf("\n", from - 2) + 1;
    const isParted =
      !isSameLine && from > 0 && text.slice(from, start).trim() === "" && PART_LABEL.test(text.slice(above, from));
    const line = {
      before: text.slice(isSameLine ? previous.end : isParted ? above : from, start),
      after: text.slice(end, until === -1 ? undefined : until),
    };
    const isSameThing =
      isSameLine &&
      (LIST_BETWEEN.test(line.before) || isReplaced(previous.part, part) || isReplaced(part, previous.part));
    names.push(isSameThing ? names[index - 1] : nameBeside(line));
  }
  return names;
}

/** Facts of the line above that of a number, if this line has a label besides and nothing else. */
function readHeadAbove(text: string, { start, end }: Pick<Candidate, "start" | "end">) {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const until = text.indexOf("\n", end);
  const line = text.slice(from, until === -1 ? undefined : until);
  const above = text.slice(text.lastIndexOf("\n", from - 2) + 1, Math.max(0, from - 1));
  return readHeadLine(line, above, text.slice(start, end));
}

function isReplaced({ replacedBy = "" }: Candidate["part"], successor: Candidate["part"]): boolean {
  return normalizePartNumber(replacedBy) === successor.pnNorm;
}

/** Parts in a table of other things, whose rows are read as lines. */
function partsOfOtherTable(table: Table, page: number, surroundings: Surroundings): FoundPart[] {
  const { body, from, headings, was } = findLayout(table);
  return body.flatMap((row, index) =>
    row.flatMap((cell, column) => {
      const leftCell = row.slice(0, column).findLast((cell) => cell !== "");
      const lead = leftCell ? `${leftCell}  ` : "";
      const above = body[index - 1]?.filter((aboveCell) => aboveCell !== "").join("  ") ?? "";
      return scan(lead + cell, { ...surroundings, heading: headings[column] })
        .filter(({ start }) => start >= lead.length)
        .map(({ part, start, end }) => ({
          ...part,
          page,
          box: table.boxes[index + from]?.[was[column]!] ?? table,
          namedIn: "text" as const,
          ...readHeadLine(lead + cell, above, (lead + cell).slice(start, end)),
        }));
    }),
  );
}

/**
 * Numbers in a table of other things, a row of which is read as a line, that are parts if the document lists the like.
 */
function findPossibleInTable(table: Table, page: number, surroundings: Surroundings): FoundPart[] {
  return table.rows.flatMap((row, index) => {
    const text = row.filter((cell) => cell !== "").join("  ");
    const possible = findPossible(text, surroundings, scan(text, surroundings));
    const names = namesBeside(text, possible);
    return possible.map(({ start, end, part }, n): FoundPart => {
      const column = row.findIndex((cell) => cell.includes(text.slice(start, end)));
      const name = names[n];
      const box = table.boxes[index]?.[column] ?? toBox(table);
      return { ...part, page, box, namedIn: "text", ...(name && { description: name }) };
    });
  });
}

/** A footnote that names a successor applies to the rows with its mark (`*`, `†`, `(1)`). */
function applyFootnotes(parts: readonly FoundPart[], marked: readonly Marked[], lines: readonly string[]): FoundPart[] {
  const replaced = new Map<string, string>();
  for (const line of lines) {
    const mark = /^\s*(\*+|[\u2020\u2021\u00a7]+|\((?:\d|[a-z])\))/.exec(line)?.[1];
    const successor = supersessionsIn(line).find(({ old, next }) => next && !old)?.next?.number;
    if (successor) for (const entry of marked) if (entry.mark === mark) replaced.set(entry.pnNorm, successor);
  }
  return parts.map((part) => {
    const successor = replaced.get(part.pnNorm);
    return successor && part.replacedBy === undefined ? { ...part, replacedBy: successor } : part;
  });
}
