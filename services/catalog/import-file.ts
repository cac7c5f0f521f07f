import { DatabaseSync } from "node:sqlite";
import { finished, PassThrough, type Readable } from "node:stream";
import type { Infer } from "@partline/api-contracts";
import { limitToMessage } from "../../broker/contract/message.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { streamBody, brokenOff } from "../../mixins/http/request-body.ts";
import {
  type Columns,
  createFileForm,
  type Fields,
  type FileChoice,
  type FileForm,
  type FileFormat,
  type FileRow,
  listColumnNotes,
  MOST_XLSX_BYTES,
  readCharset,
  readRows,
  refuseFile,
  Remark,
} from "@partline/price-files";
import { createRemark, presentNotes, toCallerError, toReason } from "./remarks.ts";
import type { importReportRule, KeptCount, layoutRule } from "./resources.ts";

export type FileReport = Omit<Infer<typeof importReportRule>, "supersessionCycles">;

export interface FileContent<T extends object> {
  columns: Columns;
  /** What the person who sends the file says of it. */
  choice?: FileChoice;
  /** Returns an item, or why the row is refused. */
  read(fields: Fields, form: FileForm): T | Remark;
  /** Items of one key repeat each other: all but the first are refused. */
  keyOf(item: T): string;
  /** Says what a row repeats. */
  repeats: "part_repeated" | "reference_repeated";
  /** Items that are written at once. */
  bulk?: number;
  write(items: T[]): Promise<{
    written: number;
    unchanged: number;
    keptCounts?: readonly KeptCount[];
    /** Numbers of parts whose price is gone though their row is right. */
    unpriced?: readonly string[];
    /** Items that cannot be written, and why. */
    refused?: readonly { item: T; remark: Remark }[];
  }>;
  /** Returns how an item was read, by column, for the first rows of a report. */
  describe?(item: T): Record<string, string>;
  /** Lists the brands that the rows name. */
  listBrands?(): NonNullable<FileReport["brands"]>;
}

/** Called with what was read so far, at last when the file breaks off. */
export type OnProgress = (soFar: FileReport) => Promise<void>;

const BULK = 250;
const MAX_REFUSED_LISTED = 10_000;
const MOST_KEPT_LISTED = 100;
const MOST_UNPRICED_NAMED = 10;
/** Leaves room for the rest of a report in a message of NATS (1 MiB by default). */
const REFUSED_BYTES = 768 * 1024;

export const NOTHING_READ: FileReport = { read: 0, written: 0, unchanged: 0, refused: [], refusedTotal: 0 };

/**
 * Writes the items of a file in bulks; those written stay if the file breaks off. A repeated item is refused after its
 * first row. @throws FileRefusal for an unusable header
 */
export async function importFile<T extends object>(
  {
    columns,
    choice,
    read: readItem,
    keyOf,
    repeats,
    bulk: bulkSize = BULK,
    write,
    describe,
    listBrands,
  }: FileContent<T>,
  format: FileFormat,
  file: AsyncIterable<Uint8Array | string>,
  charset?: string,
  onProgress: OnProgress = async () => undefined,
): Promise<FileReport> {
  const report = { ...NOTHING_READ, refused: [...NOTHING_READ.refused] };
  const form = createFileForm(choice);
  const samples: Sample[] = [];
  const firstLines = openFirstLines();
  let bulk: T[] = [];
  const listedCounts: KeptCount[] = [];
  let keptCountsTotal = 0;
  const unpricedParts: string[] = [];
  let unpricedTotal = 0;

  const findRefusal = (row: FileRow): Remark | undefined => {
    const item = "refusal" in row ? row.refusal : readItem(row.fields, form);
    if (item instanceof Remark) return item;
    const firstLine = firstLines.note(keyOf(item), row.line);
    if (firstLine !== undefined) return createRemark(repeats, { line: firstLine });
    bulk.push(item);
    if (describe && "fields" in row && samples.length < SAMPLES)
      samples.push({ line: row.line, values: { ...(row.fields as Record<string, string>), ...describe(item) } });
    return undefined;
  };
  const refuse = (line: number, refusal: Remark): void => {
    report.refusedTotal += 1;
    if (report.refused.length < MAX_REFUSED_LISTED) report.refused.push({ line, ...toReason(refusal) });
  };
  const take = (row: FileRow): void => {
    report.read += 1;
    const refusal = findRefusal(row);
    if (refusal !== undefined) refuse(row.line, refusal);
  };
  const flush = async (): Promise<void> => {
    if (bulk.length === 0) return;
    const { written, unchanged, keptCounts = [], unpriced = [], refused = [] } = await write(bulk);
    for (const { item, remark } of refused) refuse(firstLines.find(keyOf(item)), remark);
    listedCounts.push(...keptCounts.slice(0, MOST_KEPT_LISTED - listedCounts.length));
    keptCountsTotal += keptCounts.length;
    unpricedParts.push(...unpriced.slice(0, MOST_UNPRICED_NAMED - unpricedParts.length));
    unpricedTotal += unpriced.length;
    report.written += written;
    report.unchanged += unchanged;
    bulk = [];
  };
  const finishReport = (): FileReport => {
    const notes = [
      ...listColumnNotes(columns, form),
      ...(keptCountsTotal > 0 ? [createRemark("counts_kept", { parts: keptCountsTotal })] : []),
      ...(unpricedTotal > 0
        ? [createRemark("prices_gone", { count: unpricedTotal, parts: unpricedParts.join(", ") })]
        : []),
    ];
    const brands = listBrands?.() ?? [];
    return {
      ...report,
      ...(brands.length > 0 && { brands }),
      ...(keptCountsTotal > 0 && { keptCounts: listedCounts }),
      refused: limitToMessage(report.refused, REFUSED_BYTES),
      ...(notes.length > 0 && presentNotes(notes)),
      ...(describe && form.layout && { layout: presentLayout(form, samples) }),
    };
  };

  try {
    for await (const rows of readRows(format, file, { columns, charset, form })) {
      for (const row of rows) {
        take(row);
        if (bulk.length === bulkSize) await flush();
      }
      await onProgress(report);
    }
    await flush();
    return finishReport();
  } catch (error) {
    // Of both failures the first is the reason.
    await onProgress(finishReport()).catch(() => undefined);
    throw error;
  } finally {
    firstLines.close();
  }
}

type Layout = Infer<typeof layoutRule>;
type Sample = Layout["samples"][number];
/** Rows that a report shows as they were read. */
const SAMPLES = 3;

function presentLayout({ choice, layout, encoding, decimalSigns, currency }: FileForm, samples: Sample[]): Layout {
  return {
    ...layout,
    headerLine: layout?.headerLine ?? null,
    columns: layout?.columns ?? [],
    encoding: layout?.sheet === undefined ? (encoding ?? "utf-8") : undefined,
    mapping: choice.mapping,
    decimalSign: decimalSigns.list_price ?? null,
    currency: currency ?? null,
    samples,
  };
}

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const FORMATS = {
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/x-ndjson": "ndjson",
  [XLSX]: "xlsx",
} as const satisfies Record<string, FileFormat>;

/**
 * Imports the body of a request.
 * @throws UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED, PAYLOAD_TOO_LARGE, TIMEOUT
 */
export async function importBody<T extends object>(
  content: FileContent<T>,
  contentType: string,
  file: Readable | undefined,
  mostBytes: number,
  onProgress?: OnProgress,
): Promise<FileReport> {
  try {
    const mediaType = contentType.split(";")[0]!.trim().toLowerCase();
    if (!Object.hasOwn(FORMATS, mediaType))
      throw refuseFile("UNSUPPORTED_MEDIA_TYPE", createRemark("file_type_unknown"), "Content-Type");
    if (!file) throw new PartlineError("VALIDATION_FAILED", "The body must be the file");
    const format = FORMATS[mediaType as keyof typeof FORMATS];
    const most = format === "xlsx" ? Math.min(mostBytes, MOST_XLSX_BYTES) : mostBytes;
    return await importFile(content, format, limitBytes(file, most), readCharset(contentType), onProgress);
  } catch (error) {
    throw toCallerError(error);
  }
}

/** Bytes of a body that are read ahead of its rows: a client that has sent all may leave, and the import goes on. */
const READ_AHEAD_BYTES = 8_000_000;

/** @throws PAYLOAD_TOO_LARGE; what broke the body off, once all that came of it was read */
async function* limitBytes(file: Readable, mostBytes: number): AsyncGenerator<Uint8Array, void> {
  const buffer = new PassThrough({ highWaterMark: READ_AHEAD_BYTES });
  let failure: Error | null | undefined;
  finished(file, (error) => {
    failure = error;
    buffer.end();
  });
  file.pipe(buffer);
  let bytes = 0;
  for await (const chunk of streamBody(buffer)) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw refuseFile("PAYLOAD_TOO_LARGE", createRemark("file_too_large", { bytes: mostBytes }));
    yield chunk;
  }
  if (failure) throw brokenOff(failure);
}

/** KiB; the rest is on disk. */
const CACHE_KIB = 4_096;

/**
 * First line of each number, in a temporary database on disk, so that files of millions of rows take no more memory
 * than small ones.
 */
function openFirstLines() {
  // SQLite deletes a database without a name when it is closed.
  const database = new DatabaseSync("");
  database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};
    CREATE TABLE first_line (number TEXT PRIMARY KEY, line INTEGER NOT NULL) WITHOUT ROWID; BEGIN`);
  const insert = database.prepare("INSERT OR IGNORE INTO first_line VALUES (?, ?)");
  const select = database.prepare("SELECT line FROM first_line WHERE number = ?");
  const find = (number: string): number => Number(select.get(number)?.line);
  return {
    /** Returns the line that had the number before; undefined for the first. */
    note: (number: string, line: number): number | undefined =>
      insert.run(number, line).changes > 0 ? undefined : find(number),
    find,
    close: () => database.close(),
  };
}
