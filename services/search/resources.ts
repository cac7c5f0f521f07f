import { amountRule } from "../../broker/contract/common.ts";
import { rule, rules } from "../../broker/contract/rules.ts";
import { AVAILABILITIES } from "../../mixins/availability.ts";
import { PART_STATUSES } from "../../mixins/part-status.ts";
import { DIS_ERRORS } from "../shared/dis-errors.ts";

const availabilityRule = rule({ type: "enum", values: AVAILABILITIES });
export const statusRule = rule({ type: "enum", values: PART_STATUSES });

const valueFacetRule = rule({
  type: "array",
  items: {
    type: "object",
    title: "FacetValue",
    props: {
      value: { type: "string", description: "What to send as the filter" },
      label: {
        type: "string",
        description: "What to show; the category `parts`, of parts that are in none, is `Other parts`",
      },
      count: { type: "number", integer: true },
    },
  },
});

export const facetsRule = rule({
  type: "object",
  title: "Facets",
  description: "Each is counted without its own filter.",
  props: {
    manufacturer: valueFacetRule,
    category: valueFacetRule,
    price: {
      type: "object",
      title: "PriceFacet",
      props: {
        min: { ...amountRule, nullable: true },
        max: { ...amountRule, nullable: true },
        ranges: {
          type: "array",
          items: {
            type: "object",
            title: "PriceRange",
            props: {
              from: { ...amountRule, description: "To be sent as minPrice" },
              to: { ...amountRule, nullable: true, description: "Included; to be sent as maxPrice. Null is open" },
              count: { type: "number", integer: true },
            },
          },
        },
      },
    },
  },
});

const partProps = rules({
  id: { type: "string", example: "kaw-159648141" },
  productId: { type: "string", description: "The same as id: what a cart item carries", example: "kaw-159648141" },
  slug: { type: "string" },
  sku: { type: "string", example: "CT-KAW-15964-8141" },
  partNumber: { type: "string", example: "15964-8141" },
  title: { type: "string" },
  manufacturer: {
    type: "object",
    title: "Manufacturer",
    props: { name: { type: "string" }, code: { type: "string" } },
  },
  category: { type: "string" },
  price: { ...amountRule, nullable: true },
  unitPrice: { ...amountRule, nullable: true, description: "The same as price: what a cart item carries" },
  currency: { type: "string", example: "usd" },
  imageUrl: { type: "string", nullable: true },
  availability: availabilityRule,
  status: statusRule,
  supersededBy: { type: "string", nullable: true, description: "Part number of the successor" },
});

export const partPreviewRule = rule({
  type: "object",
  title: "PartPreview",
  props: {
    ...partProps,
    highlights: {
      type: "object",
      title: "Highlights",
      description: "Escaped for HTML, with matches in `<em>`; a field without a match is left out",
      props: { partNumber: { type: "string", optional: true }, title: { type: "string", optional: true } },
    },
  },
});

export const partDetailRule = rule({
  type: "object",
  title: "PartDetail",
  props: {
    ...partProps,
    description: { type: "string", nullable: true },
    skuVariants: {
      type: "array",
      items: { type: "string" },
      description: "Other spellings of its number, and numbers that it also goes by",
    },
  },
});

export const suggestionRule = rule({
  type: "object",
  title: "SearchSuggestion",
  props: {
    text: { type: "string", description: "What to search for", example: "15964-8141" },
    highlighted: { type: "string", description: "The same, escaped for HTML, what was typed in `<em>`" },
    kind: {
      type: "enum",
      values: ["part", "query"],
      description: "`part` names one part, `query` is a search for more of them",
    },
    part: {
      type: "object",
      title: "SuggestedPart",
      optional: true,
      description: "The part that a suggestion of kind `part` names",
      props: {
        id: { type: "string", example: "kaw-159648141" },
        partNumber: { type: "string" },
        title: { type: "string" },
        unitPrice: { ...amountRule, nullable: true },
        imageUrl: { type: "string", nullable: true },
      },
    },
  },
});

export const alternativeRule = rule({
  type: "object",
  title: "AlternativePart",
  props: {
    reason: {
      type: "enum",
      values: ["successor", "predecessor", "similar"],
      description:
        "`successor` replaces this part, `predecessor` was replaced by it, `similar` is the same maker's part of the same category and kind of thing",
    },
    part: partPreviewRule,
  },
});

const NOT_LIVE_REASONS = ["not_listed", ...DIS_ERRORS] as const;

export const partAvailabilityRule = rule({
  type: "object",
  title: "PartAvailability",
  props: {
    partNumber: { type: "string", description: "As requested" },
    found: { type: "boolean" },
    id: { type: "string", nullable: true, example: "kaw-159648141" },
    title: { type: "string", nullable: true },
    price: { ...amountRule, nullable: true, description: "Null when it is not known" },
    status: {
      ...statusRule,
      nullable: true,
      description: "Null for a part that is not found; a checkout refuses a discontinued one",
    },
    availability: { ...availabilityRule, nullable: true, description: "Null for a part that is not found" },
    stock: {
      type: "number",
      integer: true,
      nullable: true,
      description: "Quantity on hand; null when it is not known",
    },
    live: {
      type: "boolean",
      description: "The supplier's answer of the last minute; otherwise the catalog's values",
    },
    ageSeconds: {
      type: "number",
      integer: true,
      nullable: true,
      description:
        "Age of the supplier's answer: less than a minute if `live`; of the catalog's values, if the supplier " +
        "confirmed them within the last hour. Null if unknown",
    },
    reason: {
      type: "enum",
      values: NOT_LIVE_REASONS,
      nullable: true,
      description:
        "Why these are not the supplier's current values. `not_listed`: it does not have the part, so its " +
        "stock is unknown; any other value is the outcome of the request. Null if `live`, and for a part that is not found",
    },
  },
});

export const indexNameRule = rule({ type: "enum", values: ["parts", "tires"] });

export const buildRule = rule({
  type: "object",
  title: "IndexBuild",
  props: {
    buildId: { type: "string" },
    status: {
      type: "enum",
      values: ["running", "published", "refused", "failed"],
      description:
        "`published`: the aliases point at the new indexes. `refused`: it was not like what it should replace. The live indexes serve on in any case",
    },
    indexes: {
      type: "array",
      items: {
        type: "object",
        title: "BuiltIndex",
        props: {
          index: indexNameRule,
          name: {
            type: "string",
            nullable: true,
            description: "Of the dated index; null until it is begun",
            example: "parts_v2026_11_21",
          },
          sent: { type: "number", integer: true, description: "Documents that were sent to it so far" },
        },
      },
    },
    force: { type: "boolean" },
    reason: { type: "string", nullable: true, description: "Why it was refused or failed" },
    startedAt: { type: "date" },
    finishedAt: { type: "date", nullable: true },
  },
});

export const datedIndexRule = rule({
  type: "object",
  title: "DatedIndex",
  props: {
    name: { type: "string", example: "parts_v2026_11_21" },
    index: indexNameRule,
    documents: { type: "number", integer: true },
    createdAt: { type: "date" },
    live: { type: "boolean", description: "The aliases point at it" },
  },
});
