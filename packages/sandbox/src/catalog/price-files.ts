import { parse } from "csv-parse/sync";
import { readSampleText, sampleNames } from "../samples.ts";
import { type Reply, type Routes, createJsonReply } from "../server/http-server.ts";

/** A row of a price file, as the supplier's clerk typed it. */
export interface PriceRow {
  part_number: string;
  title: string;
  description: string;
  category: string;
  list_price: string;
  currency: string;
  status: string;
  image_url: string;
  superseded_by: string;
  weight?: string;
}

/** Codes of the vendors whose price files the sandbox has. */
export const SUPPLIERS: readonly string[] = sampleNames("price-files").map((name) => name.replace(/\.csv$/, ""));

/** The price file (CSV) of one of SUPPLIERS. `imageUrlBase` is where the media service serves images. */
export const priceFile = (vendor: string, imageUrlBase?: string): string =>
  readSampleText(`price-files/${vendor}.csv`, imageUrlBase);

export const priceRows = (vendor: string, imageUrlBase?: string): PriceRow[] =>
  parse<PriceRow>(priceFile(vendor, imageUrlBase), { columns: true });

/** How many parts each supplier of a price file has, with an example. */
export const supplierRoutes: Routes = {
  "GET /": listSuppliers,
  "GET /suppliers": listSuppliers,
};

function listSuppliers(): Reply {
  return createJsonReply(200, {
    suppliers: SUPPLIERS.map((vendor) => {
      const rows = priceRows(vendor);
      return { vendor, parts: rows.length, example: rows[0]?.part_number };
    }),
  });
}
