import { Readable } from "node:stream";
import { priceRows, type PriceRow } from "./price-rows.ts";
import { SUPPLIERS, type Supplier } from "./suppliers.ts";

export interface PriceFile {
  vendor: string;
  /** The CSV file, made as it is read. */
  file: Readable;
}

const COLUMNS = [
  "part_number",
  "title",
  "description",
  "category",
  "list_price",
  "currency",
  "status",
  "image_url",
  "superseded_by",
] as const satisfies readonly (keyof PriceRow)[];

/** The price files of all suppliers of the sandbox. */
export function sandboxPriceFiles(options: { imageUrlBase: string }): PriceFile[] {
  return SUPPLIERS.map((supplier) => ({ vendor: supplier.vendor, file: priceFile(supplier, options.imageUrlBase) }));
}

export function priceFile(supplier: Supplier, imageUrlBase: string): Readable {
  return Readable.from(chunks(supplier, imageUrlBase), { objectMode: false });
}

function* chunks(supplier: Supplier, imageUrlBase: string): Iterable<string> {
  yield `${COLUMNS.join(",")}\r\n`;
  const rows = priceRows(supplier, imageUrlBase);
  for (let start = 0; start < rows.length; start += 200)
    yield rows
      .slice(start, start + 200)
      .map(toCsv)
      .join("");
}

function toCsv(row: PriceRow): string {
  return `${COLUMNS.map((column) => quote(row[column])).join(",")}\r\n`;
}

function quote(value: string): string {
  return /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}
