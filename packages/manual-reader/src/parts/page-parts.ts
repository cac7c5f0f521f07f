import { normalizePartNumber } from "@partline/parts-language";
import type { FoundPart, Table } from "../findings.ts";
import { type Box, holds } from "../page.ts";
import type { Block } from "../text/blocks.ts";
import { boxAt, type Line, linesOf, passageOf } from "../text/lines.ts";
import type { View } from "../text/directions.ts";
import { nameBeside } from "./beside.ts";
import { descriptionOf, quantityOf, referenceOf } from "./cells.ts";
import { ANY_FAMILY } from "./families.ts";
import { LIST_BETWEEN } from "./labels.ts";
import { layoutOf } from "./layout.ts";
import { type Marked, readRows } from "./rows.ts";
import { type Candidate, partOfRow, scan, type Surroundings } from "./scan.ts";
import { supersessionsIn } from "./supersession.ts";

/** Points. */
const INDENT = 8;

/** All part numbers of a page, without figures. */
export function partsOfPage(
  number: number,
  tables: readonly Table[],
  views: readonly View[],
  known: Surroundings,
): FoundPart[] {
  const readings = tables.map((table) => readRows(table, number, known));
  const parts = readings.flatMap((reading) => reading.parts);
  const free = views.map((view) => {
    const isFree = (word: Box): boolean => !view.tables.some((table) => holds(table, word));
    return { view, blocks: view.blocks.map((block) => linesOf(block, isFree)) };
  });
  const listed = new Set<Line>();
  for (const { view, blocks } of free)
    for (const [index, { last }] of readings.entries()) continueLast(last, view.tables[index]!, blocks, listed);
  const told = free.flatMap(({ view: { toPage }, blocks }) =>
    blocks.map((block) => ({ lines: block.filter((line) => !listed.has(line)), toPage })),
  );
  for (const { lines, toPage } of told) {
    if (lines.length === 0) continue;
    for (const [line, { number: partNumber, start, ...facts }] of rowLines(lines)) {
      if (known.models.has(normalizePartNumber(partNumber))) continue;
      const place = { page: number, box: toPage(boxAt(line, start, start + partNumber.length)) };
      parts.push(...partOfRow(partNumber, ["partRow"], "label", known.vendor, { ...place, ...facts }));
    }
    const passage = passageOf(lines);
    const candidates = scan(passage.text, known);
    const names = namesBeside(passage.text, candidates);
    for (const [at, { start, end, part }] of candidates.entries()) {
      const place = { page: number, box: toPage(passage.boxAt(start, end)) };
      parts.push({ ...part, ...place, namedIn: "text", ...(names[at] && { description: names[at] }) });
    }
  }
  for (const [index, table] of tables.entries())
    if (readings[index]!.columns.length === 0) parts.push(...partsOfOtherTable(table, number, known));
  const marked = readings.flatMap((reading) => reading.marked);
  return applyFootnotes(
    parts,
    marked,
    told.flatMap(({ lines }) => lines.map(({ text }) => text)),
  );
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

/** Names beside numbers; a successor, or the next of a list, shares the name. */
function namesBeside(text: string, candidates: readonly Candidate[]): (string | undefined)[] {
  const names: (string | undefined)[] = [];
  for (const [at, { start, end, part }] of candidates.entries()) {
    const previous = candidates[at - 1];
    const from = text.lastIndexOf("\n", start - 1) + 1;
    const isSameLine = previous !== undefined && previous.start >= from;
    const until = text.indexOf("\n", end);
    const line = {
      before: text.slice(isSameLine ? previous.end : from, start),
      after: text.slice(end, until === -1 ? undefined : until),
    };
    const isSameThing =
      isSameLine &&
      (LIST_BETWEEN.test(line.before) || isReplaced(previous.part, part) || isReplaced(part, previous.part));
    names.push(isSameThing ? names[at - 1] : nameBeside(line));
  }
  return names;
}

function isReplaced({ replacedBy = "" }: Candidate["part"], by: Candidate["part"]): boolean {
  return normalizePartNumber(replacedBy) === by.pnNorm;
}

/** Parts in a table of other things, whose rows are read as lines. */
function partsOfOtherTable(table: Table, page: number, surroundings: Surroundings): FoundPart[] {
  const { body, from, headings, was } = layoutOf(table);
  return body.flatMap((row, index) =>
    row.flatMap((cell, column) => {
      const before = row.slice(0, column).findLast((each) => each !== "");
      const lead = before ? `${before}  ` : "";
      return scan(lead + cell, { ...surroundings, heading: headings[column] })
        .filter(({ start }) => start >= lead.length)
        .map(({ part }) => ({
          ...part,
          page,
          box: table.boxes[index + from]?.[was[column]!] ?? table,
          namedIn: "text" as const,
        }));
    }),
  );
}

/** A footnote that names a successor applies to the rows with its mark (`*`, `†`, `(1)`). */
function applyFootnotes(parts: readonly FoundPart[], marked: readonly Marked[], lines: readonly string[]): FoundPart[] {
  const replaced = new Map<string, string>();
  for (const line of lines) {
    const mark = /^\s*(\*+|[\u2020\u2021\u00a7]+|\((?:\d|[a-z])\))/.exec(line)?.[1];
    const by = supersessionsIn(line).find(({ old, next }) => next && !old)?.next?.number;
    if (by) for (const each of marked) if (each.mark === mark) replaced.set(each.pnNorm, by);
  }
  return parts.map((part) => {
    const by = replaced.get(part.pnNorm);
    return by && part.replacedBy === undefined ? { ...part, replacedBy: by } : part;
  });
}

/** A line of a list, as `12 691035 Gasket, carburetor 2`. */
interface RowLine extends Pick<FoundPart, "reference" | "quantity" | "description"> {
  number: string;
  /** In the line. */
  start: number;
}

const LONGEST_DESCRIPTION = 60;
const LONGEST_LINE = 120;

/** A single one is no list. */
function rowLines(lines: readonly Line[]): [Line, RowLine][] {
  const rows = lines.flatMap((line): [Line, RowLine][] => {
    const row = rowOf(line.text);
    return row ? [[line, row]] : [];
  });
  return rows.length >= 2 ? rows : [];
}

function rowOf(text: string): RowLine | undefined {
  const match = text.length <= LONGEST_LINE ? [...text.matchAll(ANY_FAMILY)][0] : undefined;
  if (!match) return undefined;
  const before = text.slice(0, match.index).trim();
  const [, words = "", last = ""] = /^(.*?)(?:\s+(\(?\d{1,3}\)?|A\/?R))?$/i.exec(
    text.slice(match.index + match[0].length).trim(),
  )!;
  const description = descriptionOf(words);
  const reference = referenceOf(before);
  const quantity = quantityOf(last);
  if (
    !description ||
    description.length > LONGEST_DESCRIPTION ||
    /^\p{Ll}|[.!?]$/u.test(description) ||
    (before !== "" && !reference)
  )
    return undefined;
  if (reference === undefined && last === "") return undefined;
  return { number: match[0], start: match.index, description, reference, quantity };
}
