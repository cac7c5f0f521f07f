import { type Cents, HIGHEST_PRICE, normalizePartNumber, PART_STATUSES, toCents } from "@partline/parts-language";
import { MAX_LENGTH, readHttpUrl, readPartNumber, readWeight } from "../part-checks.ts";
import { readComponents, type ComponentVendor } from "../components.ts";
import type { FileContent } from "../import-file.ts";
import type { PartWriter } from "../part-writer.ts";
import { type PartNews, readCategory } from "../part.ts";
import { quote, Remark, createRemark } from "../remarks.ts";
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
  read: (text: string, row: Row, sign?: DecimalSign) => Partial<PartNews> | Remark;
}

const createFlagColumn = (field: "hazmat" | "oversize"): PartColumn => ({
  longest: 5,
  json: "flag",
  read: (text) => {
    const folded = text.toLowerCase();
    if (["yes", "y", "true", "1"].includes(folded)) return { [field]: true };
    return ["", "no", "n", "false", "0"].includes(folded) ? { [field]: false } : createRemark("not_flag");
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
    absent: "no_prices",
    read: (text, _, sign) => {
      const price = readPrice(text, sign);
      return price instanceof Remark ? price : { price };
    },
  },
  currency: { longest: 10, read: (text) => (["", "usd"].includes(text.toLowerCase()) ? {} : createRemark("not_usd")) },
  status: {
    longest: 20,
    read: (text) => {
      const status = PART_STATUSES.find((value) => value === (text.toLowerCase() || "active"));
      return status ? { status } : createRemark("not_status");
    },
  },
  image_url: {
    longest: MAX_LENGTH.url,
    read: (text) => {
      if (text === "") return { imageUrls: [] };
      const url = readHttpUrl(text);
      return url === undefined ? createRemark("not_address", { longest: MAX_LENGTH.url }) : { imageUrls: [url] };
    },
  },
  superseded_by: {
    longest: MAX_LENGTH.partNumber,
    read: (text, { pnNorm }) => {
      if (text === "") return { supersededBy: null };
      const number = readPartNumber(text);
      if (number instanceof Remark) return number;
      const isItself = normalizePartNumber(text) === pnNorm;
      return isItself ? createRemark("same_part") : { supersededBy: number.partNumber };
    },
  },
  weight: {
    longest: 20,
    read: (text) => {
      const weightGrams = text === "" ? null : readWeight(text);
      return weightGrams === undefined ? createRemark("not_weight") : { weightGrams };
    },
  },
  hazmat: createFlagColumn("hazmat"),
  oversize: createFlagColumn("oversize"),
  components: {
    longest: 20_000,
    json: "list",
    read: (text, { pnNorm, componentVendor }) => {
      const components = readComponents(text, pnNorm, componentVendor);
      return components instanceof Remark ? components : { components };
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
): PartNews | Remark {
  const unusable = findUnreadable(fields, PART_COLUMNS);
  if (unusable !== undefined) return unusable;
  const row = { pnNorm: normalizePartNumber(fields.part_number ?? ""), componentVendor: findComponentVendor };
  const news: Partial<PartNews> = {};
  for (const [name, { read }] of Object.entries<PartColumn>(PART_COLUMNS)) {
    const text = fields[name];
    const fieldNews = text === undefined ? {} : read(text.trim(), row, form.decimalSigns[name]);
    if (fieldNews instanceof Remark) return fieldNews.locate(name);
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
    repeats: "part_repeated",
    write: (news) => write(vendor, news, "price_file"),
  };
}

/** Returns cents, null of an empty text, or what is wrong with it. `$1,234.50` equals `1234.5`. */
function readPrice(text: string, sign: DecimalSign | undefined): Cents | null | Remark {
  if (text === "") return null;
  const amount = readAmount(text, sign);
  if (amount === "ambiguous") return createRemark("price_ambiguous", { value: text });
  const cents = amount === "invalid" || !/^\d+(\.\d{1,2})?$/.test(amount.amount) ? 0 : toCents(Number(amount.amount));
  if (cents >= 1 && cents <= HIGHEST_PRICE) return cents;
  return createRemark(sign === "," ? "not_price_by_comma" : "not_price", { value: quote(text) });
}
