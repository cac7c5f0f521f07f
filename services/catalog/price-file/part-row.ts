import { type Cents, HIGHEST_PRICE, toCents } from "../../../mixins/money.ts";
import { normalizePartNumber } from "../../../mixins/part-number.ts";
import { PART_STATUSES, type PartStatus } from "../../../mixins/part-status.ts";
import { MAX_LENGTH as LONGEST, readHttpUrl, readWeight, WEIGHT_WORDS } from "../part-checks.ts";
import { readComponents, type ComponentVendor } from "../components.ts";
import type { PartNews } from "../part-news.ts";
import { readCategory } from "../part.ts";
import { unreadable } from "./cells.ts";
import type { Columns } from "./columns.ts";

/** See design, Catalog. */
export const PART_COLUMNS = {
  names: [
    "part_number",
    "title",
    "description",
    "category",
    "list_price",
    "currency",
    "status",
    "image_url",
    "superseded_by",
    "weight",
    "hazmat",
    "oversize",
    "components",
  ],
  required: ["part_number", "title"],
  flags: ["hazmat", "oversize"],
  amounts: ["list_price"],
  lists: ["components"],
} as const satisfies Columns<string>;
export type Column = (typeof PART_COLUMNS.names)[number];

const MAX_LENGTH: Record<Column, number> = {
  part_number: LONGEST.partNumber,
  title: LONGEST.title,
  description: 5_000,
  category: LONGEST.category,
  list_price: 20,
  currency: 10,
  status: 20,
  image_url: LONGEST.url,
  superseded_by: LONGEST.partNumber,
  weight: 20,
  hazmat: 5,
  oversize: 5,
  components: 20_000,
};

type RowResult = { news: PartNews; reason?: undefined } | { reason: string; news?: undefined };

/**
 * Reads a price file's row, or says why it is refused, naming the column. A missing column says nothing; an empty one
 * deletes or restores the default. @param componentVendor finds the vendor of a component
 */
export function readPartRow(fields: Partial<Record<Column, string>>, componentVendor: ComponentVendor): RowResult {
  const has = (column: Column): boolean => fields[column] !== undefined;
  const value = (column: Column): string => (fields[column] ?? "").trim();
  const unusable = unreadable(fields, PART_COLUMNS.required, MAX_LENGTH);
  if (unusable) return { reason: unusable };

  const partNumber = value("part_number");
  const pnNorm = normalizePartNumber(partNumber);
  if (pnNorm === "") return { reason: `The column 'part_number' has no letter or digit: "${partNumber.slice(0, 40)}"` };
  const price = readPrice(value("list_price"));
  if (price === undefined) {
    return { reason: "The column 'list_price' must be 0.01 to 999,999.99 with at most two decimals, or empty" };
  }
  if (!["", "usd"].includes(value("currency").toLowerCase())) return { reason: "The column 'currency' must be USD" };
  const status = readStatus(value("status"));
  if (!status) return { reason: "The column 'status' must be active or discontinued" };
  const imageUrl = value("image_url") && readHttpUrl(value("image_url"));
  if (imageUrl === undefined)
    return {
      reason: `The column 'image_url' must be an http(s) address, percent-encoded at most ${LONGEST.url} characters long`,
    };
  const supersededBy = value("superseded_by");
  if (supersededBy !== "" && ["", pnNorm].includes(normalizePartNumber(supersededBy))) {
    return { reason: "The column 'superseded_by' must be the number of another part" };
  }
  const weightGrams = value("weight") === "" ? null : readWeight(value("weight"));
  if (weightGrams === undefined) return { reason: `The column 'weight' must be ${WEIGHT_WORDS}, or empty` };
  const [hazmat, oversize] = [readFlag(value("hazmat")), readFlag(value("oversize"))];
  if (hazmat === undefined) return { reason: "The column 'hazmat' must be yes or no, or empty" };
  if (oversize === undefined) return { reason: "The column 'oversize' must be yes or no, or empty" };
  const kit = readComponents(value("components"), pnNorm, componentVendor);
  if (kit.reason !== undefined) return { reason: kit.reason };
  return {
    news: {
      partNumber,
      title: value("title").replace(/\s+/g, " "),
      ...(has("description") ? { description: value("description") || null } : {}),
      ...(has("category") ? readCategory(value("category")) : {}),
      ...(has("list_price") ? { price } : {}),
      ...(has("image_url") ? { imageUrls: imageUrl ? [imageUrl] : [] } : {}),
      ...(has("status") ? { status } : {}),
      ...(has("superseded_by") ? { supersededBy: supersededBy || null } : {}),
      ...(has("weight") ? { weightGrams } : {}),
      ...(has("hazmat") ? { hazmat } : {}),
      ...(has("oversize") ? { oversize } : {}),
      ...(has("components") ? { components: kit.components } : {}),
    },
  };
}

/** Cents; null if empty, undefined if invalid. `$1,234.50` equals `1234.5`. */
function readPrice(text: string): Cents | null | undefined {
  if (text === "") return null;
  if (!/^\$?\s*(\d{1,3}(,\d{3})+|\d+)(\.\d{1,2})?$/.test(text)) return undefined;
  const cents = toCents(Number(text.replace(/[$,\s]/g, "")));
  return cents >= 1 && cents <= HIGHEST_PRICE ? cents : undefined;
}

function readStatus(text: string): PartStatus | undefined {
  const folded = text.toLowerCase();
  return folded === "" ? "active" : PART_STATUSES.find((status) => status === folded);
}

/** False if empty, undefined if invalid. */
function readFlag(text: string): boolean | undefined {
  const folded = text.toLowerCase();
  if (["yes", "y", "true", "1"].includes(folded)) return true;
  return ["", "no", "n", "false", "0"].includes(folded) ? false : undefined;
}
