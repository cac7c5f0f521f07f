import { priceRows, type PriceRow } from "../../../sandbox/src/catalog/price-files.ts";
import type { IndexDocument } from "../../../parts-search/src/search-index/index-document.ts";
import { mergeContent, toCatalogPart, toDocument } from "../../../../services/catalog/part.ts";
import { readPartRow } from "../../../../services/catalog/part-row.ts";
import { Remark } from "../../../price-files/src/remarks.ts";
import { DEFAULT_VENDORS } from "../../../../services/catalog/vendors.ts";
import { toIndexDocument } from "../../../../services/search/index-document.ts";

const IMPORTED_AT = new Date("2026-01-01T00:00:00Z");

/**
 * What the search index holds of a row of a vendor's price file, once it is imported. @throws Error when the import
 * refuses it
 */
export function indexDocument(vendorCode: string, row: PriceRow): IndexDocument {
  const vendor = DEFAULT_VENDORS.getByCode(vendorCode);
  const news = readPartRow({ ...row }, () => undefined);
  if (news instanceof Remark) throw new Error(`The part ${row.part_number} of ${vendorCode} is refused: ${news.text}`);
  return toIndexDocument(
    toCatalogPart(
      toDocument(vendor, mergeContent(vendor, news), { source: "price_file", now: IMPORTED_AT, revision: 1 }),
      vendor,
    ),
  );
}

/**
 * The order in which the judged queries were drawn from the catalog (relevance/judged-queries.ts): another draws
 * others.
 */
const SUPPLIERS = ["BNS", "KOH", "HON", "KAW", "AGC", "NHL", "VNT", "WDS", "LAN", "RAV", "KUH"];

/** The sandbox catalog, the same in every run. */
export function sandboxDocuments(): IndexDocument[] {
  return SUPPLIERS.flatMap((vendor) =>
    priceRows(vendor, "http://images.invalid").map((row) => indexDocument(vendor, row)),
  );
}
