import { normalizePartNumber } from "../../mixins/part-number.ts";
import type { FileContent } from "./import-file.ts";
import type { PartNews } from "./part-news.ts";
import type { PartWriter } from "./part-writer.ts";
import { type Column, PART_COLUMNS, readPartRow } from "./price-file/part-row.ts";
import { DEFAULT_VENDORS, type Vendor } from "./vendors.ts";

/** The parts of a vendor's price file. @param vendors as components name them @param writer or what compares alone */
export function priceFile(
  { write }: { write: PartWriter["compare"] },
  vendor: Vendor,
  vendors = DEFAULT_VENDORS,
): FileContent<Column, PartNews> {
  const componentVendor = (name: string | undefined) => (name === undefined ? vendor : vendors.find(name))?.code;
  return {
    columns: PART_COLUMNS,
    read: (fields) => {
      const { news, reason } = readPartRow(fields, componentVendor);
      return reason === undefined ? { item: news } : { reason };
    },
    keyOf: ({ partNumber }) => normalizePartNumber(partNumber),
    repeats: "The column 'part_number' repeats the part",
    write: (news) => write(vendor, news, "price_file"),
  };
}
