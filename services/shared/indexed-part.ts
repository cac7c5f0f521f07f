import { amountRule } from "./commerce.ts";
import { array, boolean, date, integer, number, object, oneOf, record, rules, string } from "@partline/api-contracts";
import { AVAILABILITIES, PART_STATUSES, TIRE_SYSTEMS } from "@partline/parts-language";
import { fitmentRule } from "./fitment.ts";

/** The specification's IndexedPart, as the catalog and search answer it. */

export const statusRule = oneOf(PART_STATUSES);

/** Data on which shipping costs depend. */
export const parcelRules = rules({
  weightGrams: integer({ optional: true, description: "Of one piece, grams; left out while unknown" }),
  hazmat: boolean({ optional: true, description: "Dangerous goods" }),
  oversize: boolean({ optional: true, description: "Larger than parcel services take" }),
});

export const manufacturerRule = object("Manufacturer", {
  name: string(),
  code: string({ description: "Vendor code", example: "KAW" }),
});

export const availabilityRule = oneOf(AVAILABILITIES, {
  description:
    "`out_of_stock`: none on hand, or the supplier does not sell it now; `low_stock`: 1 to 5 on hand; " +
    "`in_stock`: more; `unknown`: never reported",
});

/** What a person sets in place of the vendor's price. */
export const priceEditRule = object("PriceEdit", {
  fixed: number({ money: "units", min: 0.01, max: 999_999.99, optional: true, example: 24.95 }),
  marginPercent: number({
    min: -99,
    max: 10_000,
    optional: true,
    description: "Percent on top of the vendor's price, which it follows",
    example: 35,
  }),
});

const tireRule = object(
  "Tire",
  {
    size: string({ description: "In one spelling", example: "18x8.50-8" }),
    system: oneOf(TIRE_SYSTEMS, {
      description:
        "`inch`: by diameter, width and rim, or width and rim of a radial; `metric`: width in millimetres; `flotation`: as " +
        "inch, with LL or LT, a radial, or 30 inches high; `bias`: width and rim of a cross-ply tire",
    }),
    construction: oneOf(["radial", "bias"]),
    prefix: string({ optional: true, description: "Such as IF, VF, ST, LT, P", example: "IF" }),
    diameter: number({ optional: true, description: "Inches" }),
    width: number({ description: "Inches; millimetres if the system is metric" }),
    aspect: number({ optional: true, description: "Height in percent of the width" }),
    otherWidth: number({ optional: true, description: "Of a tire of two widths, as 4.80/4.00-8" }),
    rim: number({ description: "Inches" }),
    section: oneOf(["L", "LL"], { optional: true, description: "A low section" }),
    suffix: string({ optional: true, description: "Such as LT, NHS" }),
    ply: integer({ optional: true, description: "Ply rating, also from the load range" }),
    loadIndex: integer({ optional: true }),
    loadIndexDual: integer({ optional: true, description: "Of one of a pair" }),
    speed: string({ optional: true, description: "Speed symbol", example: "A8" }),
    pattern: string({ optional: true, description: "Name of the tread", example: "Turf Saver" }),
    tube: oneOf(["tubeless", "tube_type"], { optional: true }),
  },
  { optional: true, description: "What the title of a tire or wheel says of it, if it has a size" },
);

/** Fields of the public and of the internal form. */
export const partFields = rules({
  id: string({ description: "`{code}-{pnNorm}` in lower case", example: "kaw-159648141" }),
  slug: string(),
  sku: string({ example: "CT-KAW-15964-8141" }),
  skuVariants: array(string(), { description: "Other ways in which the number is written" }),
  partNumber: string({ description: "As the supplier writes it", example: "15964-8141" }),
  pnNorm: string({ description: "Upper case, letters and digits only", example: "159648141" }),
  title: string(),
  description: string({ optional: true }),
  manufacturer: manufacturerRule,
  category: string({ example: "Carburetors" }),
  media: object(
    "PartMedia",
    {
      hasImages: boolean(),
      imageCount: integer(),
      images: array(object({ url: string({ format: "uri" }), type: string() }), { optional: true }),
    },
    { optional: true },
  ),
  status: statusRule,
  sources: array(string(), {
    description: "Where its data came from: `price_file`, `dis`, or a supplier's listing, such as `tire_supplier`",
  }),
  supersededBy: string({ optional: true, description: "Part number of its successor at the same vendor" }),
  fits: array(string({ example: "Command CH25" }), {
    optional: true,
    description:
      "Machines that it fits, as its description or its supplier's data name them; left out if they name none",
  }),
  availability: availabilityRule,
  stock: object(
    "PartStock",
    {
      quantityOnHand: integer({ description: "As the shop counted and the supplier last said, together" }),
      own: integer({
        optional: true,
        description: "Pieces among them on the shelves of the shop; left out if it has none",
      }),
      held: integer({
        optional: true,
        description: "Pieces that unpaid checkouts and unshipped orders hold: `availability` is of the rest",
      }),
      learntAt: date({
        description:
          "When the shop last counted, or the supplier first said this quantity; saying it again changes nothing",
      }),
    },
    { optional: true, description: "Left out while unknown" },
  ),
  attributes: record(string(), string(), {
    optional: true,
    description: "What the shop says of it beside the title, by name",
    example: { Thread: "M14 x 1.25" },
  }),
  ...parcelRules,
  tire: tireRule,
  createdAt: date(),
  updatedAt: date(),
});

export const indexedPartRule = object("IndexedPart", {
  ...partFields,
  price: object(
    "PartPrice",
    { list: object({ value: amountRule, currency: string({ example: "usd" }) }) },
    { optional: true },
  ),
});

const partReferenceRule = object("PartReference", {
  id: string(),
  partNumber: string(),
  title: string(),
  status: statusRule,
});

const knownPartRule = object(
  "KnownPart",
  {
    id: string(),
    title: string(),
    status: statusRule,
    price: { ...amountRule, nullable: true },
    availability: availabilityRule,
  },
  { optional: true, description: "As the catalog has it; left out if it has no such part" },
);

export const interchangeRule = object("Interchange", {
  partNumber: string(),
  manufacturer: manufacturerRule,
  direction: oneOf(["both", "to", "from"], {
    description:
      "`to`: it can be used in place of this part; `from`: this part can be used in place of it; `both`: each",
  }),
  steps: integer({ description: "Number of cross references that lead there, 1 to 3", example: 1 }),
  sources: array(string(), { description: "Who says so" }),
  part: knownPartRule,
});

/** Why another number finds a part. */
export const interchangeOfRule = object("InterchangeOf", {
  partNumber: string({ description: "Number in whose place the part can be used" }),
  manufacturer: manufacturerRule,
  steps: integer({ description: "Number of cross references that lead there, 1 to 3", example: 1 }),
  sources: array(string(), { description: "Who says so" }),
});

export const kitRule = object("KitComponent", {
  partNumber: string(),
  vendor: string({ description: "Code" }),
  quantity: integer(),
  part: knownPartRule,
});

export const supersessionFields = rules({
  supersedes: array(partReferenceRule, {
    description: "Parts that name this one as their successor, at most 100",
  }),
  supersededBy: array(partReferenceRule, { description: "Its successor, that one's successor, and so on" }),
  unknownSuccessor: string({
    nullable: true,
    description: "Part number at the end of the chain that the catalog does not have",
  }),
  cycle: boolean({ description: "The successors lead back to a part before; the chain ends there" }),
});

export const wholePartRule = object("WholePart", {
  ...indexedPartRule.props,
  fitment: array(fitmentRule, { description: "What it fits, by manuals, then by the catalog" }),
  supersession: object(supersessionFields),
  interchange: array(interchangeRule, {
    description: "By cross references, the nearest first, at most 200 each way. A circle is never followed",
  }),
  kit: array(kitRule, { description: "Parts that it consists of; empty if it is no kit" }),
  missing: array(oneOf(["fitment", "supersession", "interchange", "kit"]), {
    optional: true,
    description: "What could not be read now and is empty for that reason. Absent if nothing is missing",
  }),
});

const count = integer({ min: 0 });

/** A part of which pieces must be ordered. */
/** Parts on a page of what to order. */
export const MOST_SHORTAGES = 500;

export const shortageFields = rules({
  id: string({ description: "Of the part" }),
  partNumber: string(),
  title: string(),
  vendor: string({ description: "Code in upper case" }),
  vendorName: string(),
  backordered: { ...count, description: "Pieces of orders that wait for stock, and uncounted ones that no shelf has" },
  uncounted: boolean({ description: "More may lie there than are known: count the part first" }),
  low: { ...count, description: "Pieces up to the reorder points of places with low stock, at least one a place" },
  onOrder: { ...count, description: "Pieces of open purchases that have not come" },
  missing: { ...count, description: "Pieces to order: backordered and low, less those on order" },
});
