import { LRUCache } from "lru-cache";
import type { DocumentStore } from "@partline/durable";
import { PURCHASES, type PurchaseDocument } from "./purchases.ts";

const DAY_MS = 24 * 60 * 60_000;
const KEPT_MS = 5 * 60_000;
/** Fewer purchases show no usual time. */
const LEAST = 3;
const MOST = 20;
/** Share of the purchases that came in the time that is named. */
const SHARE = 0.8;

/** Returns in how many days four of five purchases came, with their last piece; undefined if there are too few. */
export function computeLeadDays(
  purchases: readonly Pick<PurchaseDocument, "createdAt" | "updatedAt">[],
): number | undefined {
  if (purchases.length < LEAST) return undefined;
  const days = purchases
    .map(({ createdAt, updatedAt }) => Math.max(1, Math.ceil((updatedAt.getTime() - createdAt.getTime()) / DAY_MS)))
    .sort((a, b) => a - b);
  return days[Math.ceil(days.length * SHARE) - 1];
}

/** Finds how long purchases at a vendor usually take, by its code. */
export function createLeadTimes(documents: DocumentStore) {
  const purchases = documents.collection<PurchaseDocument>(PURCHASES);
  const answers = new LRUCache<string, { days: number | undefined }>({
    max: 1_000,
    ttl: KEPT_MS,
    fetchMethod: async (vendor) => {
      const filter = { vendor, status: "received" };
      return { days: computeLeadDays(await purchases.find(filter, { sort: { updatedAt: -1 }, limit: MOST })) };
    },
  });
  return {
    findDays: async (vendorCode: string): Promise<number | undefined> => (await answers.fetch(vendorCode))?.days,
  };
}
