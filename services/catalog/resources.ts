import { amountRule, centsRule } from "../shared/commerce.ts";
import { writtenText } from "../../broker/contract/common.ts";
import {
  type Infer,
  any,
  array,
  boolean,
  date,
  integer,
  object,
  oneOf,
  record,
  type Rule,
  rules,
  string,
} from "@partline/api-contracts";
import {
  availabilityRule,
  indexedPartRule,
  interchangeOfRule,
  manufacturerRule,
  partFields,
  priceEditRule,
} from "../shared/indexed-part.ts";

export const vendorRule = string({ min: 2, max: 10, description: "Vendor code, in any case", example: "kaw" });
export const vendorCodeRule = string({ description: "Code in upper case" });
export const countRule = integer();

/** The internal form: price in cents, all names of its vendor. */
export const catalogPartRule = object({
  ...partFields,
  vendorName: string({ description: "Name of the vendor; a tire's `manufacturer.name` is its brand" }),
  vendorAliases: array(string()),
  kind: oneOf(["Tires", "Wheels"], { optional: true, description: "Kind within the category Wheels & Tires" }),
  price: { ...centsRule, nullable: true },
  revision: { ...countRule, description: "Ascending number of this change within the vendor" },
  hidden: boolean({ optional: true, description: "The shop does not show it" }),
  priceEdit: { ...priceEditRule, optional: true },
});

const beyondStockRule = oneOf(["sell", "up_to_stock"], {
  description: "What happens to pieces beyond the stock (setting `stockPolicy`): sold as backordered, or refused",
});
const backorderDaysRule = {
  ...countRule,
  optional: true,
  description: "Days until backordered pieces can ship, by the policy or the last purchases. Absent if unknown",
} as const;

export const placeRule = string({
  pattern: /^[a-z0-9][a-z0-9_-]{0,39}$/,
  words: "1 to 40 small letters, digits, _ and -",
  description: "Id of a place of the shop",
  example: "main",
});

/** What a list of parts shows of their stock. */
export const stockedPartRule = object({
  id: string(),
  partNumber: string(),
  manufacturer: manufacturerRule,
  title: string(),
  imageUrl: string({ optional: true }),
  price: { ...centsRule, nullable: true },
  priceEdit: catalogPartRule.props.priceEdit,
  status: catalogPartRule.props.status,
  availability: availabilityRule,
  stock: catalogPartRule.props.stock,
  shelves: array(object({ place: placeRule, onHand: countRule }), { optional: true }),
  uncounted: boolean({ description: "More pieces may lie there than are known" }),
  beyondStock: beyondStockRule,
  backorderDays: backorderDaysRule,
});

export const vendorNameRule = object("VendorName", {
  code: vendorCodeRule,
  name: string({ description: "The code, unless a name was set" }),
  aliases: array(string()),
  pricing: oneOf(["dis", "manual", "listing"], {
    description: "Where its prices come from: the dealer inventory system, price files, or its supplier's listing",
  }),
  isDefault: boolean({ description: "The product's own names" }),
  beyondStock: beyondStockRule,
  backorderDays: backorderDaysRule,
});

const editRules = rules({
  title: string({ ...writtenText, max: 500, example: "Carburetor, Assembly" }),
  description: string({ ...writtenText, min: 0, max: 20_000, description: "Empty for none" }),
  category: string({ ...writtenText, max: 100, example: "Carburetors" }),
  price: priceEditRule,
  hidden: boolean({ description: "Not in search, lists and on pages, and not for sale; orders keep it" }),
  images: array(string({ min: 1, max: 2_000, example: "https://shop.example/pictures/carburetor.jpg" }), {
    max: 20,
    description: "Addresses by https, or ids of PUT /api/media; the first one is on lists. Empty for none",
  }),
  attributes: record(string({ ...writtenText, max: 60 }), string({ ...writtenText, max: 200 }), {
    max: 50,
    description: "Shown on the part's page in this order",
    example: { Thread: "M14 x 1.25" },
  }),
  fits: array(string({ max: 60, example: "Command CH25" }), {
    max: 200,
    description: "Machines, beside those that the description names. Empty for none",
  }),
});
const unset = { optional: true, nullable: true } as const;

/** The fields of a part that people edit; null takes an edit back. */
export const editParams = {
  title: { ...editRules.title, ...unset },
  description: { ...editRules.description, ...unset },
  category: { ...editRules.category, ...unset },
  price: { ...editRules.price, ...unset },
  hidden: { ...editRules.hidden, ...unset },
  images: { ...editRules.images, ...unset },
  attributes: { ...editRules.attributes, ...unset },
  fits: { ...editRules.fits, ...unset },
} as const;

const createEditRule = <const V extends Rule, const S extends Rule>(value: V, source: S) =>
  object({ value, source }, { optional: true });

const listedPartFields = rules({
  ...indexedPartRule.props,
  hidden: boolean(),
  edited: array(string(), { description: "Names of the edited fields", example: ["price"] }),
  shelf: string({ description: "Where the shop's own pieces lie; empty if it has none", example: "B-12" }),
});

/** A part in lists of staff, hidden ones included. */
export const listedPartRule = object("ListedPart", listedPartFields);

/** A part as staff edits it. */
export const editedPartRule = object("EditedPart", {
  ...listedPartFields,
  cost: {
    ...amountRule,
    optional: true,
    description: "What the shop pays, as a price file says; a margin counts on it",
  },
  version: { ...countRule, description: "Counts edits, not imports; send it with the next one" },
  edits: object(
    "PartEdits",
    {
      title: createEditRule(editRules.title, string()),
      description: createEditRule(editRules.description, string({ nullable: true })),
      category: createEditRule(editRules.category, string()),
      price: createEditRule(priceEditRule, { ...amountRule, nullable: true }),
      hidden: createEditRule(boolean(), boolean()),
      images: createEditRule(array(string()), array(string())),
      attributes: createEditRule(record(string(), string()), record(string(), string())),
      fits: createEditRule(array(string()), array(string())),
    },
    { description: "Each edited field, with what the price file, supplier or dealer says now as `source`" },
  ),
});

export const ownStockRule = object("OwnStock", {
  id: string(),
  partNumber: string(),
  title: string(),
  places: array(
    object("PlaceStock", {
      place: placeRule,
      onHand: countRule,
      bin: string({ optional: true }),
      reorderPoint: { ...countRule, optional: true },
      isLow: boolean({ description: "No more is on hand than the reorder point" }),
      countedAt: date({ optional: true, description: "When a person or a file last counted; absent if none did" }),
      isByHand: boolean({ optional: true, description: "True if that was a person: a price file keeps the count" }),
      version: { ...countRule, description: "Counts changes; send it with the next count" },
    }),
    { description: "Empty if nobody has counted" },
  ),
  dealer: object(
    "DealerStock",
    { quantityOnHand: { ...countRule, optional: true }, available: boolean({ optional: true }), learntAt: date() },
    { nullable: true, description: "What the dealer or the supplier last said; null if it never has" },
  ),
  held: { ...countRule, description: "Pieces that unpaid checkouts and unshipped orders hold" },
  movements: array(
    object("StockMovement", {
      id: string(),
      at: date(),
      cause: oneOf(["count", "price_file", "shipment", "shipment_cancelled", "return", "purchase"]),
      place: {
        ...placeRule,
        optional: true,
        description: "Absent for moves of a part that nobody has counted: its pieces are at no place",
      },
      change: { ...countRule, description: "0 for a shipment whose pieces were the dealer's" },
      onHand: { ...countRule, optional: true, description: "After it; absent without a place" },
      reason: string({ optional: true, description: "Of a price file, its name" }),
      importId: string({ optional: true, description: "Of a price file, its import" }),
      orderId: string({ optional: true }),
      purchaseId: string({ optional: true }),
      actor: string({ description: "Who did it, by id" }),
    }),
    { description: "The last 50, newest first, for 400 days" },
  ),
});

export const lowStockRule = object("LowStock", {
  id: string(),
  partNumber: string(),
  title: string(),
  manufacturer: manufacturerRule,
  place: placeRule,
  onHand: countRule,
  bin: string({ optional: true }),
  reorderPoint: countRule,
});

export const PURCHASE_STATUSES = ["open", "received", "cancelled"] as const;
export const MOST_PURCHASED = 1_000_000;

export const purchaseRule = object("Purchase", {
  purchaseId: string({ example: "pur_01KADTZ6A0J0Q4W2G4B9V5R7XN" }),
  vendor: vendorCodeRule,
  vendorName: string(),
  status: oneOf(PURCHASE_STATUSES, { description: "received: all of it has come; cancelled: nothing more will" }),
  lines: array(
    object("PurchaseLine", {
      id: string({ description: "Of the part" }),
      partNumber: string(),
      title: string(),
      quantity: { ...countRule, description: "Pieces that were ordered" },
      received: countRule,
    }),
  ),
  expectedAt: string({ optional: true, example: "2026-12-08", description: "Day on which the shop can ship them" }),
  note: string({ optional: true }),
  actor: string({ description: "Who made it, by id" }),
  createdAt: date(),
  updatedAt: date(),
  version: { ...countRule, description: "Counts changes; send it back to change only what you read" },
});

/** The last active part of a chain of replacements, the last with a price if there is one. */
export const successorRule = object({
  productId: string(),
  partNumber: string(),
  title: string(),
  manufacturer: string({ description: "Name" }),
  price: { ...centsRule, nullable: true },
  availability: availabilityRule,
  imageUrl: string({ optional: true }),
});

/** A file's columns by those of a price file. */
const mappingRule = record(string(), any({ nullable: true }), {
  optional: true,
  description: "The mapping that was applied: the request's, or the one kept for the vendor",
});

const codeRule = string({
  optional: true,
  description: "Stable code, for texts in other languages. More may be added",
  example: "not_price",
});
const valuesRule = record(string(), any(), {
  optional: true,
  description: "Values of the code, as texts and numbers. `cause`, if present, is a code itself",
});

/** Why a row, item or page is missing: a sentence, the same as a code with values. */
export const codedReason = rules({ reason: string(), code: codeRule, values: valuesRule });

/** Notes of a report as codes. */
export const remarksRule = array(object("Remark", { code: string(), values: record(string(), any()) }), {
  optional: true,
  description: "The `notes` as codes with values, in the same order",
});

const reportFields = rules({
  read: { ...countRule, description: "Rows in the file: written, unchanged and refused together" },
  written: countRule,
  unchanged: countRule,
  refused: array(object({ line: countRule, ...codedReason }), {
    description: "The first events: at most 10,000, and 768 KiB",
  }),
  refusedTotal: countRule,
  notes: array(string(), {
    optional: true,
    description: "Which columns were ignored or read by a near name, and whether a column of prices is missing",
  }),
  remarks: remarksRule,
});

export const interchangeReportRule = object("InterchangeReport", reportFields);

/** How a price file was understood, for a person to check and to change by `mapping`. */
export const layoutRule = object("PriceFileLayout", {
  encoding: string({ optional: true, description: "Absent of a workbook", example: "windows-1252" }),
  delimiter: string({ optional: true, description: "Between the columns of CSV" }),
  sheet: string({ optional: true, description: "Of a workbook, the sheet that was read" }),
  sheets: array(string(), { optional: true }),
  headerLine: { ...countRule, nullable: true, description: "Null if the file has no header" },
  columns: array(
    object("PriceFileColumn", {
      position: { ...countRule, description: "From 1" },
      name: string({ description: "In the file; empty without a header" }),
      column: string({
        nullable: true,
        description: "What it was read as; null if it was ignored",
        example: "list_price",
      }),
      examples: array(string(), { optional: true, description: "Of a column that was ignored, its first values" }),
    }),
  ),
  decimalSign: oneOf([".", ","], { nullable: true, description: "Of the prices; null if they do not show it" }),
  currency: string({ nullable: true, description: "That the file names; null if it names none", example: "EUR" }),
  mapping: mappingRule,
  samples: array(
    object("PriceFileSample", {
      line: countRule,
      values: record(string(), string(), { description: "By column, as they were read" }),
    }),
    { description: "The first three rows" },
  ),
});

const brandsRule = array(
  object("PriceFileBrand", {
    brand: string(),
    vendor: string({ nullable: true, description: "Code of the vendor that it names; null if it names none" }),
    rows: countRule,
  }),
  {
    optional: true,
    description: "What the column `brand` has, those with most rows first; at most 200. Absent without the column",
  },
);

const keptCountRule = object("KeptCount", {
  id: string(),
  partNumber: string(),
  counted: {
    ...countRule,
    nullable: true,
    description: "What a person counted; null where the row differs in another field",
  },
  inFile: { ...countRule, nullable: true, description: "What the file says; null if it does not" },
});
export type KeptCount = Infer<typeof keptCountRule>;
const keptCountsRule = array(keptCountRule, {
  optional: true,
  description: "The first 100 parts whose count by hand stays (the remark `counts_kept` says how many there are)",
});

export const importReportRule = object("ImportReport", {
  ...reportFields,
  brands: brandsRule,
  keptCounts: keptCountsRule,
  layout: { ...layoutRule, optional: true, description: "How the file was understood; of NDJSON there is none" },
  supersessionCycles: array(array(string()), {
    optional: true,
    description:
      "Part numbers that replace each other in a circle of at most 50 that a part written by this import is in, the first 100 circles; not there where there is none",
  }),
});

const { refused: refusedRule, notes: notesRule, remarks: _, ...countFields } = reportFields;

const importFields = rules({
  importId: string({ example: "import_01KADTZ6A0J0Q4W2G4B9V5R7XN" }),
  vendor: vendorCodeRule,
  dryRun: boolean({ description: "True if nothing was written" }),
  status: oneOf(["running", "completed", "failed"], {
    description: "`failed`: it stopped for the given `reason`; rows written until then are kept",
  }),
  reason: string({ nullable: true }),
  code: codeRule,
  values: valuesRule,
  ...countFields,
  startedAt: date(),
  finishedAt: date({ nullable: true }),
});

export const importSummaryRule = object("ImportSummary", importFields);
export const importRule = object("Import", {
  ...importFields,
  refused: refusedRule,
  brands: brandsRule,
  keptCounts: keptCountsRule,
  notes: notesRule,
  remarks: remarksRule,
});

/** Maximum length of a cross reference's source, characters. */
export const LONGEST_SOURCE = 100;

/** Number of a part that need not be in the catalog. */
const vendorNumberRule = object("VendorNumber", { vendor: vendorCodeRule, pnNorm: string(), partNumber: string() });

export const crossReferenceRule = object("CrossReference", {
  id: string({ example: "kaw-110137002~bns-492932" }),
  part: vendorNumberRule,
  other: vendorNumberRule,
  direction: oneOf(["both", "one_way"], {
    description: "`one_way`: `other` can be used in place of `part`; `both`: each in place of the other",
  }),
  source: string({ description: "Who says so" }),
  updatedAt: date(),
});

/** Parts that cross references lead to from a number. */
export const standInRule = object("StandIn", {
  vendor: vendorCodeRule,
  pnNorm: string(),
  of: interchangeOfRule,
});
