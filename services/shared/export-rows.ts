import { encodeCursor, decodeCursor } from "../../broker/contract/cursor.ts";
import type { ExportPage } from "../../broker/contract/export-page.ts";
import { FIRST_MOMENT, LAST_MOMENT, toPeriod } from "../../broker/contract/period.ts";
import type { Rules } from "@partline/api-contracts";
import { formatCsvLine } from "@partline/toolkit/pure";
import type { Collection, Document, Filter } from "@partline/durable";
import { type PartlineError, validationFailed } from "../../mixins/errors.ts";

/**
 * Place of a row among all rows: its time in milliseconds or its collection, its id, and its place in what has that id;
 * in a collection, the time by which it is sorted.
 */
export type Place = readonly [at: number | string, id: string, index?: number];

export interface ExportRow {
  place: Place;
  values: Record<string, unknown>;
}

interface ExportRequest {
  format: "ndjson" | "csv";
  from?: string;
  to?: string;
  /** Cursor of the last row that the client has. */
  cursor?: string;
  /** Position of the previous page's last row, from the gateway. */
  position?: string;
}

/** Size of a page: a message between nodes has at most 1 MB. */
const PAGE_CHARS = 256 * 1_024;

const TYPES = { ndjson: "application/x-ndjson", csv: "text/csv; charset=utf-8; header=present" } as const;

/**
 * Parses the place after which to read on, by a time or by a text; undefined at the start.
 * @throws VALIDATION_FAILED
 */
export function parsePlace({ cursor, position }: ExportRequest, sortKey: "time" | "text"): Place | undefined {
  const text = position ?? cursor;
  const place = text === undefined ? undefined : decodeCursor(text);
  if (place && !isPlace(place, sortKey)) throw createCursorError();
  return place;
}

export function createCursorError(): PartlineError {
  return validationFailed({ field: "cursor", message: "The 'cursor' field must be that of a row." });
}

function isPlace(value: readonly unknown[], sortKey: "time" | "text"): value is Place {
  const [position, id, index, ...more] = value;
  const isTime = (moment: unknown): boolean =>
    Number.isInteger(moment) && Number(moment) >= FIRST_MOMENT && Number(moment) <= LAST_MOMENT;
  const isAt = sortKey === "text" ? typeof position === "string" : isTime(position);
  const isIndex = index === undefined || (sortKey === "text" ? isTime(index) : Number.isInteger(index));
  return isAt && typeof id === "string" && isIndex && more.length === 0;
}

/** Creates the filter of what comes after a place, or from it on `including` it, within the period. */
export function createFilterAfter(
  field: string,
  request: ExportRequest,
  after: Place | undefined,
  including = false,
): Filter {
  const { start, end } = toPeriod(request);
  const last = after === undefined ? undefined : new Date(after[0]);
  const from = last && start && last < start ? start : (last ?? start);
  const within = { ...(from && { $gte: from }), ...(end && { $lt: end }) };
  const later = last && [{ [field]: { $gt: last } }, { _id: { [including ? "$gte" : "$gt"]: after![1] } }];
  return { ...((from || end) && { [field]: within }), ...(later && { $or: later }) };
}

/**
 * Writes as many rows as fit; `ends`: there are none behind them. A client can go on after any row, by its `cursor`.
 */
export function exportPage(
  name: string,
  columns: Rules,
  request: ExportRequest,
  { rows, ends }: { rows: readonly ExportRow[]; ends: boolean },
): ExportPage {
  const { format } = request;
  const paths = format === "csv" ? listColumns(columns) : [];
  const begins = request.cursor === undefined && request.position === undefined;
  let text = format === "csv" && begins ? formatCsvLine([...paths.map((path) => path.join(".")), "cursor"]) : "";
  let last: string | null = null;
  let writtenCount = 0;
  for (const { place, values } of rows) {
    if (writtenCount > 0 && text.length >= PAGE_CHARS) break;
    last = encodeCursor(place);
    text +=
      format === "csv"
        ? formatCsvLine([...paths.map((path) => getValue(values, path)), last])
        : `${JSON.stringify({ ...values, cursor: last })}\n`;
    writtenCount += 1;
  }
  const next = ends && writtenCount === rows.length ? null : last;
  return { type: TYPES[format], name: `${name}.${format}`, text, next };
}

/** Exports documents in the order in which they were made. */
export async function exportByCreation<T extends Document & { createdAt: Date }>(
  collection: Collection<T>,
  request: ExportRequest,
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
  const laterFilter = createFilterAfter("createdAt", request, parsePlace(request, "time"));
  const documents = await collection.find({ ...laterFilter, ...filter }, { sort: { createdAt: 1 }, limit });
  const rows = documents.map((document): ExportRow => ({
    place: [document.createdAt.getTime(), document._id],
    values: view(document),
  }));
  // A page may be short of what was changed while it was read.
  return exportPage(name, columns, request, { rows, ends: documents.length === 0 });
}

/** Lists the columns of fields; an object has those of its own, `contact.email`. */
function listColumns(fields: Rules, within: readonly string[] = []): string[][] {
  return Object.entries(fields).flatMap(([name, rule]) =>
    rule.type === "object" ? listColumns(rule.props, [...within, name]) : [[...within, name]],
  );
}

function getValue(values: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], values);
}
