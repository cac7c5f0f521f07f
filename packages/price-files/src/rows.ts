import type { Columns, FileForm, FileRow } from "./columns.ts";
import { readCsvRows } from "./csv.ts";
import { readLines } from "./lines.ts";
import { readNdjsonRows } from "./ndjson.ts";
import { readXlsxRows } from "./xlsx.ts";

export type FileFormat = "csv" | "ndjson" | "xlsx";

interface RowOptions {
  columns: Columns;
  /** Of CSV and NDJSON; found in the file unless given. */
  charset?: string | undefined;
  /** Gets how the file was understood. */
  form: FileForm;
}

/** Reads the rows of a file in batches, by the columns that they were found to be. @throws FileRefusal */
export function readRows(
  format: FileFormat,
  file: AsyncIterable<Uint8Array | string>,
  { columns, charset, form }: RowOptions,
): AsyncIterable<FileRow[]> {
  if (format === "xlsx") return readXlsxRows(file, columns, form);
  const lines = readLines(file, charset, (encoding) => {
    form.encoding = encoding;
  });
  return (format === "csv" ? readCsvRows : readNdjsonRows)(lines, columns, form);
}
