import { LONGEST_BIN, LONGEST_REASON, MAIN_PLACE, MOST_ON_HAND } from "../../mixins/shop/shelves.ts";
import { oneLine, paginationRule, pagingParams, writtenLine, writtenText } from "../../broker/contract/common.ts";
import { centsRule, dayRule } from "../shared/commerce.ts";
import { defineService, type HttpRoute } from "../../broker/contract/define.ts";
import { array, boolean, date, integer, number, object, oneOf, rules, sentBack, string } from "@partline/api-contracts";
import {
  availabilityRule,
  indexedPartRule,
  MOST_SHORTAGES,
  parcelRules,
  shortageFields,
  statusRule,
  supersessionFields,
  wholePartRule,
} from "../shared/indexed-part.ts";
import {
  catalogPartRule,
  countRule,
  crossReferenceRule,
  editedPartRule,
  editParams,
  importReportRule,
  importRule,
  importSummaryRule,
  interchangeReportRule,
  listedPartRule,
  LONGEST_SOURCE,
  lowStockRule,
  MOST_PURCHASED,
  ownStockRule,
  placeRule,
  PURCHASE_STATUSES,
  purchaseRule,
  standInRule,
  successorRule,
  vendorCodeRule,
  stockedPartRule,
  vendorNameRule,
  vendorRule,
} from "./resources.ts";
import { exportAction } from "../shared/export-rules.ts";
import { createRoutes } from "../shared/routes.ts";
import { catalogEvents, pageSyncReportRule, syncReportRule, syncStatusRule, syncSummaryRule } from "./syncs/rules.ts";

export const MOST_PRICE_FILE_BYTES = 1_000_000_000;

/** Parts on a page of a sitemap: as many as a message between nodes holds with room to spare. */
export const SITEMAP_PAGE = 2_500;

/** A page takes a tenth of a second and megabytes: the last in the queue is answered in time. */
const SITEMAP_BULKHEAD = { concurrency: 2, maxQueueSize: 32 } as const;

const inShop = { entries: ["catalog", "gateway"] } as const;
const createOpenRoute = (path: string, more: Partial<HttpRoute> = {}): HttpRoute[] => [
  { method: "GET", path, entries: ["catalog"], access: "none", envelope: false, ...more },
];
const createAdminRoute = (method: HttpRoute["method"], path: string, more: Partial<HttpRoute> = {}): HttpRoute[] =>
  createOpenRoute(path, {
    method,
    access: "admin",
    scope: method === "GET" ? "catalog:read" : "catalog:write",
    ...more,
  });

const TEXT_FILES = ["text/csv", "text/tab-separated-values", "application/x-ndjson"] as const;
const WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const contentTypeParam = rules({
  contentType: string({
    max: 200,
    description:
      TEXT_FILES.map((type) => `\`${type}\`, `).join("") +
      `or \`${WORKBOOK}\` (.xlsx). With a \`charset\`, the file is read by it`,
    example: "text/csv",
  }),
});
const fileUpload = {
  body: "stream",
  maxAnnounced: MOST_PRICE_FILE_BYTES,
  consumes: [...TEXT_FILES, WORKBOOK],
} as const;
/** Resolves when search finds what was written. */
const SEARCH_REFRESH = "search.refresh";
const FOUND_BY_SEARCH =
  "Search finds the parts when this answers, unless it takes more than 30 seconds to take them in.";
/** Fields of an import or a sync in the audit stream. */
const REPORTED = ["read", "written", "unchanged", "refusedTotal"] as const;
const FILE_ERRORS = [
  "VALIDATION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "VERSION_CONFLICT",
  "TIMEOUT",
] as const;
const sourceParam = string({ min: 1, max: LONGEST_SOURCE, example: "file" });

const codeParam = rules({
  code: string({ pattern: /^[A-Za-z]{3}$/, description: "Three letters, in any case", example: "XYZ" }),
});
const vendorNameParam = string({ ...writtenLine, max: 100, example: "Example Mowers" });

/** Suppliers and their segments are settings, which a contract cannot know: the service checks. */
const supplierParam = rules({
  supplier: string({
    max: 40,
    description: "Vendor code of a supplier with a listing, in any case, or its SLUG setting (TIRE_SUPPLIER_SLUG)",
    example: "kmt",
  }),
});
const numberParam = rules({
  partNumber: string({ min: 1, max: 100, description: "In any spelling", example: "15964-8141" }),
});
const partSearchParam = string({
  max: 200,
  optional: true,
  example: "15964",
  description: "Start of a part number, in any spelling; if none starts so, words of the title",
});
const partIdParam = rules({ id: string({ min: 1, max: 200, example: "kaw-159648141" }) });
const pageSizeRule = rules({
  pageSize: {
    ...countRule,
    min: 1,
    max: 500,
    default: 100,
    description: "Items per page to request from the supplier",
  },
});
const jobParam = rules({
  job: string({ max: 40, description: "`dealer`, or the vendor code of a supplier with a listing", example: "KMT" }),
});
const timedJobRule = object("TimedJob", {
  ...jobParam,
  everySeconds: countRule,
  paused: boolean(),
  succeededAt: date({ nullable: true, description: "When the last complete run ended" }),
  nextAt: date({ nullable: true, description: "Null while it is paused" }),
});
const jobAction = {
  params: jobParam,
  result: timedJobRule,
  errors: ["NOT_FOUND"],
  audit: { object: "job", id: "job", read: "timetable" },
  idempotent: true,
} as const;
const purchaseRoutes = createRoutes("orders", {
  ...{ ...inShop, access: "admin", envelope: false, base: "/api/admin/purchases" },
});
const purchaseParams = rules({ purchaseId: purchaseRule.props.purchaseId });
const openPurchaseParams = rules({
  ...purchaseParams,
  version: { ...countRule, min: 1, optional: true, description: "Changes only the version that you read" },
});
const onHandRule = integer({ min: 0, max: MOST_ON_HAND, description: "Pieces, counted" });
const binRule = string({ ...writtenLine, min: 0, max: LONGEST_BIN, optional: true });
const reorderPointRule = integer({
  min: 0,
  max: MOST_ON_HAND,
  optional: true,
  description: "The part is on the list of low stock while no more than this is on hand",
});
const purchasedRule = object("PurchasedPart", {
  id: partIdParam.id,
  quantity: { ...countRule, min: 1, max: MOST_PURCHASED, example: 2 },
});
const expectedRule = {
  ...dayRule,
  optional: true,
  description: "Day on which the shop can ship the pieces: today or later",
} as const;
const purchaseNoteRule = string({ ...writtenLine, max: 500, optional: true, example: "Order 4711 at the vendor" });
const purchaseAudit = { object: "purchase", id: "purchaseId", read: "purchase" } as const;
const changingPurchase = {
  result: purchaseRule,
  errors: ["NOT_FOUND", "INVALID_TRANSITION", "VERSION_CONFLICT"],
  audit: purchaseAudit,
} as const;
const vendorNamesRule = object({ vendors: array(vendorNameRule, { description: "By code" }) });
const vendorAudit = { object: "vendor", id: "code", read: "vendors" } as const;
const syncStartedRule = object({
  syncId: string({ description: "Look it up at GET /catalog/syncs/{syncId}" }),
});

export const catalogContract = defineService({
  name: "catalog",
  summary: "Parts of every vendor",
  asks: ["dis-router"],
  actions: {
    import: {
      summary: "Import a vendor's price file",
      description:
        "The body is the file: CSV or TSV, NDJSON, or an Excel workbook of at most 50 MB. Columns, in any order and case: " +
        "`part_number`, `title` (which a new part needs), `description`, `category`, `list_price`, `currency`, `status`, " +
        "`image_url`, `superseded_by`, `weight` (of one piece; the cell or the header has its unit), `hazmat`, `oversize` (yes " +
        "or no), `components` (of a kit: `11013-7002*2; HON:16100-Z0Y-813`), `fits` (machines, divided by semicolons), `stock` " +
        "(pieces on hand, or yes or no), `bin` (where they lie), `reorder_point`, `cost` (what the shop pays: staff alone sees it, and a " +
        "margin counts on it), `brand` (see `byBrand`). Headers of dealers' lists are read too, as are files without one; " +
        "`layout` of the report says how, with three rows as they were read, and `notes` what was ignored: ask with `dryRun`. " +
        "NDJSON has columns as keys, `components` and `fits` also as lists. The prices show whether a comma is their decimal " +
        "sign; those in another currency than USD need `currency` or `rate`. Fields without a column stay as they are; an " +
        "empty cell (in NDJSON null too) deletes the value: no price, category `parts`, status `active`, which a new part has " +
        "by default. An unusable row is refused with its line and reason and never stops the file; a row without news is not " +
        "written; a repeated number is refused with the line that had it first. If the file breaks off, the rows written so " +
        "far stay: send it again. " +
        `${FOUND_BY_SEARCH} ` +
        "At most a gigabyte (10^9 bytes): two million rows of 500.",
      params: {
        vendor: vendorRule,
        ...contentTypeParam,
        dryRun: boolean({
          default: false,
          description: "Reports what the import would write and refuse, and writes nothing",
        }),
        mapping: string({
          max: 10_000,
          optional: true,
          description:
            "Which column of the file is what, as JSON: names of columns, each with the file's header or its position from " +
            "1, or null for none. It is kept for the vendor's next files; `{}` forgets it",
          example: '{"part_number":"part_number","title":2,"category":null}',
        }),
        currency: string({
          pattern: /^[A-Za-z]{3}$/,
          optional: true,
          description: "The currency that the file names, if its amounts count as the shop's (USD) all the same",
          example: "EUR",
        }),
        rate: number({
          min: 0.000_001,
          max: 1_000_000,
          optional: true,
          description: "What one unit of the file's currency is worth in USD; prices are rounded to cents",
          example: 1.08,
        }),
        overwriteCounts: boolean({
          default: false,
          description: "`stock`, `bin` and `reorder_point` replace what people counted since the last file too",
        }),
        place: {
          ...placeRule,
          default: MAIN_PLACE,
          description: "Place of the shop that `stock`, `bin` and `reorder_point` count",
        },
        byBrand: boolean({
          default: false,
          description:
            "The column `brand` names each row's vendor, by code, name or alias; a row without a brand is of the vendor " +
            "in the path. A row of another brand is refused. `brands` of the report lists them, also without this",
        }),
        createVendors: boolean({
          default: false,
          description: "As `byBrand`, and adds a vendor for each other brand, at most 200",
        }),
        fileName: string({
          max: 200,
          ...oneLine,
          optional: true,
          description: "Named in the movements of the stock that the file counts",
          example: "stock-november.csv",
        }),
        sheet: string({
          max: 100,
          optional: true,
          description: "Name or number (from 1) of a workbook's sheet; defaults to the first that is a list",
          example: "2",
        }),
      },
      result: { ...importReportRule },
      errors: ["NOT_FOUND", ...FILE_ERRORS],
      audit: { object: "vendor", id: "vendor", report: ["dryRun", ...REPORTED] },
      http: createAdminRoute("POST", "/catalog/import/{vendor}", {
        ...fileUpload,
        awaits: SEARCH_REFRESH,
        examples: {
          "text/csv": 'part_number,title,list_price\n15964-8141,"Carburetor, Assembly, FS730V",55.00\n',
          "text/tab-separated-values":
            "part_number\ttitle\tlist_price\n15964-8141\tCarburetor, Assembly, FS730V\t55.00\n",
          "application/x-ndjson":
            '{"part_number":"15964-8141","title":"Carburetor, Assembly, FS730V","list_price":"55.00"}\n',
        },
      }),
      timeout: 30 * 60_000,
    },

    imports: {
      summary: "List the latest imports of price files, at most 20, with the progress of running ones",
      params: {},
      result: object({ imports: array(importSummaryRule) }),
      errors: [],
      http: createAdminRoute("GET", "/catalog/imports"),
    },

    importReport: {
      summary: "Get an import of a price file with its refused rows",
      description: "For 30 days after its start.",
      params: { importId: string({ min: 1, max: 100, example: "import_01KADTZ6A0J0Q4W2G4B9V5R7XN" }) },
      result: { ...importRule },
      errors: ["NOT_FOUND"],
      http: createAdminRoute("GET", "/catalog/imports/{importId}"),
    },

    importInterchange: {
      summary: "Import cross references between vendors",
      description:
        "The body is the file, read as a price file is. Columns: `vendor`, `part_number`, `other_vendor`, `other_part_number` (all " +
        "required; vendors by code, name or alias), `direction` (`both` unless given; `one_way`: the other can be used in place of " +
        "the part, and not the part in place of the other), `source` (who says so; `file` unless given). The parts may be missing " +
        "in the catalog, the vendors may not: PUT /api/admin/vendors/{code} adds one. A row of a part and itself is refused.",
      params: contentTypeParam,
      result: { ...interchangeReportRule },
      errors: FILE_ERRORS,
      audit: { object: "interchange", report: REPORTED },
      http: createAdminRoute("POST", "/catalog/interchange", {
        ...fileUpload,
        examples: {
          "text/csv": "vendor,part_number,other_vendor,other_part_number\nKAW,11013-7002,BNS,492932\n",
          "text/tab-separated-values":
            "vendor\tpart_number\tother_vendor\tother_part_number\nKAW\t11013-7002\tBNS\t492932\n",
          "application/x-ndjson":
            '{"vendor":"KAW","part_number":"11013-7002","other_vendor":"BNS","other_part_number":"492932"}\n',
        },
      }),
      timeout: 30 * 60_000,
    },

    interchange: {
      summary: "List cross references",
      params: {
        ...pagingParams,
        vendor: { ...vendorRule, optional: true, description: "Vendor code of either part, in any case" },
        partNumber: {
          ...numberParam.partNumber,
          optional: true,
          description: "Number of either part, in any spelling",
        },
        source: { ...sourceParam, optional: true },
      },
      result: object({ references: array(crossReferenceRule), pagination: paginationRule }),
      errors: ["NOT_FOUND"],
      http: createAdminRoute("GET", "/catalog/interchange"),
    },

    removeInterchange: {
      summary: "Delete the cross references of a source",
      params: { source: sourceParam },
      result: object({ deleted: countRule }),
      errors: ["TIMEOUT"],
      audit: { object: "interchange", id: "source", report: ["deleted"] },
      http: createAdminRoute("DELETE", "/catalog/interchange"),
      timeout: 10 * 60_000,
      idempotent: true,
    },

    removeCrossReference: {
      summary: "Delete a cross reference",
      params: { id: string({ min: 1, max: 250, example: "kaw-110137002~bns-492932" }) },
      result: object({ deleted: countRule }),
      errors: ["NOT_FOUND"],
      audit: { object: "cross-reference", id: "id", report: ["deleted"] },
      http: createAdminRoute("DELETE", "/catalog/interchange/{id}"),
    },

    standIns: {
      summary: "Find the parts that can be used in place of others, by cross references",
      params: {
        numbers: array(
          object({
            pnNorm: string({ min: 1, max: 100 }),
            vendor: string({
              max: 100,
              optional: true,
              description: "Any name of the vendor, with letters and digits only",
            }),
          }),
          { min: 1, max: 50 },
        ),
      },
      result: object({ parts: array(standInRule) }),
      errors: [],
      idempotent: true,
    },

    syncPage: {
      summary: "Sync one page of a supplier's listing",
      description:
        "Writes its items as parts of the supplier's vendor code. Other parts stay as they are. Of a listing by cursor " +
        `there is only page 1. ${FOUND_BY_SEARCH}`,
      params: {
        ...supplierParam,
        page: { ...countRule, min: 1, max: 1_000_000, default: 1 },
        ...pageSizeRule,
      },
      result: { ...pageSyncReportRule },
      errors: ["NOT_FOUND", "PROVIDER_ERROR", "TIMEOUT", "VALIDATION_FAILED"],
      audit: { object: "supplier", id: "supplier", report: ["page", ...REPORTED] },
      http: createAdminRoute("POST", "/catalog/{supplier}/sync", { awaits: SEARCH_REFRESH }),
      timeout: 90_000,
    },

    batchSync: {
      summary: "Sync a supplier's whole listing",
      description:
        "Responds at once; the sync runs in the background, three pages at a time (one after another if pages have a " +
        "cursor), at most 10 requests a second, with retries. While one runs, this returns its syncId. If its process dies, " +
        "another one resumes it; it ends after SYNC_TIMEOUT_SECONDS. If the listing is complete and plausible, parts that it " +
        "does not list become discontinued; a note says how many, or why none.",
      params: { ...supplierParam, ...pageSizeRule },
      result: syncStartedRule,
      errors: ["NOT_FOUND"],
      audit: { object: "supplier", id: "supplier", report: ["syncId"] },
      http: createAdminRoute("POST", "/catalog/{supplier}/batch-sync", { status: 202 }),
      idempotent: true,
    },

    refresh: {
      summary: "Refresh price and stock of a vendor's parts from the dealer",
      description: "Only for vendors that the dealer inventory system prices; in the background, as a sync is.",
      params: { vendor: vendorRule },
      result: syncStartedRule,
      errors: ["NOT_FOUND", "VALIDATION_FAILED"],
      audit: { object: "vendor", id: "vendor", report: ["syncId"] },
      http: createAdminRoute("POST", "/catalog/refresh/{vendor}", { status: 202 }),
      idempotent: true,
    },

    sync: {
      summary: "Get the progress of a sync or refresh",
      description: "For 30 days after its start.",
      params: { syncId: string({ min: 1, max: 100, example: "sync_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" }) },
      result: { ...syncReportRule },
      errors: ["NOT_FOUND"],
      http: createAdminRoute("GET", "/catalog/syncs/{syncId}"),
    },

    syncs: {
      summary: "List syncs and refreshes",
      description: "Newest first, for 30 days. GET /catalog/syncs/{syncId} lists what was refused or failed.",
      params: {
        ...pagingParams,
        vendor: { ...vendorRule, optional: true },
        status: { ...syncStatusRule, optional: true },
      },
      result: object({ syncs: array(syncSummaryRule), pagination: paginationRule }),
      errors: ["NOT_FOUND"],
      http: createAdminRoute("GET", "/catalog/syncs"),
    },

    parts: {
      summary: "List a vendor's parts",
      description: "Sorted by normalized number.",
      params: {
        vendor: vendorRule,
        ...pagingParams,
        q: partSearchParam,
        updatedSince: date({ optional: true, description: "Only parts that changed at or after this time" }),
      },
      result: object({ parts: array(indexedPartRule), pagination: paginationRule }),
      errors: ["NOT_FOUND"],
      http: createOpenRoute("/parts/{vendor}"),
    },

    sitemap: {
      summary: "List the parts of a sitemap",
      description: `By vendor, page by page in the order of the parts' ids, each page of at most ${SITEMAP_PAGE} parts, one of them active.`,
      params: {},
      result: object("Sitemap", {
        pages: array(
          object("SitemapPage", {
            vendor: vendorCodeRule,
            after: string({
              optional: true,
              description: "Id of the last part of the previous page; absent for the first page",
            }),
          }),
        ),
      }),
      errors: [],
      http: createOpenRoute("/api/sitemap", inShop),
      bulkhead: SITEMAP_BULKHEAD,
    },

    sitemapPage: {
      summary: "List the addresses of a vendor's parts",
      description:
        `\`/parts/{slug}\` in the store, of active parts alone, in the order of their ids: of the ${SITEMAP_PAGE} parts ` +
        "behind `after`, so that a page may have fewer.",
      params: {
        vendor: vendorRule,
        after: string({ max: 200, optional: true, description: "As the sitemap names it", example: "kaw-159648141" }),
      },
      result: object({
        parts: array(object("PartAddress", { slug: string(), updatedAt: date() })),
      }),
      errors: ["NOT_FOUND"],
      http: createOpenRoute("/api/sitemap/{vendor}", inShop),
      bulkhead: SITEMAP_BULKHEAD,
    },

    export: exportAction("parts", {
      what: "parts",
      order: "Vendor by vendor, by their ids; those that `from` and `to` choose by their last change, in its order.",
      scope: "catalog:read",
      entries: inShop.entries,
      place: ["KAW", "kaw-159648141"],
    }),

    part: {
      summary: "Get a part with all its details",
      description:
        "With the machines it fits by equipment manuals, the parts that it replaces and that replace it, interchangeable " +
        "parts, and its components. If the manuals cannot be read, `fitment` is empty and `missing` names it.",
      params: { vendor: vendorRule, ...numberParam },
      result: { ...wholePartRule },
      errors: ["NOT_FOUND"],
      http: createOpenRoute("/parts/{vendor}/{partNumber}"),
    },

    supersession: {
      summary: "List the parts that a part replaces and that replace it",
      params: { vendor: vendorRule, ...numberParam },
      result: object("Supersession", { id: string(), partNumber: string(), ...supersessionFields }),
      errors: ["NOT_FOUND"],
      http: createOpenRoute("/parts/{vendor}/{partNumber}/supersession"),
    },

    get: {
      summary: "Get a part by its id",
      params: { id: string({ min: 1, max: 200 }) },
      result: { ...catalogPartRule },
      errors: ["NOT_FOUND"],
      idempotent: true,
    },

    stocked: {
      summary: "Get price and stock of parts by their ids",
      description: "In the order of the ids, without those that are not found.",
      params: {
        ids: array(string({ max: 200 }), { min: 1, max: 100 }),
        hold: string({ max: 300, optional: true, description: "Key of a hold whose pieces are the caller's own" }),
      },
      result: object({ parts: array(stockedPartRule) }),
      errors: [],
      idempotent: true,
    },

    price: {
      summary: "Look up what parts cost",
      description:
        "By productId (the part's id), else by partNumber with manufacturer (name, code or alias, in any case), else by a " +
        "partNumber that one vendor alone has. Answers in the order of the items.",
      params: {
        items: array(
          object({
            productId: string({ max: 200 }),
            partNumber: string({ max: 100 }),
            manufacturer: string({ max: 200, optional: true }),
            shown: { ...centsRule, optional: true, description: "What the shopper saw" },
          }),
          { min: 1, max: 1_000 },
        ),
        confirmed: boolean({
          default: false,
          description:
            "Ask the dealer, for a second at most, about prices that are older than PRICE_MAX_AGE or other than `shown`, and " +
            "stock that is not known where it limits sales; an answer of the last minute does, without one the catalog's count",
        }),
        successors: boolean({
          default: false,
          description: "Name the successors of active parts too; those of discontinued ones always are",
        }),
      },
      result: object({
        items: array(
          object({
            found: boolean(),
            productId: string({ optional: true }),
            partNumber: string({ optional: true }),
            title: string({ optional: true }),
            status: { ...statusRule, optional: true },
            price: { ...centsRule, nullable: true, description: "Null if the part has no price or is not found" },
            availability: { ...availabilityRule, optional: true },
            imageUrl: string({ optional: true }),
            successor: { ...successorRule, optional: true },
            ...parcelRules,
          }),
        ),
      }),
      errors: [],
      idempotent: true,
    },

    adminParts: {
      summary: "List parts of all vendors, hidden ones included",
      description: "By vendor, then by normalized number. `edited` names the fields that people changed.",
      params: {
        vendor: { ...vendorRule, optional: true },
        ...pagingParams,
        q: partSearchParam,
        ids: string({
          pattern: /^[\w-]{1,200}(,[\w-]{1,200}){0,99}$/,
          words: "at most 100 ids with commas between",
          optional: true,
          example: "kaw-159648141,hon-16100Z0Y813",
          description: "Only these parts, in their order; then `vendor` and `q` do not count",
        }),
      },
      result: object({ parts: array(listedPartRule), pagination: paginationRule }),
      errors: ["NOT_FOUND"],
      http: createAdminRoute("GET", "/api/admin/parts", inShop),
    },

    adminPart: {
      summary: "Get a part with its edits, and what its sources say in their place",
      params: partIdParam,
      result: editedPartRule,
      errors: ["NOT_FOUND"],
      http: createAdminRoute("GET", "/api/admin/parts/{id}", inShop),
    },

    editPart: {
      summary: "Edit a part",
      description:
        "Send only what changes; null takes an edit back to what the vendor's file says. Edits stay through price files, " +
        "syncs, the dealer's answers and the end of a listing. A fixed price stands regardless of the dealer's; a " +
        "margin follows the vendor's price. With `version`, the edit is refused if somebody else was faster; an import " +
        `is no conflict. ${FOUND_BY_SEARCH}`,
      params: {
        ...partIdParam,
        version: { ...countRule, min: 0, optional: true, description: "As GET has it; 0 of a part without edits" },
        ...editParams,
      },
      result: editedPartRule,
      errors: ["NOT_FOUND", "VERSION_CONFLICT"],
      audit: { object: "part", id: "id", read: "adminPart" },
      http: createAdminRoute("PATCH", "/api/admin/parts/{id}", { ...inShop, awaits: SEARCH_REFRESH }),
      idempotent: true,
    },

    addPart: {
      summary: "Add a part by hand",
      description:
        "What is given stays, as an edit does, if a price file lists the number later. Without `vendor`, it is the " +
        `shop's own part: of the vendor OWN, which has the shop's name until PUT /api/admin/vendors/OWN renames it. ${FOUND_BY_SEARCH}`,
      params: {
        vendor: { ...vendorRule, optional: true },
        ...editParams,
        partNumber: string({ min: 1, max: 100, example: "SP-100", description: "New at its vendor" }),
        title: string({ ...writtenText, max: 500, example: "Grease gun" }),
        stock: object(
          "FirstStock",
          {
            place: { ...placeRule, default: MAIN_PLACE },
            onHand: onHandRule,
            bin: { ...binRule, description: "Where they lie" },
            reorderPoint: reorderPointRule,
          },
          { optional: true, description: "What the shop has of it, as PUT /api/admin/parts/{id}/stock counts it" },
        ),
      },
      result: editedPartRule,
      errors: ["NOT_FOUND", "VALIDATION_FAILED", "VERSION_CONFLICT"],
      audit: { object: "part", id: "id", read: "adminPart" },
      http: createAdminRoute("POST", "/api/admin/parts", { ...inShop, status: 201, awaits: SEARCH_REFRESH }),
      once: true,
    },

    ownStock: {
      summary: "Get what the shop has of a part, with the movements that made it",
      description: "By place. Beside it what the dealer last said, and the pieces that checkouts and orders hold.",
      params: partIdParam,
      result: { ...ownStockRule },
      errors: ["NOT_FOUND"],
      http: createAdminRoute("GET", "/api/admin/parts/{id}/stock", inShop),
    },

    countStock: {
      summary: "Set how many pieces of a part are at a place",
      description:
        "Replaces the count of the place; one with no pieces, bin or reorder point goes when another is counted next. " +
        "Shipments and returns change it from then on. With the `version` that you read, it is refused if another clerk or a " +
        "shipment has changed the count meanwhile. Price files count the place `main` by their column `stock`, except for " +
        "vendors that the dealer inventory system counts.",
      params: {
        ...partIdParam,
        place: { ...placeRule, default: MAIN_PLACE },
        onHand: onHandRule,
        bin: { ...binRule, nullable: true, description: "Where they lie; null deletes it" },
        reorderPoint: {
          ...reorderPointRule,
          nullable: true,
          description: `${reorderPointRule.description}; null deletes it`,
        },
        reason: string({
          ...writtenLine,
          max: LONGEST_REASON,
          optional: true,
          example: "Counted at the end of the month",
        }),
        version: {
          ...countRule,
          min: 0,
          optional: true,
          description: "Of the place, as GET has it; 0 if nobody has counted there",
        },
      },
      result: { ...ownStockRule },
      errors: ["NOT_FOUND", "VERSION_CONFLICT"],
      audit: { object: "part", id: "id", read: "ownStock", report: ["place", "places", "reason"] },
      http: createAdminRoute("PUT", "/api/admin/parts/{id}/stock", { ...inShop, scope: "stock:write" }),
      idempotent: true,
    },

    lowStock: {
      summary: "List the parts of which no more is on hand than their reorder point",
      description: "By id, at most 500.",
      params: {},
      result: object({ parts: array(lowStockRule) }),
      errors: [],
      http: createAdminRoute("GET", "/api/admin/low-stock", inShop),
    },

    createPurchase: {
      summary: "Record what is ordered from a vendor",
      description:
        "With `expectedAt`, buyers whose backordered pieces the open purchases cover get an email with the day: the " +
        "earliest pieces go to the oldest order. GET /api/admin/shortages lists what is missing.",
      params: {
        vendor: vendorRule,
        lines: array(purchasedRule, { min: 1, max: 500 }),
        expectedAt: expectedRule,
        note: purchaseNoteRule,
      },
      result: purchaseRule,
      errors: ["NOT_FOUND", "VALIDATION_FAILED"],
      audit: purchaseAudit,
      once: true,
      http: purchaseRoutes("POST", "", { status: 201 }),
    },
    purchases: {
      summary: "List purchases",
      description: "Newest first.",
      params: { ...pagingParams, status: oneOf(PURCHASE_STATUSES, { optional: true }) },
      result: object("Purchases", { purchases: array(purchaseRule), pagination: paginationRule }),
      errors: [],
      http: purchaseRoutes("GET", ""),
    },
    purchase: {
      summary: "Read a purchase",
      params: purchaseParams,
      result: purchaseRule,
      errors: ["NOT_FOUND"],
      http: purchaseRoutes("GET", "/{purchaseId}"),
    },
    updatePurchase: {
      summary: "Change the expected day or the note of a purchase",
      description:
        "Buyers who wait for its pieces get an email with a new day. Orders lose a day that no open purchase gives them, " +
        "without an email.",
      params: sentBack(purchaseRule.props, {
        ...openPurchaseParams,
        expectedAt: { ...expectedRule, nullable: true },
        note: { ...purchaseNoteRule, nullable: true },
      }),
      ...changingPurchase,
      http: purchaseRoutes("PATCH", "/{purchaseId}"),
    },
    receivePurchase: {
      summary: "Put pieces of a purchase that have arrived on the shelf",
      description: "Without `lines`, all that is outstanding. The oldest orders get the pieces, and an email.",
      params: {
        ...openPurchaseParams,
        lines: array(purchasedRule, { min: 1, max: 500, optional: true }),
        place: { ...placeRule, optional: true, description: "By default the first place that has the part, or main" },
      },
      ...changingPurchase,
      once: true,
      http: purchaseRoutes("POST", "/{purchaseId}/receipts", { status: 201 }),
    },
    cancelPurchase: {
      summary: "Cancel a purchase, or the rest of it",
      description: "Waiting orders get the day of another purchase that covers them, or lose the day without an email.",
      params: openPurchaseParams,
      ...changingPurchase,
      http: purchaseRoutes("POST", "/{purchaseId}/cancel"),
      once: true,
    },
    shortages: {
      summary: "Count the pieces of parts that must be ordered, by id of the part",
      params: {
        waiting: array(object({ id: string({ max: 200 }), quantity: countRule, uncounted: countRule }), {
          max: MOST_SHORTAGES,
          description: "The first parts behind `after`, by id: `pageSize`, or all. `uncounted` pieces do not wait",
        }),
        after: string({ max: 200, optional: true, description: "Id of the last part of the page before" }),
        pageSize: integer({ min: 1, max: MOST_SHORTAGES }),
      },
      result: object({
        parts: array(object(shortageFields)),
        last: string({ optional: true, description: "Absent on the last page" }),
      }),
      errors: [],
      idempotent: true,
    },
    arrivals: {
      summary: "List the pieces of parts that open purchases expect on a day",
      params: { ids: array(string({ max: 200 }), { min: 1, max: 1_000 }) },
      result: object({ arrivals: array(object({ id: string(), quantity: countRule, day: string() })) }),
      errors: [],
      idempotent: true,
    },
    supply: {
      summary: "Count the stock of parts, and what checkouts and orders hold of it",
      description: "Parts that the catalog does not have are left out.",
      params: { ids: array(string({ max: 200 }), { min: 1, max: 1_000 }) },
      result: object({
        parts: array(
          object({
            id: string(),
            own: { ...countRule, description: "Pieces on the shop's shelves" },
            countedAt: date({ optional: true, description: "When the shop last counted them; absent if it never did" }),
            dealer: { ...countRule, description: "Pieces as the dealer or the supplier last said" },
            held: { ...countRule, description: "With pieces that wait for stock" },
            shelves: array(object({ place: string(), bin: string({ optional: true }), onHand: countRule })),
          }),
        ),
      }),
      errors: [],
      idempotent: true,
    },
    hold: {
      summary: "Hold pieces for a checkout until it is paid or the hold expires",
      description: "The same key again keeps what it was promised. An order takes over the hold that it names.",
      params: {
        key: string({ min: 1, max: 300 }),
        until: date(),
        lines: array(object({ productId: string({ max: 200 }), quantity: { ...countRule, min: 1 } }), { min: 1 }),
        paid: boolean({
          default: false,
          description: "The checkout is paid, so pieces beyond the stock are not refused",
        }),
        pickupPlace: string({ max: 200, optional: true, description: "Id of the place where they are picked up" }),
      },
      result: object({
        whole: boolean({ description: "True if all pieces are held; false if the caller holds too many already" }),
        lines: array(
          object({
            backordered: {
              ...countRule,
              nullable: true,
              description: "Pieces beyond the stock, 0 if nobody has counted the part; null if the stock is unknown",
            },
            days: {
              ...countRule,
              nullable: true,
              description: "Days until those can ship, as the setting `stockPolicy` says",
            },
            uncounted: { ...countRule, description: "Pieces beyond those known, if no supplier can be asked" },
            elsewhere: { ...countRule, description: "Pieces on shelves that are not at the pickup place" },
          }),
          { description: "In the order of the lines" },
        ),
      }),
      errors: ["OUT_OF_STOCK", "VERSION_CONFLICT"],
      idempotent: true,
    },
    release: {
      summary: "Release the pieces of a checkout that can no longer be paid",
      params: { key: string({ min: 1, max: 300 }) },
      result: object({ key: string() }),
      errors: ["VERSION_CONFLICT"],
      idempotent: true,
    },

    changes: {
      summary: "Read a vendor's parts by revision",
      description: "Builds an index from 0, and keeps it current from its last revision. At most `limit` parts.",
      params: {
        vendor: vendorRule,
        after: { ...countRule, min: 0 },
        limit: { ...countRule, min: 1, max: 5_000, default: 1_000 },
        tires: boolean({ default: false, description: "Only parts of the tire index" }),
      },
      result: object({ parts: array(catalogPartRule) }),
      errors: ["NOT_FOUND"],
      idempotent: true,
    },

    revisions: {
      summary: "Get the newest revision of each vendor's parts",
      params: {},
      result: object({
        vendors: array(
          object({
            vendor: vendorCodeRule,
            revision: { ...countRule, description: "Of the newest change" },
          }),
          { description: "Vendors that have had a part" },
        ),
      }),
      errors: [],
      idempotent: true,
    },

    vendors: {
      summary: "List the vendors with their names",
      params: {},
      result: vendorNamesRule,
      errors: [],
      http: createAdminRoute("GET", "/api/admin/vendors", inShop),
    },

    setVendor: {
      summary: "Rename a vendor, or add one",
      description:
        "In place of all names that it had. A code that is new is a vendor priced by files from now on. In effect at once for " +
        "the process that answers, within 30 seconds for others; search follows.",
      params: sentBack(vendorNameRule.props, {
        ...codeParam,
        name: { ...vendorNameParam, optional: true, description: "The code unless given" },
        aliases: array(vendorNameParam, {
          max: 50,
          default: [],
          description: "Other names, for filters, before part numbers and in files. No other vendor may have them",
        }),
        isNew: boolean({
          default: false,
          description: "Refuse a code that a vendor already has, instead of renaming that vendor",
        }),
      }),
      result: vendorNameRule,
      errors: ["VALIDATION_FAILED"],
      audit: vendorAudit,
      http: createAdminRoute("PUT", "/api/admin/vendors/{code}", inShop),
      idempotent: true,
    },

    resetVendor: {
      summary: "Restore a vendor's built-in names",
      description: "An added vendor goes by its code while it has parts, and is removed if it has none.",
      params: codeParam,
      result: vendorNamesRule,
      errors: ["NOT_FOUND"],
      audit: vendorAudit,
      http: createAdminRoute("DELETE", "/api/admin/vendors/{code}", inShop),
      idempotent: true,
    },

    timetable: {
      summary: "List the scheduled jobs that keep prices current",
      params: {},
      result: object({ jobs: array(timedJobRule) }),
      errors: [],
      http: createAdminRoute("GET", "/catalog/timetable"),
    },
    pauseJob: {
      summary: "Pause a scheduled job until it is resumed",
      description: "A running sync continues.",
      http: createAdminRoute("POST", "/catalog/timetable/{job}/pause"),
      ...jobAction,
    },
    resumeJob: {
      summary: "Run a scheduled job now, and then on schedule",
      http: createAdminRoute("POST", "/catalog/timetable/{job}/resume"),
      ...jobAction,
    },

    stats: {
      summary: "Count the parts of every vendor",
      params: {},
      result: object({
        total: countRule,
        vendors: array(object({ vendor: vendorCodeRule, parts: countRule }), {
          description: "Vendors that have had a part",
        }),
        counted: boolean({ description: "True if stock of the shop's own was counted or moved in the last 400 days" }),
      }),
      errors: [],
      idempotent: true,
    },
  },
  channels: catalogEvents,
  tasks: {
    "catalog.timed": {
      summary: "Runs a scheduled job when it is due, and enqueues its next run",
      payload: { job: string(), from: string({ optional: true }) },
    },
    "catalog.renamed": {
      summary: "Marks a vendor's parts as changed, so that search reads its new names",
      payload: { vendor: string() },
    },
    "catalog.sync": {
      summary:
        "Reads a supplier's listing, or the dealer's price and stock of a vendor, from where the last run stopped",
      payload: { syncId: string() },
    },
  },
});
