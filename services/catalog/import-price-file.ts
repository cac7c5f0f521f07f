import { DatabaseSync } from "node:sqlite";
import type { Readable } from "node:stream";
import type { Infer } from "../../broker/contract/rules.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import { bodyOf } from "../../mixins/request-body.ts";
import { type catalogContract, MOST_PRICE_FILE_BYTES } from "./contract.ts";
import type { PartNews } from "./part-news.ts";
import type { PartWriter } from "./part-writer.ts";
import { csvRows } from "./price-file/csv.ts";
import { charsetOf, readLines } from "./price-file/lines.ts";
import { ndjsonRows } from "./price-file/ndjson.ts";
import { type FileRow, readPartRow } from "./price-file/part-row.ts";
import type { Vendor } from "./vendors.ts";

export type ImportReport = Infer<(typeof catalogContract)["actions"]["import"]["result"]>;
type PriceFileFormat = "csv" | "ndjson";

const BULK = 250;
const MAX_REFUSED_LISTED = 1_000;

/**
 * Writes the parts of a price file in bulks; those written stay if the file breaks off. A repeated number is refused
 * after its first row. @throws VALIDATION_FAILED for an unusable header
 */
export async function importPriceFile(
  writer: Pick<PartWriter, "write">,
  vendor: Vendor,
  format: PriceFileFormat,
  file: AsyncIterable<Uint8Array | string>,
  charset = "utf-8",
): Promise<ImportReport> {
  const report: ImportReport = { read: 0, written: 0, unchanged: 0, refused: [], refusedTotal: 0 };
  const firstLines = openFirstLines();
  let bulk: PartNews[] = [];

  const refuse = (line: number, reason: string): void => {
    report.refusedTotal += 1;
    if (report.refused.length < MAX_REFUSED_LISTED) report.refused.push({ line, reason });
  };
  const take = (row: FileRow): void => {
    report.read += 1;
    const result = "reason" in row ? row : readPartRow(row.fields);
    if (result.reason !== undefined) {
      refuse(row.line, result.reason);
      return;
    }
    const pnNorm = normalizePartNumber(result.news.partNumber);
    const firstLine = firstLines.note(pnNorm, row.line);
    if (firstLine !== undefined) {
      refuse(row.line, `The column 'part_number' repeats the part of line ${firstLine}`);
      return;
    }
    bulk.push(result.news);
  };
  const flush = async (): Promise<void> => {
    if (bulk.length === 0) return;
    const { written, unchanged } = await writer.write(vendor, bulk, "price_file");
    report.written += written;
    report.unchanged += unchanged;
    bulk = [];
  };

  try {
    const lines = readLines(file, charset);
    for await (const rows of format === "csv" ? csvRows(lines) : ndjsonRows(lines)) {
      for (const row of rows) {
        take(row);
        if (bulk.length === BULK) await flush();
      }
    }
    await flush();
    return report;
  } finally {
    firstLines.close();
  }
}

/**
 * Imports the body of a request.
 * @throws UNSUPPORTED_MEDIA_TYPE, VALIDATION_FAILED, PAYLOAD_TOO_LARGE, TIMEOUT
 */
export async function importStream(
  writer: Pick<PartWriter, "write">,
  vendor: Vendor,
  contentType: string,
  file: Readable | undefined,
  mostBytes = MOST_PRICE_FILE_BYTES,
): Promise<ImportReport> {
  const format = priceFileFormat(contentType);
  if (!format) throw new PartlineError("UNSUPPORTED_MEDIA_TYPE", "Send the file as text/csv or application/x-ndjson");
  if (!file) throw new PartlineError("VALIDATION_FAILED", "The body must be the file");
  return importPriceFile(writer, vendor, format, limited(file, mostBytes), charsetOf(contentType));
}

/** @throws PAYLOAD_TOO_LARGE */
async function* limited(file: Readable, mostBytes: number): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of bodyOf(file)) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new PartlineError("PAYLOAD_TOO_LARGE", `The file is larger than ${mostBytes} bytes`);
    yield chunk;
  }
}

function priceFileFormat(contentType: string): PriceFileFormat | undefined {
  const mediaType = contentType.split(";")[0]!.trim().toLowerCase();
  return ({ "text/csv": "csv", "application/x-ndjson": "ndjson" } as const)[mediaType];
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
  return {
    /** Returns the line that had the number before; undefined for the first. */
    note: (number: string, line: number): number | undefined =>
      insert.run(number, line).changes > 0 ? undefined : (select.get(number)!.line as number),
    close: () => database.close(),
  };
}
