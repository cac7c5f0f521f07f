import { type EventDefinition, array, date, number, object, oneOf, rules, string } from "@partline/api-contracts";
import { codedReason, countRule as count, remarksRule, vendorCodeRule } from "../resources.ts";

const pageRowRules = rules({
  read: { ...count, description: "Rows: written, unchanged, refused and repeated together" },
  written: count,
  unchanged: { ...count, description: "Known and unchanged, so not written" },
  repeated: { ...count, description: "Listed before, and counted there" },
});

const refusedRule = array(
  object("RefusedItem", {
    page: count,
    item: { ...count, description: "Its place on the page, from 1" },
    ...codedReason,
  }),
  { description: "Items that could not be used, the first 1,000 of them" },
);

export const pageSyncReportRule = object("PageSyncReport", {
  page: count,
  pageSize: { ...count, description: "As the supplier made the page" },
  total: { ...count, nullable: true, description: "Items that the supplier says it lists" },
  totalPages: { ...count, nullable: true, description: "Null, as `total` may be, of a listing by cursor" },
  ...pageRowRules,
  refused: refusedRule,
  refusedTotal: count,
});

export const syncStatusRule = oneOf(["running", "completed", "partially_failed", "failed"], {
  description:
    "`completed`: the listing was complete and every item usable; `partially_failed`: what was received is kept, and " +
    "`errors`, `refused`, `failed` and `notes` say what is missing; `failed`: nothing was received",
});

const summaryRules = rules({
  syncId: string({ example: "sync_01KADTZ6A0J0Q4W2G4B9V5R7XN" }),
  kind: oneOf(["tires", "listing", "refresh"], {
    description: "The tire supplier's listing, that of another supplier, or the dealer's price and stock",
  }),
  vendor: { ...vendorCodeRule, example: "KMT" },
  status: syncStatusRule,
  pages: object("SyncPages", {
    done: count,
    failed: count,
    total: { ...count, nullable: true, description: "Null until it is known" },
  }),
  rows: object("SyncRows", {
    ...pageRowRules,
    read: {
      ...count,
      description: "Rows so far: written, unchanged, refused, repeated, notFound and failed together",
    },
    refused: { ...count, description: "Items that could not be used" },
    notFound: { ...count, description: "Parts that the dealer does not have: their stock is unknown from now on" },
    failed: { ...count, description: "Parts that the dealer could not be asked about" },
    discontinued: { ...count, description: "Parts that are no longer listed" },
  }),
  rate: number({ description: "Rows a second" }),
  notes: array(string(), { description: "Notes for the operator; present once it has ended" }),
  remarks: remarksRule,
  startedAt: date(),
  finishedAt: date({ nullable: true }),
});

export const syncSummaryRule = object("SyncSummary", summaryRules);

export const syncReportRule = object("SyncReport", {
  ...summaryRules,
  refused: refusedRule,
  failed: array(
    object("FailedPart", { partNumber: string(), ...codedReason, reason: string({ example: "timed_out" }) }),
    {
      description: "Parts without an answer for price and stock, the first 1,000 of them; they keep the known values",
    },
  ),
  errors: array(object("FailedPage", { page: count, ...codedReason }), {
    description: "Missing pages, the first 1,000 of them",
  }),
});

const outstandingRule = array(object({ productId: string(), quantity: count }), {
  description: "Pieces that have not come",
});

export const catalogEvents = {
  "sync.ended": {
    summary: "A sync or refresh of a vendor has ended, with any outcome",
    recorded: null,
    payload: {
      vendor: vendorCodeRule,
      syncId: string(),
      status: oneOf(["completed", "partially_failed", "failed"]),
    },
  },
  "catalog.changed": {
    summary: "Parts of a vendor were written: who follows the catalog reads on from the change that it knows",
    recorded: null,
    payload: {
      vendor: vendorCodeRule,
      productIds: array(string(), { optional: true, description: "The parts, if they are few. Absent: any" }),
      cause: oneOf(["receipt"], { optional: true, description: "receipt: pieces of a purchase came" }),
    },
  },
  "purchase.expected": {
    summary: "A purchase is expected on a day, for the first time or on another day than before",
    recorded: null,
    payload: {
      purchaseId: string(),
      day: string({ description: "Day of the shop", example: "2026-12-08" }),
      items: outstandingRule,
    },
  },
  "purchase.day_removed": {
    summary: "A purchase is no longer expected on its day: it has no day now, or is cancelled",
    recorded: null,
    payload: { purchaseId: string(), items: outstandingRule },
  },
  "catalog.synced": {
    summary: "A full sync of a supplier's listing has ended",
    recorded: { aggregate: "vendor", prefixes: ["vendor_"], id: ["vendor"] },
    payload: {
      vendor: vendorCodeRule,
      syncId: string(),
      written: count,
      unchanged: count,
      discontinued: count,
      refused: count,
    },
  },
} as const satisfies Record<string, EventDefinition>;
