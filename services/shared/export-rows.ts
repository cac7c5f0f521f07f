import { encodeCursor, decodeCursor } from "../../broker/contract/cursor.ts";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import { FIRST_MOMENT, LAST_MOMENT, toPeriod } from "../../broker/contract/period.ts";
import type { Rules } from "../../broker/contract/rules.ts";
import { csvLine } from "../../mixins/shop/csv.ts";
import type { Collection, Document, Filter } from "@partline/durable";
import { type PartlineError, validationFailed } from "../../mixins/errors.ts";

/**
 * Where a row is among all rows: its time in milliseconds or its collection, its id, and its place in what has that id;
 * in a collection, the time by which it is sorted.
 */
export type Place = readonly [at: number | string, id: string, index?: number];

export interface ExportRow {
  place: Place;
  values: Record<string, unknown>;
}

interface Asked {
  format: "ndjson" | "csv";
  from?: string;
  to?: string;
  /** Of the last row that the client has. */
  cursor?: string;
  /** Of the last row of the page before, from the gateway. */
  position?: string;
}

/** Of a page: a message between nodes has at most 1 MB. */
const PAGE_CHARS = 256 * 1_024;

const TYPES = { ndjson: "application/x-ndjson", csv: "text/csv; charset=utf-8; header=present" } as const;

/**
 * The place after which to read on, by a time or by a text; undefined at the start.
 * @throws VALIDATION_FAILED
 */
export function placeAfter({ cursor, position }: Asked, by: "time" | "text"): Place | undefined {
  const text = position ?? cursor;
  const place = text === undefined ? undefined : decodeCursor(text);
  if (place && !isPlace(place, by)) throw badCursor();
  return place;
}

export function badCursor(): PartlineError {
  return validationFailed({ field: "cursor", message: "The 'cursor' field must be that of a row." });
}

function isPlace(value: readonly unknown[], by: "time" | "text"): value is Place {
  const [at, id, index, ...more] = value;
  const isTime = (moment: unknown): boolean =>
    Number.isInteger(moment) && Number(moment) >= FIRST_MOMENT && Number(moment) <= LAST_MOMENT;
  const isAt = by === "text" ? typeof at === "string" : isTime(at);
  const isIndex = index === undefined || (by === "text" ? isTime(index) : Number.isInteger(index));
  return isAt && typeof id === "string" && isIndex && more.length === 0;
}

/** Filters what comes after a place, or from it on `including` it, within the period. */
export function rowsAfter(field: string, asked: Asked, after: Place | undefined, including = false): Filter {
  const { start, end } = toPeriod(asked);
  const last = after === undefined ? undefined : new Date(after[0]);
  const from = last && start && last < start ? start : (last ?? start);
  const within = { ...(from && { $gte: from }), ...(end && { $lt: end }) };
  const behind = last && [{ [field]: { $gt: last } }, { _id: { [including ? "$gte" : "$gt"]: after![1] } }];
  return { ...((from || end) && { [field]: within }), ...(behind && { $or: behind }) };
}

/** Writes as many rows as fit; `ends`: there are none behind them. A client can go on after any row, by its `cursor`. */
export function exportPage(
  name: string,
  columns: Rules,
  asked: Asked,
  { rows, ends }: { rows: readonly ExportRow[]; ends: boolean },
): ExportPage {
  const { format } = asked;
  const paths = format === "csv" ? columnsOf(columns) : [];
  const begins = asked.cursor === undefined && asked.position === undefined;
  let text = format === "csv" && begins ? csvLine([...paths.map((path) => path.join(".")), "cursor"]) : "";
  let last: string | null = null;
  let written = 0;
  for (const { place, values } of rows) {
    if (written > 0 && text.length >= PAGE_CHARS) break;
    last = encodeCursor(place);
    text +=
      format === "csv"
        ? csvLine([...paths.map((path) => valueAt(values, path)), last])
        : `${JSON.stringify({ ...values, cursor: last })}\n`;
    written += 1;
  }
  const next = ends && written === rows.length ? null : last;
  return { type: TYPES[format], name: `${name}.${format}`, text, next };
}

/** Exports documents in the order in which they were made. */
export async function exportMade<T extends Document & { createdAt: Date }>(
  collection: Collection<T>,
  asked: Asked,
  {
    name,
    columns,
    limit,
    view,
    filter,
  }: {
    name: string;
    columns: Rules;
    limit: number;
    view: (document: T) => Record<string, unknown>;
    filter?: Filter;
  },
): Promise<ExportPage> {
  const behind = rowsAfter("createdAt", asked, placeAfter(asked, "time"));
  const found = await collection.find({ ...behind, ...filter }, { sort: { createdAt: 1 }, limit });
  const rows = found.map((document): ExportRow => ({
    place: [document.createdAt.getTime(), document._id],
    values: view(document),
  }));
  // A page may be short of what was changed while it was read.
  return exportPage(name, columns, asked, { rows, ends: found.length === 0 });
}

/** The columns of these fields; those of an object are its own, `contact.email`. */
function columnsOf(fields: Rules, within: readonly string[] = []): string[][] {
  return Object.entries(fields).flatMap(([name, rule]) =>
    rule.type === "object" ? columnsOf(rule.props, [...within, name]) : [[...within, name]],
  );
}

function valueAt(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], values);
}
