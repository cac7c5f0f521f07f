import { amountRule, centsRule } from "../../broker/contract/common.ts";
import { rule, rules } from "../../broker/contract/rules.ts";
import { AVAILABILITIES } from "../../mixins/availability.ts";
import { PART_STATUSES } from "../../mixins/part-status.ts";

export const vendorRule = rule({
  type: "string",
  min: 2,
  max: 10,
  description: "Vendor code, in any case",
  example: "kaw",
});
/** In answers. */
export const vendorCodeRule = rule({ type: "string", description: "Code in upper case" });
export const countRule = rule({ type: "number", integer: true });
export const statusRule = rule({ type: "enum", values: PART_STATUSES });

const manufacturerRule = rule({
  type: "object",
  title: "Manufacturer",
  props: { name: { type: "string" }, code: { type: "string", description: "Vendor code", example: "KAW" } },
});

/** Fields of the public and of the internal form. */
const partFields = rules({
  id: { type: "string", description: "`{code}-{pnNorm}` in lower case", example: "kaw-159648141" },
  slug: { type: "string" },
  sku: { type: "string", example: "CT-KAW-15964-8141" },
  skuVariants: { type: "array", items: { type: "string" }, description: "Other ways in which the number is written" },
  partNumber: { type: "string", description: "As the supplier writes it", example: "15964-8141" },
  pnNorm: { type: "string", description: "Upper case, letters and digits only", example: "159648141" },
  title: { type: "string" },
  description: { type: "string", optional: true },
  manufacturer: manufacturerRule,
  category: { type: "string", example: "Carburetors" },
  media: {
    type: "object",
    optional: true,
    title: "PartMedia",
    props: {
      hasImages: { type: "boolean" },
      imageCount: countRule,
      images: {
        type: "array",
        optional: true,
        items: { type: "object", props: { url: { type: "string", format: "uri" }, type: { type: "string" } } },
      },
    },
  },
  status: statusRule,
  sources: {
    type: "array",
    items: { type: "string" },
    description: "Where its data came from: `price_file`, `dis`, or a supplier's listing, such as `tire_supplier`",
  },
  supersededBy: { type: "string", optional: true, description: "Part number of its successor at the same vendor" },
  availability: {
    type: "enum",
    values: AVAILABILITIES,
    description:
      "`out_of_stock`: none on hand, or the supplier does not sell it now; `low_stock`: 1 to 5 on hand; " +
      "`in_stock`: more; `unknown`: never reported",
  },
  stock: {
    type: "object",
    optional: true,
    title: "PartStock",
    description: "Left out while unknown",
    props: {
      quantityOnHand: countRule,
      learntAt: {
        type: "date",
        description: "When the supplier first said this quantity; saying it again changes nothing",
      },
    },
  },
  createdAt: { type: "date" },
  updatedAt: { type: "date" },
});

export const indexedPartRule = rule({
  type: "object",
  title: "IndexedPart",
  props: {
    ...partFields,
    price: {
      type: "object",
      optional: true,
      title: "PartPrice",
      props: { list: { type: "object", props: { value: amountRule, currency: { type: "string", example: "usd" } } } },
    },
  },
});

/** The internal form: price in cents, all names of its vendor. */
export const catalogPartRule = rule({
  type: "object",
  props: {
    ...partFields,
    vendorName: { type: "string", description: "Name of the vendor; a tire's `manufacturer.name` is its brand" },
    vendorAliases: { type: "array", items: { type: "string" } },
    kind: {
      type: "enum",
      values: ["Tires", "Wheels"],
      optional: true,
      description: "Within the category Wheels & Tires",
    },
    price: { ...centsRule, nullable: true },
    revision: { ...countRule, description: "Ascending number of this change among the vendor's" },
  },
});

export const partReferenceRule = rule({
  type: "object",
  title: "PartReference",
  props: { id: { type: "string" }, partNumber: { type: "string" }, title: { type: "string" }, status: statusRule },
});

export const importReportRule = rule({
  type: "object",
  title: "ImportReport",
  props: {
    read: { ...countRule, description: "Rows in the file: written, unchanged and refused together" },
    written: countRule,
    unchanged: countRule,
    refused: {
      type: "array",
      description: "The first 1,000 of them",
      items: { type: "object", props: { line: countRule, reason: { type: "string" } } },
    },
    refusedTotal: countRule,
    supersessionCycles: {
      type: "array",
      optional: true,
      description:
        "Part numbers that replace each other in a circle of at most 50 that a part written by this import is in, the first 100 circles; not there where there is none",
      items: { type: "array", items: { type: "string" } },
    },
  },
});
