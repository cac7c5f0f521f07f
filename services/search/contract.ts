import { amountRule, paginationRule } from "../../broker/contract/common.ts";
import { defineService } from "../../broker/contract/define.ts";
import { rule, rules } from "../../broker/contract/rules.ts";

const priceParam = rule({ type: "number", min: 0, max: 999_999.99, optional: true });

/** Deepest hit that can be asked for: `page` times `limit`. */
export const MAX_DEPTH = 10_000;

const filterParams = rules({
  q: { type: "string", max: 16_384, optional: true, description: "Part numbers in any spelling, and words", example: "carburetor 799868" },
  category: {
    type: "array", max: 50, optional: true, items: { type: "string", max: 200 },
    description: "Repeatable, in any case. `tires` and `wheels` narrow by kind, `wheels & tires` is both.",
  },
  manufacturer: {
    type: "array", max: 50, optional: true, items: { type: "string", max: 200 },
    description: "Repeatable: name, code or alias, in any case",
  },
  minPrice: { ...priceParam, description: "Parts without a price are left out" },
  maxPrice: { ...priceParam, description: "Parts without a price are left out" },
  status: {
    type: "enum", values: ["active", "discontinued"], default: "active",
    description: "An exact part number finds a discontinued part too",
  },
});

const valueFacetRule = rule({
  type: "array",
  items: {
    type: "object",
    title: "FacetValue",
    props: {
      value: { type: "string", description: "What to send as the filter" },
      label: { type: "string", description: "What to show; the category `parts`, of parts that are in none, is `Other parts`" },
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

export const partPreviewRule = rule({
  type: "object",
  title: "PartPreview",
  props: {
    id: { type: "string", example: "bns-799868" },
    productId: { type: "string", description: "The same as id: what a cart item carries", example: "bns-799868" },
    slug: { type: "string" },
    sku: { type: "string", example: "CT-BNS-799868" },
    partNumber: { type: "string", example: "799868" },
    title: { type: "string" },
    manufacturer: { type: "object", title: "Manufacturer", props: { name: { type: "string" }, code: { type: "string" } } },
    category: { type: "string" },
    price: { ...amountRule, nullable: true },
    unitPrice: { ...amountRule, nullable: true, description: "The same as price: what a cart item carries" },
    currency: { type: "string", example: "usd" },
    imageUrl: { type: "string", nullable: true },
    availability: { type: "enum", values: ["in_stock", "low_stock", "out_of_stock", "unknown"] },
    status: { type: "enum", values: ["active", "discontinued"] },
    supersededBy: { type: "string", nullable: true, description: "Part number of the successor" },
    highlights: {
      type: "object",
      title: "Highlights",
      description: "Escaped for HTML, what matched in `<em>`; a field that did not match is left out",
      props: { partNumber: { type: "string", optional: true }, title: { type: "string", optional: true } },
    },
  },
});

export const searchContract = defineService({
  name: "search",
  summary: "Finds parts by number and by words",
  actions: {
    search: {
      summary: "Search parts",
      description:
        "A part number finds its part first however it is typed: case, dashes, dots, spaces, a leading vendor code. Words match by " +
        "their beginning and forgive typos; numbers never do. `page` times `limit` is at most 10,000.",
      params: {
        ...filterParams,
        page: { type: "number", integer: true, min: 1, max: MAX_DEPTH, default: 1 },
        limit: { type: "number", integer: true, min: 1, max: 100, optional: true, description: "20 unless given" },
        pageSize: { type: "number", integer: true, min: 1, max: 100, optional: true, description: "Another name of `limit`, which wins" },
        sort: { type: "enum", values: ["relevance", "price_asc", "price_desc", "newest"], default: "relevance" },
      },
      result: {
        type: "object",
        title: "SearchResponse",
        props: {
          parts: { type: "array", items: partPreviewRule },
          pagination: paginationRule,
          facets: facetsRule,
          suggestion: { type: "string", optional: true, description: "A query that would find something, where this one does not" },
        },
      },
      errors: ["VALIDATION_FAILED"],
      http: [{ method: "GET", path: "/api/search", entries: ["search", "gateway"], access: "none", envelope: false }],
      idempotent: true,
    },

    filters: {
      summary: "Count what a search could be narrowed by",
      params: filterParams,
      result: { type: "object", props: { facets: facetsRule, total: { type: "number", integer: true } } },
      errors: ["VALIDATION_FAILED"],
      http: [{ method: "GET", path: "/api/filters", entries: ["search", "gateway"], access: "none", envelope: false }],
      idempotent: true,
    },

    refresh: {
      summary: "Bring the index up to the catalog's newest change",
      description: "Answers when every change that was made before the call can be found.",
      params: {},
      result: { type: "object", props: { indexed: { type: "number", integer: true, description: "Parts written by this call" } } },
      errors: ["SERVICE_UNAVAILABLE"],
      timeout: 10 * 60_000,
      idempotent: true,
    },

    rebuild: {
      summary: "Build the index anew beside the live one and switch to it",
      params: {},
      result: {
        type: "object",
        props: { aliasTarget: { type: "object", props: { parts: { type: "string" }, tires: { type: "string" } } } },
      },
      errors: ["SERVICE_UNAVAILABLE"],
      timeout: 30 * 60_000,
    },

    health: {
      summary: "Compare the index with the catalog",
      params: {},
      result: {
        type: "object",
        props: {
          elasticsearch: { type: "enum", values: ["ok", "error"] },
          mongodb: { type: "enum", values: ["ok", "error"] },
          docCount_es: { type: "number", integer: true, description: "Parts in the live index" },
          docCount_api: { type: "number", integer: true, description: "Catalog parts that belong in it" },
          delta: { type: "number", integer: true, description: "docCount_api less docCount_es; 0 when they are in step" },
          aliasTarget: {
            type: "object",
            props: { parts: { type: "string", nullable: true }, tires: { type: "string", nullable: true } },
          },
        },
      },
      errors: [],
      idempotent: true,
    },
  },
});
