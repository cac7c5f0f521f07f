import { statfs } from "node:fs/promises";
import type { ServiceBroker } from "moleculer";
import type { DocumentStore } from "@partline/durable";
import { findFlaws } from "../../mixins/shipping-rates/table.ts";
import type { ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { call } from "../contracts.ts";
import { CONDITIONS, DAY_MS, HOUR_MS, type Condition, type ConditionKind } from "./collections.ts";

/** Orders that usually come in the hours that are looked at: with fewer, none might be chance. */
const USUAL_ORDERS = 8;
const LONGEST_SILENCE_HOURS = 24;
const WEEKS = 4;
const WEEK_HOURS = 7 * 24;
/** A retry of a refund may take so long. */
const REFUND_DUE_MS = HOUR_MS;
const REFUSED_MAILS = 3;
const LEAST_FREE_SHARE = 0.1;

export interface OrderCount {
  /** Start of the hour. */
  start: Date;
  orders: number;
}

/**
 * Returns whether no orders came in as many of the last hours as usually bring several. The same hours of each of the
 * last four weeks say what is usual: a shop that is closed on Sundays misses none.
 */
export function areOrdersMissing(counts: readonly OrderCount[], now: Date): boolean {
  const ordersByHour = new Map(counts.map(({ start, orders }) => [Math.floor(start.getTime() / HOUR_MS), orders]));
  const lastHour = Math.floor(now.getTime() / HOUR_MS);
  const countIn = (hours: number, weeksAgo: number): number => {
    const end = lastHour - weeksAgo * WEEK_HOURS;
    return Array.from({ length: hours }, (_, index) => ordersByHour.get(end - 1 - index) ?? 0).reduce(
      (a, b) => a + b,
      0,
    );
  };
  for (let hours = 1; hours <= LONGEST_SILENCE_HOURS; hours += 1) {
    if (countIn(hours, 0) + (ordersByHour.get(lastHour) ?? 0) > 0) return false;
    const usual = Array.from({ length: WEEKS }, (_, index) => countIn(hours, index + 1));
    const mean = usual.reduce((a, b) => a + b, 0) / WEEKS;
    if (mean >= USUAL_ORDERS && usual.every((orders) => orders > 0)) return true;
  }
  return false;
}

/** Returns a condition after one more look; undefined if nothing has changed. */
export function followCondition(
  current: Condition | null,
  kind: ConditionKind,
  isTrue: boolean,
  now: Date,
): Condition | undefined {
  const isOpen = current !== null && current.failingUntil === null;
  if (isTrue === isOpen) return undefined;
  return isOpen ? { ...current, failingUntil: now } : { _id: kind, failingSince: now, failingUntil: null };
}

interface ShopChecksDeps {
  broker: Pick<ServiceBroker, "call">;
  documents: DocumentStore;
  settings: { dataDir: string; shop: Pick<ShopFacts, "shippingTable">; shipping: { shipTo: readonly string[] } };
}

/** Looks at the business, the mails and the disk, and keeps since when something is wrong. */
export function createShopChecks({ broker, documents, settings }: ShopChecksDeps) {
  const conditions = documents.collection<Condition>(CONDITIONS);

  async function checkOrders(now: Date): Promise<boolean | undefined> {
    const from = new Date(now.getTime() - (WEEKS * 7 + 2) * DAY_MS).toISOString();
    const figures = await call(broker, "analytics.orders", { from, interval: "hour" });
    // Orders that are not counted yet may be the missing ones.
    return figures.behind === 0 ? areOrdersMissing(figures.series, now) : undefined;
  }

  async function checkRefunds(): Promise<boolean> {
    const { queues } = await call(broker, "order.adminQueues", {});
    return queues.some(({ queue, count }) => queue === "refund_due" && count > 0);
  }

  async function checkMails(now: Date): Promise<boolean> {
    const since = new Date(now.getTime() - DAY_MS);
    const { refused: refusedCount, late } = await call(broker, "mail.countRefused", { since });
    return refusedCount >= REFUSED_MAILS || late > 0;
  }

  async function checkDisk(): Promise<boolean> {
    const { bavail, blocks } = await statfs(settings.dataDir);
    return bavail / blocks < LEAST_FREE_SHARE;
  }

  /** SHIP_TO may name other countries than when the table was saved. */
  function checkShippingTable(): Promise<boolean> {
    const { shop, shipping } = settings;
    return Promise.resolve(shop.shippingTable !== null && findFlaws(shop.shippingTable, shipping.shipTo).length > 0);
  }

  const checks: Record<ConditionKind, (now: Date) => Promise<boolean | undefined>> = {
    orders: checkOrders,
    refunds: checkRefunds,
    mails: checkMails,
    shipping: checkShippingTable,
    disk: checkDisk,
  };

  return {
    /** A fact that cannot be read leaves its condition as it is. @throws AggregateError of what could not be read */
    async run(now: Date): Promise<void> {
      const outcomes = await Promise.allSettled(
        (Object.keys(checks) as ConditionKind[]).map(async (kind) => {
          const isTrue = await checks[kind](now);
          if (isTrue === undefined) return;
          const next = followCondition(await conditions.findOne({ _id: kind }), kind, isTrue, now);
          if (next) await conditions.replaceOne({ _id: kind }, next, { upsert: true });
        }),
      );
      const failures = outcomes.filter((outcome) => outcome.status === "rejected");
      if (failures.length > 0)
        throw new AggregateError(
          failures.map(({ reason }): unknown => reason),
          "Checks of the shop have failed",
        );
    },
  };
}

/** Time for which a condition holds before it is an incident, milliseconds. */
export const CONDITION_PATIENCE_MS: Record<ConditionKind, number> = {
  orders: 0,
  refunds: REFUND_DUE_MS,
  mails: 0,
  shipping: 0,
  disk: 0,
};
