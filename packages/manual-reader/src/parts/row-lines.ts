import type { FoundPart } from "../findings.ts";
import { boxAt, type Line } from "../text/lines.ts";
import { readDescription, readQuantity, readReference } from "./cells.ts";
import { ANY_FAMILY } from "./families.ts";
import { isDesignator, isOtherKind } from "./other-kinds.ts";
import { findShape, isTelling, mayBeGrouped } from "./shapes.ts";

/** A line of a list, as `12 691035 Gasket, carburetor 2`. */
export interface RowLine extends Pick<FoundPart, "reference" | "quantity" | "description"> {
  number: string;
  /** Offset in the line. */
  start: number;
}

const LONGEST_DESCRIPTION = 60;
const LONGEST_LINE = 120;
/** Rows of a known family, and of an unknown shape, that are a list. */
const FEWEST = 2;
const FEWEST_UNKNOWN = 4;

/** A number of any shape: groups of digits and capitals. */
const ANY_NUMBER =
  /(?<![0-9A-Za-z]|[0-9A-Za-z][-./,])(?=[0-9A-Z./-]*\d)[0-9A-Z]+(?:[-./][0-9A-Z]+)*(?: (?=[0-9A-Z]*\d)[0-9A-Z]{2,4}(?= ))*(?![0-9A-Za-z]|[-./,](?=[0-9A-Za-z]))/g;

/** Lines that each say a reference, number, name or quantity in the same order, as those of a list do. */
export function findRowLines(lines: readonly Line[]): [Line, RowLine][] {
  const familyLines = lines.flatMap((line): [Line, RowLine][] => withRow(line, findNumber(line.text, ANY_FAMILY)));
  const isRow = new Set(familyLines.map(([line]) => line));
  const unknown = lines
    .filter((line) => !isRow.has(line))
    .flatMap((line): [Line, RowLine][] => withRow(line, findNumber(line.text, ANY_NUMBER)));
  const alike = [...Map.groupBy(unknown, ([, { number }]) => findShape(number)).values()]
    .filter((same) => same.length >= FEWEST_UNKNOWN)
    .flat();
  const rows = [...(familyLines.length >= FEWEST ? familyLines : []), ...alike];
  const order = new Map(lines.map((line, index) => [line, index]));
  const sorted = rows.sort(([first], [second]) => (order.get(first) ?? 0) - (order.get(second) ?? 0));
  return addSecondLines(lines, sorted);
}

/** Times the height of a line: between the lines of one name; of a letter, for two names that begin alike. */
const NEXT_LINE = 0.8;
const ALIGNED = 1.5;

/** Adds the second line of names that have one, which stands under the first between two rows. */
function addSecondLines(lines: readonly Line[], rows: readonly [Line, RowLine][]): [Line, RowLine][] {
  return rows.map(([line, row], n) => {
    const place = lines.indexOf(line);
    const [below, afterBelow] = [lines[place + 1], lines[place + 2]];
    const nextRow = rows[n + 1]?.[0];
    const measureGap = (upper: Line, lower: Line): number => lower.box.y - upper.box.y - upper.box.height;
    const isSecond =
      below !== undefined &&
      nextRow !== undefined &&
      afterBelow === nextRow &&
      below.segments.length === 1 &&
      Math.abs(below.box.x - findNameStart(line, row)) < ALIGNED * line.fontSize &&
      measureGap(line, below) < NEXT_LINE * line.box.height &&
      measureGap(line, below) <= measureGap(below, nextRow) + line.box.height / 2;
    if (!isSecond || !isName(below.text)) return [line, row];
    return [line, { ...row, description: `${row.description} ${readDescription(below.text)}` }];
  });
}

function findNameStart(line: Line, { number, start, description = "" }: RowLine): number {
  const [first = ""] = description.split(" ");
  const indexBehind = line.text.indexOf(first, start + number.length);
  const place = indexBehind === -1 ? line.text.indexOf(first) : indexBehind;
  return boxAt(line, place, place + 1).x;
}

function withRow(line: Line, number: RegExpExecArray | undefined): [Line, RowLine][] {
  const row = number && parseRow(line.text, number);
  return row ? [[line, row]] : [];
}

function findNumber(text: string, pattern: RegExp): RegExpExecArray | undefined {
  if (text.length > LONGEST_LINE) return undefined;
  const numbers = [...text.matchAll(pattern)];
  return pattern === ANY_FAMILY
    ? numbers[0]
    : numbers.find(
        ([number]) => isTelling(number) && mayBeGrouped(number) && !isDesignator(number) && !isOtherKind(number),
      );
}

/** Number, name and counts; or reference, name, number and counts. */
function parseRow(text: string, { 0: number, index: start }: RegExpExecArray): RowLine | undefined {
  const leading = text.slice(0, start).trim();
  const after = text.slice(start + number.length).trim();
  const [, words = "", counts = ""] = /^(.*?)((?:\s+(?:\(?\d{1,3}\)?|A\/?R))*)$/i.exec(after) ?? [];
  const [, lead = leading, count = ""] = /^(\S+)\s+(\d{1,3})$/.exec(leading) ?? [];
  const reference = readReference(lead);
  const facts = { number, start, reference, quantity: findAgreedQuantity(`${count} ${counts}`) };
  // Two columns of a page.
  if ([...after.matchAll(ANY_NUMBER)].some(([next]) => findShape(next) === findShape(number))) return undefined;
  if (leading === "" || reference !== undefined) {
    const isCounted = reference !== undefined || counts !== "";
    // Behind a gap stand remarks, or the next column of the page.
    const [name = ""] = words.split(/ {2,}/);
    return isCounted && isName(name) ? { ...facts, description: readDescription(name) } : undefined;
  }
  // The name stands before the number, in a column of its own.
  const [, label = "", name = ""] = /^(?:(\S{1,6})\s+)?(\D.*)$/.exec(leading) ?? [];
  const isColumn = /\s{2}$/.test(text.slice(0, start)) && /^(?:\(?\d{1,3}\)?|A\/?R)?$/i.test(after);
  const ownReference = readReference(label);
  // Lines of contents end in the name of a page.
  if (!isColumn || after === "" || !isName(ownReference ? name : leading)) return undefined;
  const description = readDescription(ownReference ? name : leading);
  return { number, start, reference: ownReference, quantity: readQuantity(after), description };
}

/** Codes alone, `MDV2200/2`, are no name. */
const HAS_WORD = /(?<![\p{L}\d/-])\p{L}{2,}(?![\p{L}\d/-]*\d)/u;

function isName(words: string): boolean {
  const description = readDescription(words);
  return (
    description !== undefined &&
    HAS_WORD.test(description) &&
    description.length <= LONGEST_DESCRIPTION &&
    !/^\p{Ll}|[.!?]$/u.test(description)
  );
}

/** What all counts of a row say: it may have one for each model. */
function findAgreedQuantity(counts: string): number | undefined {
  const distinct = new Set(counts.trim().split(/\s+/).map(readQuantity));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}
