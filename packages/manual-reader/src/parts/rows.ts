import { normalizePartNumber } from "@partline/parts-language";
import type { FoundPart, Table } from "../findings.ts";
import { type Box, toBox, getMiddle, uniteBoxes } from "../page.ts";
import { readDescription, isCode, isCutCode, readMarks, splitNumbers, readQuantity, readReference } from "./cells.ts";
import { getColumn, type Columns } from "./columns.ts";
import { type Evidence, type FamilyName, findFamily } from "./families.ts";
import { findRole } from "./headers.ts";
import { DOCUMENT_LABEL } from "./labels.ts";
import { type Carried, findLayout } from "./layout.ts";
import { commonQuantity, countByNumber, nameMarks, readQuantities } from "./model-columns.ts";
import { partOfRow, scan, type Surroundings } from "./scan.ts";
import { findShape, isTelling } from "./shapes.ts";
import { supersessionsIn } from "./supersession.ts";

/** A number with a footnote's mark. */
export interface Marked {
  mark: string;
  pnNorm: string;
}

interface TableReading {
  columns: Columns[];
  parts: FoundPart[];
  marked: Marked[];
  /** The last part of each list; its description may go on below the table. */
  last: FoundPart[];
}

/** None if the table lists no parts. */
export function readRows(table: Table, page: number, surroundings: Surroundings, carried?: Carried): TableReading {
  const { columns, body, from, headings, was } = findLayout(table, carried);
  const reading: TableReading = { columns, parts: [], marked: [], last: [] };
  for (const list of columns) {
    let last: FoundPart | undefined;
    let heading: Heading | undefined;
    let beginning = "";
    let shapes: ReadonlySet<string> | undefined;
    const isAlike = (number: string): boolean => {
      shapes ??= new Set(getColumn(body, list.partNumber).flatMap((cell) => splitNumbers(cell).map(findShape)));
      return shapes.has(findShape(number));
    };
    const getBox = (index: number, column: number | undefined): Box | null | undefined =>
      column === undefined ? undefined : table.boxes[index + from]?.[was[column] ?? column];
    /**
     * Whether a name stands nearer to the number of the row below than to that of the row above: it is bottom-aligned.
     */
    const isBeginning = (index: number): boolean => {
      const name = getBox(index, list.description);
      const next = getBox(index + 1, list.partNumber);
      if (!name || !next) return false;
      const nextName = getBox(index + 1, list.description);
      if (nextName && isCentred(next, [name, nextName])) return true;
      const above = getBox(index - 1, list.partNumber) ?? getBox(index - 1, list.description);
      const distance = getMiddle(next) - getMiddle(name);
      return distance < NEXT_LINE * name.height && (!above || distance < NEARER * (getMiddle(name) - getMiddle(above)));
    };
    const listFacts = listsSupersessions(body, list) ? { namedIn: "supersessions" as const } : {};
    for (const [index, row] of body.entries()) {
      const placeAt = (column: number) => ({ page, box: table.boxes[index + from]?.[was[column]!] ?? toBox(table) });
      const rowParts = readRow({ row, list, isAlike, headings, surroundings, placeAt });
      const newHeading = readHeading(row, list);
      if (newHeading || (list.reference !== undefined && row[list.reference])) heading = newHeading;
      const above = last;
      const ownParts = rowParts.own.map((part) => ({
        ...addName(addHeading(addBeginning(part, beginning), heading), list, above),
        ...listFacts,
      }));
      beginning = "";
      const namedParts = rowParts.named.map((part) => ({ ...part, ...listFacts }));
      const numbers = new Set(reading.parts.map(({ pnNorm }) => pnNorm));
      reading.parts.push(...ownParts, ...namedParts.filter(({ pnNorm }) => !numbers.has(pnNorm)));
      const [part] = ownParts;
      if (part) {
        last = part;
        reading.marked.push(...marksOfRow(row, list).map((mark) => ({ mark, pnNorm: part.pnNorm })));
      } else if (!newHeading && continues(row, list) && isBeginning(index)) beginning = joinName(row, list);
      else if (last && !newHeading && continues(row, list))
        last.description = [last.description, joinName(row, list)].filter(Boolean).join(" ");
      else last = undefined;
    }
    if (last) reading.last.push(last);
  }
  return reading;
}

/** Times the height of a name: the lines of one name are no further apart; of the distance from the row above. */
const NEXT_LINE = 1.25;
const NEARER = 0.75;

/** Of the height of a line of a name, between two of them. */
const LEADING = 0.6;

/** Whether a number stands level with the middle of a name whose first line is a row of its own, not with the rest. */
function isCentred(number: Box, [line, rest]: readonly [Box, Box]): boolean {
  const measureDistance = (box: Box): number => Math.abs(getMiddle(number) - getMiddle(box));
  const isNext = rest.y - line.y - line.height < LEADING * line.height;
  return isNext && measureDistance(uniteBoxes([line, rest])) + line.height / 4 < measureDistance(rest);
}

/** Adds the beginning of a part's name, which stands above the row. */
function addBeginning(part: FoundPart, beginning: string): FoundPart {
  const description = readDescription(`${beginning} ${part.description ?? ""}`);
  return beginning === "" || description === undefined ? part : { ...part, description };
}

/** A row that names what the rows below it are kinds of: `(2) Hard drive, SATA:`. */
type Heading = Pick<FoundPart, "description" | "reference">;

function joinName(row: readonly string[], { description, goesOn }: Columns): string {
  if (description === undefined) return "";
  return [description, ...goesOn]
    .map((column) => row[column] ?? "")
    .filter((text) => text !== "")
    .join(" ");
}

/** Reads the heading in a row without number and quantity that has a reference or ends in a colon. */
function readHeading(row: readonly string[], list: Columns): Heading | undefined {
  const text = joinName(row, list);
  const counted = [
    list.partNumber,
    list.quantity,
    ...[...list.models, ...list.marks, ...list.numbers].map(({ column }) => column),
  ];
  if (text === "" || counted.some((column) => column !== undefined && row[column])) return undefined;
  const reference = list.reference === undefined ? undefined : readReference(row[list.reference] ?? "");
  if (reference === undefined && !text.endsWith(":")) return undefined;
  return { reference, description: readDescription(text.replace(/[:;(].*$/, "").replace(/\s+,/g, ",")) };
}

/** Adds the heading's reference and name to a part that has none of its own. */
function addHeading(part: FoundPart, heading: Heading | undefined): FoundPart {
  if (!heading?.description || part.description === undefined) return part;
  const [first = ""] = heading.description.split(/\W/);
  const isNamed = part.description.toLowerCase().startsWith(first.toLowerCase());
  return {
    ...part,
    reference: part.reference ?? heading.reference,
    ...(!isNamed && { description: `${heading.description} ${part.description}` }),
  };
}

/** Adds reference and name of the row above if the list has both and the row neither: its cells are merged. */
function addName(part: FoundPart, list: Columns, above: FoundPart | undefined): FoundPart {
  const isNamed = part.reference !== undefined || part.description !== undefined;
  if (!above || isNamed || !list.isHeaded || list.reference === undefined) return part;
  return { ...part, reference: above.reference, description: above.description };
}

/** Whether it has successors, and neither quantities nor references. */
function listsSupersessions(
  body: readonly (readonly string[])[],
  { partNumber, replacement, reference, quantity, models }: Columns,
): boolean {
  if (replacement === undefined || reference !== undefined || quantity !== undefined || models.length > 0) return false;
  return body.every((row) => !row[partNumber] || row[replacement] !== "");
}

function marksOfRow(row: readonly string[], list: Columns): string[] {
  return [list.partNumber, list.description, list.reference].flatMap((column) =>
    column === undefined ? [] : readMarks(row[column] ?? ""),
  );
}

/** Whether the row only continues a description. */
function continues(row: readonly string[], list: Columns): boolean {
  if (list.description === undefined || !row[list.description]) return false;
  return [
    list.partNumber,
    list.reference,
    list.quantity,
    ...[...list.models, ...list.marks, ...list.numbers].map(({ column }) => column),
  ].every((column) => column === undefined || !row[column]);
}

interface RowOfTable {
  row: readonly string[];
  list: Columns;
  /** Whether it is spelled as the list's numbers. */
  isAlike(number: string): boolean;
  headings: readonly string[];
  surroundings: Surroundings;
  /** Of a cell, else of the table. */
  placeAt(column: number): Pick<FoundPart, "page" | "box">;
}

type Facts = Pick<FoundPart, "quantity" | "quantities" | "description" | "reference" | "replacedBy">;

/** Parts of a row, and others that it names: successors, predecessors, numbers in notes. */
function readRow(tableRow: RowOfTable): { own: FoundPart[]; named: FoundPart[] } {
  const { row, list } = tableRow;
  const cell = (column: number | undefined): string => (column === undefined ? "" : (row[column] ?? ""));
  const numberCell = cell(list.partNumber);
  // Headers repeat within long tables.
  if (findRole(numberCell) === "partNumber") return { own: [], named: [] };
  const facts = readFacts(cell, list, tableRow.surroundings.legend);
  const { by: successor, column, inCell, old: predecessors } = findReplacements(cell, list);
  const replacing = new Set(inCell.map(normalizePartNumber));
  const ledBy = collectEvidence(list, facts);
  const ownParts = readNumbers(cell, list)
    .filter(({ number }) => !replacing.has(normalizePartNumber(number)))
    // Of a drawing's title block: `DWG NO PS20030`.
    .filter(({ number }) => !DOCUMENT_LABEL.test(numberCell.slice(0, numberCell.indexOf(number))))
    .flatMap(({ number, quantities = facts.quantities }) =>
      buildPart(tableRow, number, list.partNumber, ledBy, {
        ...facts,
        quantities,
        ...(successor && normalizePartNumber(successor) !== normalizePartNumber(number) && { replacedBy: successor }),
      }),
    );
  const { quantity: _, quantities: __, ...successorFacts } = facts;
  const namedParts: FoundPart[] = [];
  if (successor && (ownParts.length > 0 || replacing.size > 0))
    namedParts.push(
      ...buildPart(tableRow, successor, column, [...ledBy, "replacement"], successorFacts, "replaced-by"),
    );
  for (const { partNumber: replacedBy } of ownParts.slice(0, 1)) {
    const noted = list.description ?? list.partNumber;
    for (const old of predecessors)
      namedParts.push(...buildPart(tableRow, old, noted, ["partRow", "replacement"], { replacedBy }, "replaced-by"));
  }
  const numbers = new Set([...ownParts, ...namedParts].map(({ pnNorm }) => pnNorm));
  return {
    own: ownParts,
    named: [
      ...namedParts,
      ...[...listMentions(tableRow, cell), ...listBracketed(tableRow, cell)].filter(
        ({ pnNorm }) => !numbers.has(pnNorm),
      ),
    ],
  };
}

type NumberOfRow = Pick<FoundPart, "quantities"> & { number: string };

/** Its numbers, each once; of several models, with the models that have it. */
function readNumbers(
  cell: (column: number | undefined) => string,
  { partNumber, shapes, hasWords, hasShortCodes, numbers, quantity }: Columns,
): NumberOfRow[] {
  const numberCell = cell(partNumber);
  const isPart = (number: string): boolean =>
    findFamily(number) !== undefined ||
    shapes?.has(findShape(number)) === true ||
    (!hasWords && isTelling(number) && numberCell.includes(`${number} `));
  if (shapes && isCutCode(numberCell) && !splitNumbers(numberCell).some(isPart)) return [{ number: numberCell }];
  if (hasShortCodes && isCode(numberCell)) return [{ number: numberCell }];
  if (numbers.length === 0) return splitNumbers(numberCell).map((number): NumberOfRow => ({ number }));
  const numbersByColumn = new Map(numbers.map(({ column }) => [column, splitNumbers(cell(column))]));
  const distinct = new Map([...numbersByColumn.values()].flat().map((number) => [normalizePartNumber(number), number]));
  return [...distinct].map(([pnNorm, number]): NumberOfRow => {
    const hasNumber = (column: number): boolean =>
      numbersByColumn.get(column)?.some((cell) => normalizePartNumber(cell) === pnNorm) ?? false;
    return { number, quantities: countByNumber(numbers, hasNumber, readQuantity(cell(quantity))) };
  });
}

function readFacts(
  cell: (column: number | undefined) => string,
  list: Columns,
  legend: Surroundings["legend"] = new Map(),
): Facts {
  const description = readDescription([list.description ?? list.measure, ...list.goesOn].map(cell).join(" "));
  const rowQuantity =
    list.counts.length > 0 ? findAgreedQuantity(list.counts.map(cell)) : readQuantity(cell(list.quantity));
  const models = list.marks.length > 0 ? nameMarks(list.marks, legend) : list.models;
  const quantities = readQuantities(models, cell, rowQuantity);
  const quantity = quantities && list.marks.length === 0 ? commonQuantity(quantities) : rowQuantity;
  return { quantity, quantities, description, reference: readReference(cell(list.reference)) };
}

/** The quantity that all filled cells say. */
function findAgreedQuantity(cells: readonly string[]): number | undefined {
  const distinct = new Set(cells.filter((cell) => cell !== "").map(readQuantity));
  return distinct.size === 1 ? [...distinct][0] : undefined;
}

function collectEvidence(list: Columns, { quantity, quantities, description, reference }: Facts): Evidence[] {
  const isCounted = quantity !== undefined || quantities !== undefined || reference !== undefined;
  return [
    ...(list.isHeaded ? (["partColumn"] as const) : isCounted ? (["partColumnByContent"] as const) : []),
    ...(isCounted && description !== undefined ? (["partRow"] as const) : []),
  ];
}

/** By its columns and notes. */
function findReplacements(
  cell: (column: number | undefined) => string,
  list: Columns,
): { by?: string; column: number; inCell: string[]; old: string[] } {
  const inCell = supersessionsIn(cell(list.partNumber)).flatMap(({ next }) => (next ? [next.number] : []));
  const inColumn = splitNumbers(cell(list.replacement))[0];
  const noted = notedIn(list).flatMap((column) =>
    supersessionsIn(cell(column)).map((supersession) => ({ ...supersession, column })),
  );
  const note = noted.find(({ old, next }) => next && !old);
  return {
    by: inCell[0] ?? inColumn ?? note?.next?.number,
    column: inCell[0] ? list.partNumber : inColumn ? list.replacement! : (note?.column ?? list.partNumber),
    inCell,
    old: noted.flatMap(({ old, next }) => (old && !next ? [old.number] : [])),
  };
}

function notedIn({ description, notes }: Columns): number[] {
  return description === undefined ? notes : [description, ...notes];
}

function buildPart(
  { placeAt, surroundings }: RowOfTable,
  number: string,
  column: number,
  evidence: readonly Evidence[],
  facts: Facts,
  led: FamilyName = "column",
): FoundPart[] {
  return partOfRow(number, evidence, led, surroundings.vendor, { ...placeAt(column), ...facts });
}

/** Of a number that a label or sign names; others are parts if they are spelled as those of the list. */
const CERTAIN = 0.9;

/** A type, and its number in brackets: `R2J10165 (353.10165-00)`, which may be a column of its own. */
const BRACKETED = /([^()]*)\(([^()]+)\)/g;

/** Parts of a row beside its own, whose numbers stand in brackets and are spelled as the list's are. */
function listBracketed(tableRow: RowOfTable, cell: (column: number) => string): FoundPart[] {
  const { list, isAlike } = tableRow;
  return list.notes.flatMap((column) => {
    const bracketed = [...cell(column).matchAll(BRACKETED)];
    const leftCell = list.notes.includes(column - 1) ? cell(column - 1) : "";
    // Two rows that were taken for one.
    const types = bracketed.length > 1 && leftCell.split(" ").length === bracketed.length ? leftCell.split(" ") : [];
    return bracketed.flatMap(([, type = "", number = ""], n) => {
      const isNumber = isTelling(number) && isAlike(number) && splitNumbers(number).join() === number;
      const description = readDescription(type.trim() || (types[n] ?? leftCell));
      return isNumber ? buildPart(tableRow, number, column, ["partColumn"], { description }) : [];
    });
  });
}

function listMentions(
  { list, isAlike, headings, surroundings, placeAt }: RowOfTable,
  cell: (column: number) => string,
): FoundPart[] {
  return notedIn(list).flatMap((column) => {
    const context = column === list.description ? surroundings : { ...surroundings, heading: headings[column] ?? "" };
    return scan(cell(column), context)
      .filter(({ part }) => part.confidence >= CERTAIN || part.replacedBy || isAlike(part.partNumber))
      .map(({ part }) => ({ ...part, ...placeAt(column) }));
  });
}
