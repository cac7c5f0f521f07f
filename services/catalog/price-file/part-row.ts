import { type Cents, HIGHEST_PRICE, normalizePartNumber, PART_STATUSES, toCents } from "@partline/parts-language";
import { MAX_LENGTH, readHttpUrl, readPartNumber, readWeight, WEIGHT_WORDS } from "../part-checks.ts";
import { readComponents, type ComponentVendor } from "../components.ts";
import type { FileContent } from "../import-file.ts";
import type { PartWriter } from "../part-writer.ts";
import { type PartNews, readCategory } from "../part.ts";
import { DEFAULT_VENDORS, type Vendor } from "../vendors.ts";
import { type ColumnRule, type Fields, createFileForm, findUnreadable } from "./columns.ts";
import { type DecimalSign, readAmount } from "./decimal-sign.ts";

interface Row {
  /** The row's own number, normalised. */
  pnNorm: string;
  componentVendor: ComponentVendor;
}

interface PartColumn extends ColumnRule {
  /** Returns what a cell says of the part, or what is wrong with it. An empty one deletes or restores the default. */
  read: (text: string, row: Row, sign?: DecimalSign) => Partial<PartNews> | string;
}

const createFlagColumn = (field: "hazmat" | "oversize"): PartColumn => ({
  longest: 5,
  json: "flag",
  read: (text) => {
    const folded = text.toLowerCase();
    if (["yes", "y", "true", "1"].includes(folded)) return { [field]: true };
    return ["", "no", "n", "false", "0"].includes(folded) ? { [field]: false } : "must be yes or no, or empty";
  },
});

/** See design, Catalog. */
export const PART_COLUMNS = {
  part_number: {
    longest: MAX_LENGTH.partNumber,
    required: true,
    aliases: ["part_no"],
    read: readPartNumber,
  },
  title: { longest: MAX_LENGTH.title, required: true, read: (text) => ({ title: text.replace(/\s+/g, " ") }) },
  description: { longest: 5_000, read: (text) => ({ description: text || null }) },
  category: { longest: MAX_LENGTH.category, read: readCategory },
  list_price: {
    longest: 20,
    json: "amount",
    aliases: ["price", "msrp"],
    absent: "No column has prices ('list_price'): known parts keep theirs, new parts have none and cannot be sold",
    read: (text, _, sign) => {
      const price = readPrice(text, sign);
      return typeof price === "string" ? price : { price };
    },
  },
  currency: { longest: 10, read: (text) => (["", "usd"].includes(text.toLowerCase()) ? {} : "must be USD") },
  status: {
    longest: 20,
    read: (text) => {
      const status = PART_STATUSES.find((value) => value === (text.toLowerCase() || "active"));
      return status ? { status } : "must be active or discontinued";
    },
  },
  image_url: {
    longest: MAX_LENGTH.url,
    read: (text) => {
      if (text === "") return { imageUrls: [] };
      const url = readHttpUrl(text);
      return url === undefined
        ? `must be an http(s) address, percent-encoded at most ${MAX_LENGTH.url} characters long`
        : { imageUrls: [url] };
    },
  },
  superseded_by: {
    longest: MAX_LENGTH.partNumber,
    read: (text, { pnNorm }) => {
      if (text === "") return { supersededBy: null };
      const number = readPartNumber(text);
      if (typeof number === "string") return number;
      const isItself = normalizePartNumber(text) === pnNorm;
      return isItself ? "must be the number of another part" : { supersededBy: number.partNumber };
    },
  },
  weight: {
    longest: 20,
    read: (text) => {
      const weightGrams = text === "" ? null : readWeight(text);
      return weightGrams === undefined ? `must be ${WEIGHT_WORDS}, or empty` : { weightGrams };
    },
  },
  hazmat: createFlagColumn("hazmat"),
  oversize: createFlagColumn("oversize"),
  components: {
    longest: 20_000,
    json: "list",
    read: (text, { pnNorm, componentVendor }) => {
      const components = readComponents(text, pnNorm, componentVendor);
      return typeof components === "string" ? components : { components };
    },
  },
} satisfies Record<string, PartColumn>;

/**
 * Reads a price file's row, or says why it is refused, naming the column. A missing column says nothing. @param
 * findComponentVendor finds the vendor of a component
 */
export function readPartRow(
  fields: Fields,
  findComponentVendor: ComponentVendor,
  form = createFileForm(),
): PartNews | string {
  const unusable = findUnreadable(fields, PART_COLUMNS);
  if (unusable !== undefined) return unusable;
  const row = { pnNorm: normalizePartNumber(fields.part_number ?? ""), componentVendor: findComponentVendor };
  const news: Partial<PartNews> = {};
  for (const [name, { read }] of Object.entries<PartColumn>(PART_COLUMNS)) {
    const text = fields[name];
    const fieldNews = text === undefined ? {} : read(text.trim(), row, form.decimalSigns[name]);
    if (typeof fieldNews === "string") return `The column '${name}' ${fieldNews}`;
    Object.assign(news, fieldNews);
  }
  return news as PartNews;
}

/** The parts of a vendor's price file. @param vendors as components name them @param writer or what compares alone */
export function createPriceFile(
  { write }: { write: PartWriter["compare"] },
  vendor: Vendor,
  vendors = DEFAULT_VENDORS,
): FileContent<PartNews> {
  const findComponentVendor = (name: string | undefined) => (name === undefined ? vendor : vendors.find(name))?.code;
  return {
    columns: PART_COLUMNS,
    read: (fields, form) => readPartRow(fields, findComponentVendor, form),
    keyOf: ({ partNumber }) => normalizePartNumber(partNumber),
    repeats: "The column 'part_number' repeats the part",
    write: (news) => write(vendor, news, "price_file"),
  };
}

/** Returns cents, null of an empty text, or what is wrong with it. `$1,234.50` equals `1234.5`. */
function readPrice(text: string, sign: DecimalSign | undefined): Cents | null | string {
  if (text === "") return null;
  const amount = readAmount(text, sign);
  if (amount === "ambiguous")
    return `could be read two ways: "${text}". Write all prices with two decimals, like 1250.00 or 1,25`;
  const cents = amount === "invalid" || !/^\d+(\.\d{1,2})?$/.test(amount.amount) ? 0 : toCents(Number(amount.amount));
  if (cents >= 1 && cents <= HIGHEST_PRICE) return cents;
  const decimals = sign === "," ? " after a comma, as in the rest of the file" : "";
  return `must be 0.01 to 999,999.99 with at most two decimals${decimals}, or empty`;
}
