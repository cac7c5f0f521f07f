import { amountRule, centsRule } from "../../broker/contract/common.ts";
import { array, boolean, date, integer, object, oneOf, rules, string } from "../../broker/contract/rules.ts";
import { AVAILABILITIES } from "../../mixins/availability.ts";
import { PART_STATUSES } from "../../mixins/part-status.ts";

export const vendorRule = string({ min: 2, max: 10, description: "Vendor code, in any case", example: "kaw" });
/** In answers. */
export const vendorCodeRule = string({ description: "Code in upper case" });
export const countRule = integer();
export const statusRule = oneOf(PART_STATUSES);

/** What shipping costs by. */
export const parcelRules = rules({
  weightGrams: integer({ optional: true, description: "Of one piece, grams; left out while unknown" }),
  hazmat: boolean({ optional: true, description: "Dangerous goods" }),
  oversize: boolean({ optional: true, description: "Larger than parcel services take" }),
});

const manufacturerRule = object("Manufacturer", {
  name: string(),
  code: string({ description: "Vendor code", example: "KAW" }),
});

export const availabilityRule = oneOf(AVAILABILITIES, {
  description:
    "`out_of_stock`: none on hand, or the supplier does not sell it now; `low_stock`: 1 to 5 on hand; " +
    "`in_stock`: more; `unknown`: never reported",
});

/** Fields of the public and of the internal form. */
const partFields = rules({
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
      imageCount: countRule,
      images: array(object({ url: string({ format: "uri" }), type: string() }), { optional: true }),
    },
    { optional: true },
  ),
  status: statusRule,
  sources: array(string(), {
    description: "Where its data came from: `price_file`, `dis`, or a supplier's listing, such as `tire_supplier`",
  }),
  supersededBy: string({ optional: true, description: "Part number of its successor at the same vendor" }),
  availability: availabilityRule,
  stock: object(
    "PartStock",
    {
      quantityOnHand: countRule,
      learntAt: date({ description: "When the supplier first said this quantity; saying it again changes nothing" }),
    },
    { optional: true, description: "Left out while unknown" },
  ),
  ...parcelRules,
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

/** The internal form: price in cents, all names of its vendor. */
export const catalogPartRule = object({
  ...partFields,
  vendorName: string({ description: "Name of the vendor; a tire's `manufacturer.name` is its brand" }),
  vendorAliases: array(string()),
  kind: oneOf(["Tires", "Wheels"], { optional: true, description: "Within the category Wheels & Tires" }),
  price: { ...centsRule, nullable: true },
  revision: { ...countRule, description: "Ascending number of this change among the vendor's" },
});

export const partReferenceRule = object("PartReference", {
  id: string(),
  partNumber: string(),
  title: string(),
  status: statusRule,
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

export const importReportRule = object("ImportReport", {
  read: { ...countRule, description: "Rows in the file: written, unchanged and refused together" },
  written: countRule,
  unchanged: countRule,
  refused: array(object({ line: countRule, reason: string() }), { description: "The first 1,000 of them" }),
  refusedTotal: countRule,
  supersessionCycles: array(array(string()), {
    optional: true,
    description:
      "Part numbers that replace each other in a circle of at most 50 that a part written by this import is in, the first 100 circles; not there where there is none",
  }),
});
