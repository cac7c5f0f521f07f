import { normalizePartNumber } from "../../../../mixins/part-number.ts";
import type { FoundPart, Table } from "../findings.ts";
import type { Box } from "../page.ts";
import { plain } from "../text/lines.ts";
import { descriptionOf, marksOf, numbersOf, quantityOf, referenceOf } from "./cells.ts";
import { columnOf, columnsByContent, columnsByHeader, roleOf, type Columns } from "./columns.ts";
import { confidenceOf, LEAST_CONFIDENCE, type Evidence } from "./confidence.ts";
import { familyOf, LED_FAMILIES, type FamilyName } from "./families.ts";
import { scan, vendorOf, type Surroundings } from "./scan.ts";
import { supersessionsIn } from "./supersession.ts";

export interface TableReading {
  columns: Columns[];
  parts: FoundPart[];
  /** Marks of footnotes, each with the numbers of its rows. */
  marked: Map<string, string[]>;
}

type Row = readonly string[];

/** Which columns a table of parts has: as its headers say, else as those before it did (`carried`), else as its content does. None when it lists no parts. */
export function columnsOf(table: Pick<Table, "rows" | "headerRows">, carried?: Carried): { columns: Columns[]; body: Row[]; from: number } {
  const rows = table.rows.map((row) => row.map((cell) => plain(cell).trim()));
  const headed = columnsByHeader(rows);
  if (headed) return { ...headed, body: rows.slice(headed.from) };
  if (carried && carried.width === (rows[0]?.length ?? 0)) return { columns: carried.columns, body: rows, from: 0 };
  const from = rows.length > table.headerRows ? table.headerRows : 0;
  const body = rows.slice(from);
  // Headers that name other things say that this is no list of parts.
  const isOther = rows.slice(0, from).flat().some((header) => roleOf(header) === "other");
  return { columns: isOther ? [] : columnsByContent(body), body, from };
}

/** The columns of the page before. */
export interface Carried {
  columns: Columns[];
  width: number;
}

/** Parts of a table's rows; none when it lists no parts. */
export function readRows(table: Table, page: number, surroundings: Surroundings, carried?: Carried): TableReading {
  const { columns, body, from } = columnsOf(table, carried);
  const reading: TableReading = { columns, parts: [], marked: new Map() };
  for (const list of columns) {
    let last: FoundPart | undefined;
    for (const [index, row] of body.entries()) {
      const boxes = table.boxes[index + from] ?? [];
      const found = readRow(row, boxes, list, { table, page, surroundings, reading });
      if (found.length > 0) last = found[0];
      else if (last && continues(row, list)) last.description = [last.description, descriptionOf(row[list.description!]!)].filter(Boolean).join(" ");
      else if (isHeading(row, list)) last = undefined;
    }
  }
  return reading;
}

/** A row that only goes on with the description of the row before. */
function continues(row: Row, list: Columns): boolean {
  if (list.description === undefined || !row[list.description]) return false;
  return [list.partNumber, list.reference, list.quantity].every((column) => column === undefined || !row[column]);
}

function isHeading(row: Row, list: Columns): boolean {
  return row[list.partNumber] === "" && row.some((cell) => cell !== "");
}

interface At {
  table: Table;
  page: number;
  surroundings: Surroundings;
  reading: TableReading;
}

function readRow(row: Row, boxes: readonly (Box | null)[], list: Columns, { table, page, surroundings, reading }: At): FoundPart[] {
  const cell = (column: number | undefined): string => (column === undefined ? "" : row[column] ?? "");
  const own = cell(list.partNumber);
  if (roleOf(own) === "partNumber") return [];
  const notes = [own, cell(list.description), ...list.notes.map(cell)];
  const description = descriptionOf(cell(list.description));
  const quantity = quantityOf(cell(list.quantity));
  const reference = referenceOf(cell(list.reference));
  const inCell = supersessionsIn(own).flatMap(({ old, next }) => (next ? [{ old: old?.number, next: next.number }] : []));
  const replacements = new Set(inCell.map(({ next }) => normalizePartNumber(next)));
  const numbers = numbersOf(own).filter((number) => !replacements.has(normalizePartNumber(number)));
  const isRow = description !== undefined && (quantity !== undefined || reference !== undefined);
  const ledBy: Evidence[] = list.isHeaded ? ["partColumn"] : reference !== undefined || quantity !== undefined ? ["partColumnByContent"] : [];
  const add = (number: string, column: number, evidence: Evidence[], more: Partial<FoundPart>, led: FamilyName = LED_FAMILIES.column): FoundPart[] => {
    const fit = familyOf(number);
    const confidence = confidenceOf(fit?.base ?? 0.3, [...evidence, ...(/[A-Z]/.test(number) ? (["lettersAndDigits"] as const) : [])]);
    const partNumber = /^CT-[A-Z]{3}-/.test(number) ? number.slice(7) : number;
    if (confidence < LEAST_CONFIDENCE) return [];
    const part: FoundPart = {
      partNumber, pnNorm: normalizePartNumber(partNumber), pattern: fit?.family ?? led, confidence, ...vendorOf(number, fit, surroundings.vendor),
      page, box: boxes[column] ?? boxOf(table), ...more,
    };
    reading.parts.push(part);
    return [part];
  };
  const facts = { ...(quantity !== undefined && { quantity }), ...(description && { description }), ...(reference && { reference }) };
  const inColumn = numbersOf(cell(list.replacement))[0];
  const noted = notes.slice(1).flatMap((note) => supersessionsIn(note));
  const takenOver = inCell[0]?.next ?? inColumn ?? noted.find(({ old, next }) => next && !old)?.next?.number;
  const parts = numbers.flatMap((number) => add(number, list.partNumber, [...ledBy, ...(isRow ? (["partRow"] as const) : [])], {
    ...facts, ...(takenOver && normalizePartNumber(takenOver) !== normalizePartNumber(number) && { replacedBy: takenOver }),
  }));
  if (takenOver && (parts.length > 0 || inCell.length > 0)) {
    const column = inColumn === takenOver ? list.replacement! : list.partNumber;
    add(takenOver, column, [...ledBy, "replacement"], description ? { description, ...(reference && { reference }) } : {}, LED_FAMILIES.replacedBy);
  }
  // "Replaces 690111": the row's own number is the new one.
  for (const { old, next } of noted) {
    if (old && !next && parts[0]) add(old.number, list.description ?? list.partNumber, ["partRow", "replacement"], { replacedBy: parts[0].partNumber }, LED_FAMILIES.replacedBy);
  }
  const known = new Set(reading.parts.map(({ pnNorm }) => pnNorm));
  for (const column of [list.description, ...list.notes]) {
    if (column === undefined) continue;
    for (const { number, pattern, confidence, vendor, replacedBy } of scan(cell(column), { ...surroundings, ...(column !== list.description && { heading: headingOf(table, column) }) })) {
      if (known.has(normalizePartNumber(number))) continue;
      reading.parts.push({ partNumber: number, pnNorm: normalizePartNumber(number), pattern, confidence, ...(vendor && { vendor }), page, box: boxes[column] ?? boxOf(table), ...(replacedBy && { replacedBy }) });
    }
  }
  if (parts.length > 0) for (const mark of new Set([own, cell(list.description), cell(list.reference)].flatMap(marksOf))) reading.marked.set(mark, [...(reading.marked.get(mark) ?? []), parts[0]!.pnNorm]);
  return parts;
}

export function headingOf(table: Pick<Table, "rows" | "headerRows">, column: number): string {
  return columnOf(table.rows.slice(0, table.headerRows), column).map(plain).join(" ");
}

function boxOf({ x, y, width, height }: Table): Box {
  return { x, y, width, height };
}

