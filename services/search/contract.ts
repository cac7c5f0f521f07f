import { paginationRule } from "../../broker/contract/common.ts";
import { defineService, type HttpRoute } from "../../broker/contract/define.ts";
import {
  any,
  array,
  boolean,
  integer,
  number,
  object,
  oneOf,
  record,
  rules,
  sentBack,
  string,
} from "@partline/api-contracts";
import { cartIdRule } from "../shared/commerce.ts";
import { equipmentModelRule, fitmentMakeRule, fitmentRule, fitmentSourceRule } from "../shared/fitment.ts";
import { statusRule, wholePartRule } from "../shared/indexed-part.ts";
import {
  algoliaFacetAction,
  algoliaObjectAction,
  algoliaObjectsAction,
  algoliaQueriesAction,
  algoliaQueryAction,
  instantsearchAction,
} from "./instantsearch/contract.ts";
import { MAX_DEPTH } from "@partline/parts-search";
import { AVAILABILITY_BULKHEAD, ROLLBACK_WITHIN_MS, SEARCH_BULKHEAD } from "./limits.ts";
import {
  alternativeRule,
  buildRule,
  datedIndexRule,
  facetsRule,
  indexNameRule,
  languageRule,
  namedPartRule,
  listedPartRule,
  partAvailabilityRule,
  partDetailRule,
  machineModelRule,
  partPreviewRule,
  liveStockRule,
  suggestionRule,
  synonymLinesRule,
  synonymSetRule,
  valueFacetRule,
} from "./resources.ts";

const createOpenRoute = (path: string, more: Partial<HttpRoute> = {}): HttpRoute[] => [
  { method: "GET", path, entries: ["search", "gateway"], access: "none", envelope: false, ...more },
];
const createAdminRoute = (method: HttpRoute["method"], path: string, more: Partial<HttpRoute> = {}): HttpRoute[] => {
  const scope = method === "GET" ? "search:read" : "search:admin";
  return createOpenRoute(`/api/admin/search/${path}`, { method, access: "admin", scope, ...more });
};

const searching = { errors: ["SERVICE_UNAVAILABLE"], bulkhead: SEARCH_BULKHEAD, idempotent: true } as const;

const priceParam = number({ min: 0, max: 999_999.99, optional: true });

const sortParam = oneOf(["relevance", "price_asc", "price_desc", "newest"], { default: "relevance" });

const createTireParam = (example: string, description: string) =>
  array(string({ max: 100, example }), {
    max: 50,
    optional: true,
    description: `${description}. Repeatable, of tires`,
  });

const filterParams = rules({
  q: string({
    max: 16_384,
    optional: true,
    description: "Part numbers in any spelling, or words; up to 10 kB",
    example: "carburetor 15964-8141",
  }),
  category: array(string({ max: 200, example: "Carburetors" }), {
    max: 50,
    optional: true,
    description: "Repeatable, in any case. `tires` and `wheels` narrow by kind; `wheels & tires` is both.",
  }),
  manufacturer: array(string({ max: 200, example: "Kawasaki" }), {
    max: 50,
    optional: true,
    description: "Name, code or alias, in any case. Repeatable",
  }),
  equipment: string({
    max: 200,
    optional: true,
    description:
      "Only parts of this equipment, as its manuals list them. Type the model as people do; a model that no " +
      "manual names has no parts",
    example: "gt 2254",
  }),
  machine: array(string({ max: 200, example: "Command CH25" }), {
    max: 20,
    optional: true,
    description:
      "Repeatable: parts that fit this machine, as their descriptions say (`fits`). As the catalog writes it or as people " +
      "type it; one that no part names has no parts",
  }),
  minPrice: { ...priceParam, example: 20, description: "Currency units. Parts without a price are left out" },
  maxPrice: { ...priceParam, example: 100, description: "Currency units. Parts without a price are left out" },
  inStock: boolean({ optional: true, description: "Only parts that the supplier has in stock" }),
  tireSize: createTireParam("18x8.50-8", "In any spelling: `18 850 8`, `18x8.5x8`"),
  tireRim: createTireParam("8", "Inches"),
  tireWidth: createTireParam("8.5", "Inches; millimetres for metric sizes"),
  tirePly: createTireParam("4", "Ply rating; derived from the load range if need be"),
  tireLoadIndex: createTireParam("149", "Of one tire"),
  tireSpeed: createTireParam("A8", "Speed symbol"),
  tirePattern: createTireParam("Turf Saver", "Name of the tread"),
  tireTube: createTireParam("tubeless", "`tubeless` or `tube_type`"),
  status: {
    ...statusRule,
    default: "active",
    description: "An exact part number also finds a discontinued part",
  },
});

const hitsParams = rules({
  q: { ...filterParams.q, optional: undefined },
  limit: integer({ min: 1, max: 100, default: 20 }),
});

const slice = rules({ offset: integer({ min: 0, default: 0 }), limit: integer({ min: 0, max: 100, default: 20 }) });

const hitsRule = object({
  hits: array(partPreviewRule),
  total: integer({ description: "Parts that match" }),
});

export const searchContract = defineService({
  name: "search",
  summary: "Finds parts by number and by words",
  asks: ["dis-router"],
  actions: {
    search: {
      summary: "Search parts",
      description:
        "A part number finds its part first however it is typed: case, dashes, dots, spaces and a leading vendor " +
        "code do not matter. Words match by their beginning and forgive typing errors; numbers do not. `page` " +
        "times `limit` is at most 10,000.",
      params: {
        ...filterParams,
        page: integer({ min: 1, max: MAX_DEPTH, default: 1 }),
        limit: integer({ min: 1, max: 100, optional: true, description: "20 unless given" }),
        sort: sortParam,
        fitting: {
          ...filterParams.equipment,
          description: "Says which of the parts fit this equipment, and narrows nothing. Not beside `equipment`",
        },
      },
      result: object("SearchResponse", {
        parts: array(partPreviewRule),
        fitting: object(
          "FittingParts",
          {
            ids: array(string({ example: "kaw-159648141" }), { description: "Of parts that fit, up to this page" }),
            total: integer({ description: "Of all matching parts" }),
          },
          { optional: true, description: "If `fitting` was sent" },
        ),
        pagination: {
          ...paginationRule,
          title: "SearchPagination",
          description: "`total` counts all matching parts; `totalPages` the pages that you can request",
        },
        facets: facetsRule,
        relaxedTo: string({
          optional: true,
          description:
            "No part matches the whole query, so these are the hits for this shorter one. Empty if the words name " +
            "only a machine or a price",
        }),
        equipment: string({
          optional: true,
          description: "The model named in the query, if `relaxedTo` is limited to its parts",
          example: "gt-2254",
        }),
        machines: array(string({ example: "Command CH25" }), {
          optional: true,
          description: "The machines among the words of the query whose parts alone `relaxedTo` finds, by the catalog",
        }),
        order: oneOf(["cheapest", "dearest", "newest", "biggest", "smallest", "longest", "shortest"], {
          optional: true,
          description: "The superlative of the query, by which the hits are in order",
        }),
        missing: string({
          optional: true,
          description: "What the query asks for of `machines`, and the shop has not: no part is shown",
          example: "turbocharger",
        }),
        categories: {
          ...valueFacetRule,
          optional: true,
          description: "Beside `missing`: the categories of the parts that the machines have",
        },
        minPrice: number({
          optional: true,
          description: "Lowest price named in the query (`over $20`), in currency units",
        }),
        maxPrice: number({
          optional: true,
          description: "Highest price named in the query (`under 60 dollars`), in currency units",
        }),
        suggestion: string({ optional: true, description: "A query that would find parts, if this one finds none" }),
        didYouMean: array(namedPartRule, {
          optional: true,
          description:
            "Parts whose number is one slip away from a number in the query that no part has, the likeliest first, at " +
            "most three: a character misread, wrong, missing, doubled, too many or swapped with its neighbour. None of " +
            "them is among `parts`",
        }),
      }),
      http: createOpenRoute("/api/search"),
      ...searching,
      errors: ["VALIDATION_FAILED", "SERVICE_UNAVAILABLE"],
    },

    filters: {
      summary: "Count the facets of a search",
      description: "If a query finds nothing, counts those of its replacement, as `/api/search` does (`relaxedTo`).",
      params: filterParams,
      result: object({ facets: facetsRule, total: integer() }),
      http: createOpenRoute("/api/filters"),
      ...searching,
      errors: ["VALIDATION_FAILED", "SERVICE_UNAVAILABLE"],
    },

    refresh: {
      summary: "Bring the index up to date with the catalog",
      description: "Responds once every earlier change can be found.",
      params: {},
      result: object({ indexed: integer({ description: "Parts written by this call" }) }),
      errors: ["SERVICE_UNAVAILABLE"],
      timeout: 10 * 60_000,
      idempotent: true,
    },

    suggest: {
      summary: "Suggest completions",
      description:
        "Lists numbers that begin as typed, in any spelling; then completions of the last word from titles, " +
        "makers, models or sizes; then what follows it. Those that lead to the most active parts come first. From " +
        "the fourth letter on, one typing error is forgiven if nothing begins as typed. Every suggestion finds " +
        "something. Without a query, the list is empty.",
      params: {
        q: string({ max: 200, default: "", description: "What was typed so far", example: "carb" }),
        limit: integer({ min: 1, max: 20, default: 8 }),
      },
      result: object({
        suggestions: array(suggestionRule),
        machines: array(machineModelRule, {
          optional: true,
          description: "Machines whose names begin as typed, or that are named amid other words, at most four",
        }),
      }),
      http: createOpenRoute("/api/search/suggest"),
      ...searching,
    },

    instantsearch: instantsearchAction,
    algoliaQueries: algoliaQueriesAction,
    algoliaQuery: algoliaQueryAction,
    algoliaFacet: algoliaFacetAction,
    algoliaObject: algoliaObjectAction,
    algoliaObjects: algoliaObjectsAction,

    ai: {
      summary: "Search parts, hits only",
      description: "Works like /api/search without facets and pages, for programs that read a few hits.",
      params: hitsParams,
      result: hitsRule,
      http: createOpenRoute("/api/ai"),
      ...searching,
    },

    lookUp: {
      summary: "Search parts for another service; hits only",
      description:
        "Writes no SEARCH_PERFORMED, because one question may need several searches: the other service records " +
        "the question with `recordSearch`.",
      params: hitsParams,
      result: hitsRule,
      ...searching,
    },

    findNear: {
      summary: "Find the parts whose number is one slip away from one that no part has",
      description: "The likeliest first, at most three. None if a part has the number.",
      params: { number: string({ min: 1, max: 100, example: "15964-8l41" }) },
      result: object({ parts: array(listedPartRule) }),
      ...searching,
    },

    machines: {
      summary: "Find the catalog's machines that a text names",
      description:
        "Machines that parts fit by their descriptions or data. `named`: by what no other one has; `part`: by less, " +
        "maybe one of several; `near`: a slip away, and maybe another machine.",
      params: { text: string({ max: 16_384, example: "air filter for a Kohler CH25" }) },
      result: object({
        machines: array(
          object("NamedMachine", {
            from: integer({ description: "Where in the text it begins, its maker in front included" }),
            to: integer(),
            name: string({ example: "Command CH25" }),
            how: oneOf(["named", "part", "near"]),
          }),
        ),
      }),
      ...searching,
    },

    machineMakes: {
      summary: "List the makes of the machines of manuals and catalog",
      params: { q: string({ max: 100, optional: true }), ...slice },
      result: object({ found: array(fitmentMakeRule), total: integer(), isNear: boolean() }),
      ...searching,
      errors: ["SERVICE_UNAVAILABLE", "DATABASE_UNAVAILABLE"],
    },

    machineModels: {
      summary: "List the machines of manuals and catalog",
      params: { make: string({ max: 100, optional: true }), q: string({ max: 100, optional: true }), ...slice },
      result: object({
        found: array(machineModelRule),
        total: integer(),
        isNear: boolean(),
      }),
      ...searching,
      errors: ["SERVICE_UNAVAILABLE", "DATABASE_UNAVAILABLE"],
    },

    catalogFitment: {
      summary: "List what fits by the catalog: the parts of a machine, or the machines of a part number",
      description: "By what descriptions and data of suppliers say. Active parts first.",
      params: {
        model: string({ min: 1, max: 200, optional: true }),
        part: string({ min: 1, max: 100, optional: true }),
        ...slice,
      },
      result: object({
        machines: array(equipmentModelRule),
        rows: array(
          object("CatalogFitment", {
            equipment: string(),
            source: fitmentSourceRule,
            productId: string(),
            partNumber: string(),
            title: string(),
            manufacturer: string({ description: "Of the part" }),
            replacedBy: string({ nullable: true }),
          }),
          { description: "With `part`: all of them" },
        ),
        total: integer({ description: "Parts of the machine, or rows of the part" }),
      }),
      ...searching,
    },

    fitting: {
      summary: "List the parts that fit machines of the catalog",
      description: "Active parts first, the better ones first, then parts that are no longer made.",
      params: {
        machines: array(string({ max: 200, example: "Command CH25" }), { min: 1, max: 20 }),
        limit: integer({ min: 1, max: 1_000, default: 1_000 }),
      },
      result: object({ parts: array(listedPartRule) }),
      ...searching,
    },

    recordSearch: {
      summary: "Record a search that another service made for a shopper",
      description: "Records SEARCH_PERFORMED, and responds before it is written.",
      params: {
        query: string({
          max: 16_384,
          description: "Without personal data; what looks like some is removed here too",
        }),
        resultsCount: integer({ min: 0 }),
        tookMs: number({ min: 0 }),
      },
      result: object({}),
      errors: ["SERVICE_UNAVAILABLE"],
    },

    part: {
      summary: "Get a part with all its details",
      description:
        "Returns what GET /parts/{vendor}/{partNumber} of the catalog does. If the catalog does not answer within " +
        "2 seconds, returns what the index has; `missing` names what is left out, and the stock is then unknown.",
      params: {
        id: string({
          min: 1,
          max: 200,
          description: "Id or slug, in any case; the slug of an older title works too",
          example: "kaw-159648141",
        }),
      },
      result: { ...wholePartRule },
      http: createOpenRoute("/api/parts/{id}"),
      ...searching,
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
    },

    aiPart: {
      summary: "Get a part with the machines it fits and its alternatives",
      description:
        "`fitment` comes from equipment manuals and the catalog; `source` says which. `alternatives` are the " +
        "parts that replace it or that it replaced, and active parts of the same maker and category whose title " +
        "names the same thing. If the catalog does not answer within 2 seconds, replacements are missing; if the " +
        "manuals cannot be read, theirs is missing of the fitment. `missing` says which.",
      params: {
        id: string({
          min: 1,
          max: 200,
          description: "Id, or a SKU or part number that only one part has",
          example: "kaw-159648141",
        }),
      },
      result: object({
        part: partDetailRule,
        fitment: array(fitmentRule),
        alternatives: array(alternativeRule),
        missing: array(oneOf(["supersession", "fitment"]), {
          optional: true,
          description:
            "What is missing: which parts replace this one, or were replaced by it; what it fits. Absent if " +
            "nothing is missing",
        }),
      }),
      http: createOpenRoute("/api/ai/parts/{id}"),
      ...searching,
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
    },

    aiAvailability: {
      summary: "Get price and stock of parts",
      description:
        "Results are in the order of the request. Part numbers may have any spelling, with or without a vendor " +
        "code. The supplier has 3 seconds to answer; parts that it does not answer in time have the catalog's " +
        "values, `live: false` and a `reason`.",
      params: {
        partNumbers: array(string({ min: 1, max: 100, example: "15964-8141" }), { min: 1, max: 10 }),
      },
      result: object({
        results: array(partAvailabilityRule),
        summary: object("AvailabilitySummary", {
          requested: integer(),
          found: integer(),
          available: integer({ description: "Parts that are active and in stock, even if only a few are left" }),
        }),
      }),
      errors: ["SERVICE_UNAVAILABLE"],
      http: createOpenRoute("/api/ai/availability", { method: "POST" }),
      bulkhead: AVAILABILITY_BULKHEAD,
      idempotent: true,
    },

    stock: {
      summary: "Get stock of parts by their ids, and the day on which they are ready",
      description:
        "One look-up for a list or a cart, without parts that are not found. The dealer has `waitMs` to answer; later, " +
        "the catalog's values are given with a `reason`, as they are beyond 1,000 parts a minute of one client without a key. The days follow from the shop's working hours and handling " +
        "time; add a shipping method's days.",
      params: {
        ids: array(string({ min: 1, max: 200, example: "kaw-159648141" }), { min: 1, max: 100 }),
        waitMs: integer({ min: 10, max: 3_000, default: 150, description: "Milliseconds" }),
        cartId: {
          ...cartIdRule,
          optional: true,
          description: "What the checkouts of this cart hold is in stock for it",
        },
      },
      result: object({ results: array(liveStockRule) }),
      errors: ["SERVICE_UNAVAILABLE"],
      http: createOpenRoute("/api/search/stock", { method: "POST" }),
      bulkhead: AVAILABILITY_BULKHEAD,
      idempotent: true,
    },

    reindex: {
      summary: "Build a new index beside the live one and switch to it",
      description:
        "The build continues after the answer. One runs at a time: a request for the same indexes, with the same " +
        "`force`, returns the running build; any other request is 409 BUILD_RUNNING with its `buildId` in the " +
        "details: repeat it when that build has ended. The aliases move in one step when the new indexes contain " +
        "everything that was sent to them, and not much less than the live ones unless `force` is set.",
      params: {
        index: { ...indexNameRule, optional: true, description: "Both unless given" },
        force: boolean({ default: false }),
      },
      result: object({ buildId: string() }),
      errors: ["BUILD_RUNNING", "SERVICE_UNAVAILABLE"],
      once: true,
      audit: { object: "search-index", id: "index", report: ["buildId", "force"] },
      http: createAdminRoute("POST", "reindex", { status: 202 }),
    },

    build: {
      summary: "Get the state of a build",
      description: "Builds are kept for 30 days.",
      params: { buildId: string({ min: 1, max: 100, example: "parts-20261121093000" }) },
      result: buildRule,
      errors: ["NOT_FOUND"],
      http: createAdminRoute("GET", "builds/{buildId}"),
    },

    builds: {
      summary: "List the latest builds, at most 20",
      params: {},
      result: object({ builds: array(buildRule) }),
      errors: [],
      http: createAdminRoute("GET", "builds"),
    },

    indexes: {
      summary: "List the dated indexes, newest first",
      params: {},
      result: object({ indexes: array(datedIndexRule) }),
      errors: ["SERVICE_UNAVAILABLE"],
      http: createAdminRoute("GET", "indexes"),
    },

    rollback: {
      summary: "Roll an index back to the previous one",
      description: "The previous index then catches up with the catalog.",
      params: { index: indexNameRule },
      result: object({ index: indexNameRule, from: string(), to: string() }),
      errors: ["NOT_FOUND", "SERVICE_UNAVAILABLE"],
      once: true,
      timeout: ROLLBACK_WITHIN_MS + 1_000,
      audit: { object: "search-index", id: "index", read: "indexes" },
      http: createAdminRoute("POST", "rollback"),
    },

    synonyms: {
      summary: "List the synonyms of each language",
      params: {},
      result: object({ sets: array(synonymSetRule) }),
      errors: ["SERVICE_UNAVAILABLE"],
      http: createAdminRoute("GET", "synonyms"),
    },

    setSynonyms: {
      summary: "Set the synonyms of a language",
      description:
        "In place of all that it had. In effect at once for the process that answers, within 30 seconds for others; no " +
        "index is rebuilt.",
      params: sentBack(synonymSetRule.props, { language: languageRule, lines: synonymLinesRule }),
      result: synonymSetRule,
      errors: ["SERVICE_UNAVAILABLE"],
      audit: { object: "synonyms", id: "language", read: "synonyms" },
      http: createAdminRoute("PUT", "synonyms/{language}"),
      idempotent: true,
    },

    trySynonyms: {
      summary: "Try synonyms with a query before you set them",
      description:
        "Returns the first 10 parts that the query finds now, and with these lines in place of the language's. " +
        "Changes nothing, and the search is not recorded.",
      params: {
        language: languageRule,
        lines: synonymLinesRule,
        q: string({ min: 1, max: 200, example: "vergaser" }),
      },
      result: object("SynonymTrial", { before: hitsRule, after: hitsRule }),
      errors: ["SERVICE_UNAVAILABLE"],
      http: createAdminRoute("POST", "synonyms/{language}/trial", { scope: "search:read" }),
      bulkhead: SEARCH_BULKHEAD,
      idempotent: true,
    },

    resetSynonyms: {
      summary: "Restore the built-in synonyms of a language",
      params: { language: languageRule },
      result: synonymSetRule,
      errors: ["SERVICE_UNAVAILABLE"],
      audit: { object: "synonyms", id: "language", read: "synonyms" },
      http: createAdminRoute("DELETE", "synonyms/{language}"),
      idempotent: true,
    },

    ready: {
      summary: "Throw unless the index answers and has caught up with the catalog",
      params: {},
      result: object({}),
      errors: ["SERVICE_UNAVAILABLE"],
      idempotent: true,
    },

    health: {
      summary: "Compare the index with the catalog",
      params: {},
      result: object({
        elasticsearch: oneOf(["ok", "error"]),
        mongodb: oneOf(["ok", "error"]),
        docCount_es: integer({ nullable: true, description: "Parts in the live index; null if it does not answer" }),
        docCount_api: integer({
          nullable: true,
          description: "Catalog parts that belong in the index; null if the catalog does not answer",
        }),
        delta: integer({ nullable: true, description: "docCount_api minus docCount_es; 0 if they agree" }),
        aliasTarget: object({ parts: string({ nullable: true }), tires: string({ nullable: true }) }),
      }),
      errors: [],
      idempotent: true,
    },
  },

  tasks: {
    "search.build": {
      summary: "Builds new indexes beside the live ones from scratch and switches to them",
      payload: { buildId: string() },
    },
  },

  channels: {
    "search.performed": {
      summary: "Searches were answered: the queries and how much they found, without the person",
      recorded: { aggregate: "search", prefixes: ["search_"], each: { list: "searches", at: "searched_at" } },
      payload: {
        searches: array(
          object({
            query: string({
              description:
                "At most 200 characters, without email addresses, payment card numbers, and phone numbers that found " +
                "nothing",
            }),
            results_count: integer(),
            filters: record(string(), any()),
            took_ms: number(),
            searched_at: string({ description: "ISO 8601" }),
          }),
        ),
      },
    },
  },
});
