import { amountRule } from "../shared/commerce.ts";
import { array, boolean, date, integer, object, oneOf, rules, string } from "@partline/api-contracts";
import { AVAILABILITIES } from "@partline/parts-language";
import { type Attribute, ATTRIBUTES } from "@partline/parts-search";
import { DIS_ERRORS } from "../shared/dis-errors.ts";
import { interchangeOfRule, manufacturerRule, parcelRules, partFields, statusRule } from "../shared/indexed-part.ts";

const availabilityRule = oneOf(AVAILABILITIES);

export const valueFacetRule = array(
  object("FacetValue", {
    value: string({ description: "What to send as the filter" }),
    label: string({
      description: "Label to show. The category `parts`, for parts without a category, is `Other parts`",
    }),
    count: integer(),
  }),
);

const tireFacetRule = { ...valueFacetRule, optional: true, description: "Absent if there are no tires" } as const;
const tireFacets = Object.fromEntries(ATTRIBUTES.map((name) => [name, tireFacetRule])) as Record<
  Attribute,
  typeof tireFacetRule
>;

export const facetsRule = object(
  "Facets",
  {
    manufacturer: valueFacetRule,
    category: valueFacetRule,
    availability: valueFacetRule,
    machine: {
      ...valueFacetRule,
      optional: true,
      description:
        "What the hits fit by the catalog, also beside a `machine` filter. At most the 20 of most hits; left out above 500 hits",
    },
    ...tireFacets,
    price: object("PriceFacet", {
      min: { ...amountRule, nullable: true },
      max: { ...amountRule, nullable: true },
      ranges: array(
        object("PriceRange", {
          from: { ...amountRule, description: "To be sent as minPrice" },
          to: { ...amountRule, nullable: true, description: "Inclusive; send it as maxPrice. Null is open-ended" },
          count: integer(),
        }),
      ),
    }),
  },
  { description: "Each facet is counted without its own filter." },
);

const partProps = rules({
  id: string({ example: "kaw-159648141" }),
  productId: string({ description: "The same as id: what a cart item carries", example: "kaw-159648141" }),
  slug: string(),
  sku: string({ example: "CT-KAW-15964-8141" }),
  partNumber: string({ example: "15964-8141" }),
  title: string(),
  manufacturer: manufacturerRule,
  category: string(),
  price: {
    ...amountRule,
    nullable: true,
    description: "Null if the price is on request; the part then cannot be put into a cart",
  },
  unitPrice: { ...amountRule, nullable: true, description: "Same as price, as a cart item has it" },
  currency: string({ example: "usd" }),
  imageUrl: string({ nullable: true }),
  availability: availabilityRule,
  status: statusRule,
  supersededBy: string({ nullable: true, description: "Part number of the successor" }),
  ...parcelRules,
  fits: array(string({ example: "Command CH25" }), {
    optional: true,
    description:
      "Machines that it fits, as its description or its supplier's data name them; left out if they name none",
  }),
});

export const partPreviewRule = object("PartPreview", {
  ...partProps,
  highlights: object(
    "Highlights",
    { partNumber: string({ optional: true }), title: string({ optional: true }) },
    { description: "HTML-escaped, with matches in `<em>`; fields without a match are absent" },
  ),
  replaces: string({
    optional: true,
    description: "The part number in the query that this part replaces (`AG777485`)",
  }),
  interchangeOf: {
    ...interchangeOfRule,
    optional: true,
    description: "The other maker's number in the query that this part can be used in place of",
  },
});

export const listedPartRule = object("ListedPart", partProps);

export const partDetailRule = object("PartDetail", {
  ...partProps,
  description: string({ nullable: true }),
  skuVariants: array(string(), { description: "Other spellings and aliases of its number" }),
  media: partFields.media,
  sources: partFields.sources,
  createdAt: partFields.createdAt,
  updatedAt: partFields.updatedAt,
});

export const namedPartRule = object("SuggestedPart", {
  id: string({ example: "kaw-159648141" }),
  partNumber: string(),
  title: string(),
  unitPrice: { ...amountRule, nullable: true },
  imageUrl: string({ nullable: true }),
});

export const suggestionRule = object("SearchSuggestion", {
  text: string({ description: "What to search for", example: "15964-8141" }),
  highlighted: string({ description: "The text, HTML-escaped, with what was typed in `<em>`" }),
  kind: oneOf(["part", "query"], { description: "`part` names one part; `query` is a search that finds more" }),
  part: { ...namedPartRule, optional: true, description: "The part, if the kind is `part`" },
});

export const machineModelRule = object("MachineModel", {
  id: string({ description: "Of `/api/fitment/models/{model}/figures`", example: "kohler-command-ch25" }),
  equipment: string({ example: "Command CH25" }),
  manufacturer: string({ optional: true }),
});

export const alternativeRule = object("AlternativePart", {
  reason: oneOf(["successor", "predecessor", "similar"], {
    description:
      "`successor` replaces this part, `predecessor` was replaced by it, `similar` is a part of the same maker, " +
      "category and kind",
  }),
  part: partPreviewRule,
});

const NOT_LIVE_REASONS = ["not_listed", ...DIS_ERRORS] as const;

export const partAvailabilityRule = object("PartAvailability", {
  partNumber: string({ description: "As requested" }),
  found: boolean(),
  id: string({ nullable: true, example: "kaw-159648141" }),
  title: string({ nullable: true }),
  price: { ...amountRule, nullable: true, description: "Null when it is not known" },
  status: {
    ...statusRule,
    nullable: true,
    description: "Null if the part is not found; a checkout refuses discontinued parts",
  },
  availability: { ...availabilityRule, nullable: true, description: "Null if the part is not found" },
  stock: integer({ nullable: true, description: "Quantity on hand; null if unknown" }),
  own: integer({
    optional: true,
    description: "Pieces on the shop's own shelves, among them those that others hold; left out if nobody counted",
  }),
  live: boolean({
    description:
      "True if the supplier answered within the last minute, or the shop's own count decides; otherwise these are the " +
      "catalog's values",
  }),
  ageSeconds: integer({
    nullable: true,
    description: "Age of the supplier's answer: less than a minute if `live`, otherwise up to an hour. Null if unknown",
  }),
  reason: oneOf(NOT_LIVE_REASONS, {
    nullable: true,
    description:
      "Why these are not the supplier's current values. `not_listed`: the supplier does not list the part, so its " +
      "stock is unknown; any other value is the outcome of the request. Null if `live`, or if the part is not found",
  }),
});

export const liveStockRule = object("LiveStock", {
  ...partAvailabilityRule.props,
  id: string({ example: "kaw-159648141" }),
  manufacturer: string({ example: "Kawasaki" }),
  imageUrl: string({ nullable: true }),
  supply: array(
    object("Supply", {
      from: oneOf(["shelf", "dealer", "uncounted", "backorder"], {
        description: "`shelf` is the shop's own; `uncounted`: more may lie there, as nobody has counted them",
      }),
      pieces: integer({ nullable: true, description: "Null: as many as are wanted" }),
      places: array(object("SupplyPlace", { place: string({ example: "main-store" }), pieces: integer() }), {
        optional: true,
        description:
          "Of `shelf`, if the shop has several pickup places: how many of them surely lie at each. `readyOn` does not " +
          "hold for pickup of those that lie elsewhere",
      }),
      readyOn: string({
        nullable: true,
        example: "2026-12-03",
        description: "The shop's day on which they ship, or can be picked up; null if unknown",
      }),
      readyUntil: string({
        optional: true,
        example: "17:00",
        description: "The end of that day's work, if it is today",
      }),
    }),
    { description: "In the order in which pieces are sold. Empty if the stock is unknown" },
  ),
});

export const indexNameRule = oneOf(["parts", "tires"]);

export const languageRule = string({ pattern: /^[a-z]{2}$/, description: "ISO 639-1", example: "de" });

export const synonymLinesRule = array(string({ max: 300, example: "vergaser => carburetor" }), {
  max: 2_000,
  description:
    "`a, b`: each also finds the other. `a, b => c`: a and b also find c. Case, accents and a plural s do not matter",
});

export const synonymSetRule = object("SynonymSet", {
  language: languageRule,
  isDefault: boolean({ description: "The product's own" }),
  lines: synonymLinesRule,
});

export const buildRule = object("IndexBuild", {
  buildId: string(),
  status: oneOf(["running", "published", "refused", "failed"], {
    description:
      "`published`: the new indexes are live. `refused`: they differ too much from the live ones. The live " +
      "indexes serve in any case",
  }),
  indexes: array(
    object("BuiltIndex", {
      index: indexNameRule,
      name: string({
        nullable: true,
        description: "Name of the dated index; null until it exists",
        example: "parts_v2026_11_21",
      }),
      sent: integer({ description: "Documents sent to it so far" }),
    }),
  ),
  force: boolean(),
  reason: string({ nullable: true, description: "Why it was refused or failed" }),
  startedAt: date(),
  finishedAt: date({ nullable: true }),
});

export const datedIndexRule = object("DatedIndex", {
  name: string({ example: "parts_v2026_11_21" }),
  index: indexNameRule,
  documents: integer(),
  createdAt: date(),
  live: boolean({ description: "The aliases point at it" }),
});
