import {
  type Cents,
  HIGHEST_PRICE,
  normalizePartNumber,
  PART_STATUSES,
  toCents,
  toDecimal,
} from "@partline/parts-language";
import { MAX_LENGTH, MOST_LISTED_FITS, readHttpUrl, readListedFits, readWeight } from "./part-checks.ts";
import { LONGEST_MACHINE } from "@partline/parts-search";
import { getAt } from "@partline/toolkit";
import type { BrandVendors } from "./brand-vendors.ts";
import { readComponents, type ComponentVendor } from "./components.ts";
import type { FileContent } from "./import-file.ts";
import { PRICE_FILE, readCategory } from "./part.ts";
import type { PartNews } from "./part-content.ts";
import type { RowsOutcome } from "./part-writer.ts";
import { createRemark } from "./remarks.ts";
import type { KeptCount } from "./resources.ts";
import { LONGEST_BIN, MOST_ON_HAND } from "../../mixins/shop/shelves.ts";
import { DEFAULT_VENDORS, type Vendor, type Vendors } from "./vendors.ts";
import {
  type ColumnRule,
  createFileForm,
  type Fields,
  type FileChoice,
  type FileForm,
  findReplacement,
  findUnreadable,
  isCostHeader,
  isSpreadsheetError,
  type ListRole,
  quote,
  readAmount,
  readCurrency,
  readPartNumber,
  readPieceCount,
  readAvailability,
  readYesNo,
  Remark,
  SHOP_CURRENCY,
} from "@partline/price-files";

interface Row {
  /** The row's own number, normalised. */
  pnNorm: string;
  componentVendor: ComponentVendor;
  form: FileForm;
}

interface PartColumn extends ColumnRule {
  /** Returns what a cell says of the part, or what is wrong with it. An empty one deletes or restores the default. */
  read: (text: string, row: Row) => Partial<PartNews> | Remark;
}

/** A column that is read, and that nothing uses yet. */
const createUnusedColumn = (role: ListRole): PartColumn => ({ longest: 1_000, role, isUnused: true, read: () => ({}) });

const createFlagColumn = (field: "hazmat" | "oversize"): PartColumn => ({
  longest: 5,
  json: "flag",
  read: (text) => {
    const flag = text === "" || text === "0" ? false : text === "1" || readYesNo(text);
    return flag === undefined ? createRemark("not_flag") : { [field]: flag };
  },
});

/** See design, Catalog. */
export const PART_COLUMNS = {
  part_number: {
    longest: MAX_LENGTH.partNumber,
    required: true,
    role: "partNumber",
    read: readPartNumber,
  },
  title: {
    longest: MAX_LENGTH.title,
    required: true,
    role: "title",
    unless: ["list_price", "cost", "stock"],
    absent: "no_titles",
    read: (text) =>
      isSpreadsheetError(text)
        ? createRemark("spreadsheet_error", { value: text })
        : { title: text.replace(/\s+/g, " ") },
  },
  description: {
    longest: 5_000,
    role: "description",
    isLenient: true,
    read: (text) => ({ description: text || null }),
  },
  category: { longest: MAX_LENGTH.category, read: readCategory },
  list_price: {
    longest: 20,
    json: "amount",
    role: "price",
    absent: "no_prices",
    read: (text, { form }) => {
      const price = readPrice(text, form);
      return price instanceof Remark ? price : { price };
    },
  },
  cost: {
    longest: 20,
    json: "amount",
    standsFor: "list_price",
    companion: { column: "list_price", isHeader: isCostHeader },
    isLenient: true,
    read: (text, { form }) => {
      const cost = readPrice(text, form, "cost");
      return cost instanceof Remark ? cost : { cost };
    },
  },
  currency: {
    longest: 20,
    role: "currency",
    read: (text, { form: { choice } }) => {
      const isAccepted = choice.rate !== undefined || [SHOP_CURRENCY, choice.currency].includes(readCurrency(text));
      return text === "" || isAccepted ? {} : createRemark("not_usd", { value: text });
    },
  },
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
    role: "replacement",
    isLenient: true,
    read: (text, { pnNorm, form }) => {
      const inWords = findReplacement(text);
      if (inWords === null) leaveOut(form, "superseded_by", text);
      if (inWords === null || (inWords === undefined && form.hasReplacementsInWords)) return {};
      if (text === "") return { supersededBy: null };
      const number = readPartNumber(inWords ?? text);
      if (number instanceof Remark) return number;
      const isItself = normalizePartNumber(number.partNumber) === pnNorm;
      return isItself ? createRemark("same_part") : { supersededBy: number.partNumber };
    },
  },
  weight: {
    longest: 20,
    role: "weight",
    isLenient: true,
    read: (text, { form }) => {
      const weightGrams = text === "" ? null : readWeightBySign(text, form);
      // Dealers' lists have weights without a unit under this name too.
      if (weightGrams === undefined) leaveOut(form, "weight", text);
      return { weightGrams };
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
  fits: {
    longest: 20_000,
    json: "list",
    read: (text) => {
      const fits = readListedFits(text);
      return fits ? { fits } : createRemark("not_fits", { longest: LONGEST_MACHINE, most: MOST_LISTED_FITS });
    },
  },
  stock: {
    longest: 40,
    json: "amount",
    role: "stock",
    isLenient: true,
    read: (text, { form }) => {
      const available = readAvailability(text);
      const pieces = available === undefined ? readPieces(text, form.decimalSigns.stock) : undefined;
      if (pieces === undefined) return { available };
      if (!(pieces instanceof Remark)) return { quantityOnHand: pieces };
      if (/\d/.test(text)) return pieces;
      leaveOut(form, "stock", text);
      return {};
    },
  },
  bin: { longest: LONGEST_BIN, isLenient: true, read: (text) => ({ bin: text || null }) },
  reorder_point: {
    longest: 40,
    json: "amount",
    role: "reorderPoint",
    isLenient: true,
    read: (text, { form }) => {
      const pieces = readPieces(text, form.decimalSigns.reorder_point);
      return pieces instanceof Remark ? pieces : { reorderPoint: pieces ?? null };
    },
  },
  brand: createUnusedColumn("brand"),
  barcode: createUnusedColumn("barcode"),
  core_charge: createUnusedColumn("coreCharge"),
  price_group: createUnusedColumn("priceGroup"),
} satisfies Record<string, PartColumn>;

/** Returns a number of pieces; undefined if the text says none. Less than none is sold but not there yet: 0. */
function readPieces(text: string, sign: FileForm["decimalSigns"][string] | undefined): number | Remark | undefined {
  const amount = text === "" ? "none" : readPieceCount(text, sign);
  if (amount === "none") return undefined;
  if (/^-\d/.test(text)) return 0;
  const count = typeof amount === "string" ? NaN : Number(amount.amount);
  const isCount = Number.isInteger(count) && count <= MOST_ON_HAND;
  return isCount ? count : createRemark("not_stock", { value: quote(text) });
}

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
  if (unusable !== undefined) {
    const column = COLUMNS.find(([name]) => name === unusable.values.column);
    if (!column || !mayLeaveOut(form, ...column)) return unusable;
    const [name] = column;
    leaveOut(form, name, fields[name] ?? "");
    return readPartRow({ ...fields, [name]: undefined }, findComponentVendor, form);
  }
  const row = { pnNorm: normalizePartNumber(fields.part_number ?? ""), componentVendor: findComponentVendor, form };
  const news: Partial<PartNews> = {};
  for (const [name, column] of COLUMNS) {
    const text = fields[name]?.trim();
    if (text === undefined) continue;
    if (isSpreadsheetError(text) && !NEEDED.has(name)) {
      leaveOut(form, name, text);
      continue;
    }
    const fieldNews = column.read(text, row);
    if (!(fieldNews instanceof Remark)) Object.assign(news, fieldNews);
    else if (mayLeaveOut(form, name, column)) leaveOut(form, name, text);
    else return fieldNews.locate(name);
  }
  const inWords = "superseded_by" in fields ? undefined : findReplacement(news.title ?? "");
  if (inWords && normalizePartNumber(inWords) !== row.pnNorm) news.supersededBy = inWords;
  return news as PartNews;
}

/** Returns grams of an amount with its unit, or whose unit the file shows. */
function readWeightBySign(text: string, { weightUnit, decimalSigns }: FileForm): number | undefined {
  const [, number = text, unit = weightUnit] = /^(.*\d) ?([a-z]+)$/i.exec(text) ?? [];
  const weight = readAmount(number, decimalSigns.weight);
  return typeof weight === "string" ? undefined : readWeight(`${weight.amount} ${unit}`);
}

const COLUMNS = Object.entries<PartColumn>(PART_COLUMNS);
/** Without them a row is none: an error in place of one is refused. */
const NEEDED = new Set(["part_number", "title", "superseded_by", "components"]);

function mayLeaveOut({ foreignNames }: FileForm, name: string, { isLenient }: PartColumn): boolean {
  return isLenient === true && foreignNames.has(name);
}

function leaveOut({ unread }: FileForm, column: string, text: string): void {
  const { count, value } = unread.get(column) ?? { count: 0, value: quote(text) };
  unread.set(column, { count: count + 1, value });
}

type WriteRows = (vendor: Vendor, news: PartNews[], source: string) => Promise<RowsOutcome>;

/** A row with the vendor whose part it is. */
interface VendorRow {
  vendor: Vendor;
  news: PartNews;
}

interface PriceFileOptions {
  /** As components name them. */
  vendors?: Vendors;
  choice?: FileChoice;
  /** Names a row's vendor by its brand, unless `isByBrand` is false: then it only counts brands. */
  brands?: BrandVendors;
  isByBrand?: boolean;
}

/** Rows of several vendors are written in larger bulks, as each bulk is divided. */
const BULK_BY_BRAND = 1_000;
const COLUMNS_BY_BRAND = { ...PART_COLUMNS, brand: { ...PART_COLUMNS.brand, isUnused: undefined } };

/** The parts of a vendor's price file, or of several vendors. @param writer or what compares alone */
export function createPriceFile(
  { write }: { write: WriteRows },
  vendor: Vendor,
  { vendors = DEFAULT_VENDORS, choice = {}, brands, isByBrand = false }: PriceFileOptions = {},
): FileContent<VendorRow> {
  return {
    columns: isByBrand ? COLUMNS_BY_BRAND : PART_COLUMNS,
    choice,
    ...(isByBrand && { bulk: BULK_BY_BRAND }),
    read: (fields, form) => {
      const brand = fields.brand?.trim() ?? "";
      const brandVendor = brand === "" ? vendor : brands?.find(brand);
      const rowVendor = isByBrand ? brandVendor : vendor;
      if (!rowVendor) return createRemark("brand_unknown", { value: quote(brand) }).locate("brand");
      const findComponentVendor: ComponentVendor = (name) =>
        (name === undefined ? rowVendor : vendors.find(name))?.code;
      const news = readPartRow(fields, findComponentVendor, form);
      return news instanceof Remark ? news : { vendor: rowVendor, news };
    },
    keyOf: ({ vendor: { code }, news: { partNumber } }) => `${code}-${normalizePartNumber(partNumber)}`,
    repeats: "part_repeated",
    write: async (rows) => {
      const total = { written: 0, unchanged: 0 };
      const keptCounts: KeptCount[] = [];
      const unpriced: string[] = [];
      const refused: { item: VendorRow; remark: Remark }[] = [];
      for (const vendorRows of Map.groupBy(rows, (row) => row.vendor.code).values()) {
        const news = vendorRows.map((row) => row.news);
        const outcome = await write(getAt(vendorRows, 0).vendor, news, PRICE_FILE);
        total.written += outcome.written;
        total.unchanged += outcome.unchanged;
        keptCounts.push(...(outcome.keptCounts ?? []));
        unpriced.push(...(outcome.unpriced ?? []));
        for (const index of outcome.untitled ?? [])
          refused.push({ item: getAt(vendorRows, index), remark: createRemark("title_unknown").locate("title") });
      }
      return { ...total, keptCounts, unpriced, refused };
    },
    describe: ({ news: { partNumber, title, price, cost, quantityOnHand } }) => ({
      part_number: partNumber,
      ...(title !== undefined && { title }),
      ...(price !== undefined && price !== null && { list_price: toDecimal(price).toFixed(2) }),
      ...(cost !== undefined && cost !== null && { cost: toDecimal(cost).toFixed(2) }),
      ...(quantityOnHand !== undefined && { stock: String(quantityOnHand) }),
    }),
    listBrands: () => brands?.list() ?? [],
  };
}

/**
 * Returns cents; null of an empty text and of zero, which is no price; or what is wrong with it. `$1,234.50` equals
 * `1234.5`.
 */
function readPrice(
  text: string,
  { decimalSigns, currency: fileCurrency, choice }: FileForm,
  column = "list_price",
): Cents | null | Remark {
  if (text === "") return null;
  const sign = decimalSigns[column];
  const price = readAmount(text, sign);
  const value = quote(text);
  if (price === "none") return null;
  if (price === "ambiguous") return createRemark("price_ambiguous", { value });
  if (price !== "invalid") {
    const { amount, currency } = price;
    const expected = [fileCurrency ?? SHOP_CURRENCY, choice.currency];
    if (currency !== undefined && !expected.includes(currency) && choice.rate === undefined)
      return createRemark("price_currency", { currency, value });
    // What a formula of a spreadsheet returned has many decimals, and is shown rounded.
    const isExact = choice.rate !== undefined || !/\.\d{3,5}$/.test(amount);
    const cents = toCents(Number(amount) * (choice.rate ?? 1));
    if (isExact && Number(amount) === 0) return null;
    if (isExact && cents > HIGHEST_PRICE) return createRemark("price_too_high", { value });
    if (isExact && cents >= 1) return cents;
  }
  return createRemark(sign === "," ? "not_price_by_comma" : "not_price", { value });
}
