import { getAt } from "@partline/toolkit";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { enqueue } from "../contracts.ts";
import { countDays } from "./changes.ts";
import type { MovedItem, OrderDocument, OrderLine } from "./collections.ts";
import { type Change, type OrderEvent, recordFields } from "./order-change.ts";
import { listWaiting } from "./waiting.ts";

/** Time in which a count can be corrected before buyers learn of it; milliseconds. */
export const CORRECTION_MS = 60_000;

/**
 * Changes what an order says of its stock. The buyer learns of it at once; of what a count changes, which can be
 * corrected, a minute after the last such change of the order, and of all in between with it. A line that is again as
 * the buyer knows it is so altogether.
 */
export function changeStock(order: OrderDocument, next: OrderDocument, now: Date, isByCount: boolean): Change {
  const { _id: orderId, items: linesBefore, knownItems = linesBefore } = order;
  if (!isByCount && !order.knownItems) {
    const { event } = findNews({ ...next, knownItems }, now) ?? {};
    return event ? { order: next, actor: "system", event } : recordFields(next, "system", "items");
  }
  const items = next.items.map((line, index) => {
    const [lineBefore, knownLine] = [getAt(linesBefore, index), getAt(knownItems, index)];
    const isOfPieces = (line.backordered ?? 0) !== (lineBefore.backordered ?? 0);
    const isKnown = (line.backordered ?? 0) === (knownLine.backordered ?? 0);
    const isRestored = line !== lineBefore && isKnown && (isOfPieces || line.expectedAt === knownLine.expectedAt);
    return isRestored ? knownLine : line;
  });
  const task = enqueue("order.news", orderId, { orderId }, { dueAt: new Date(now.getTime() + CORRECTION_MS) });
  return { ...recordFields({ ...next, items, knownItems }, "system", "items"), also: [task] };
}

/** Announces the next news of an order. When there are no more, `knownItems` is gone; undefined after that. */
export function tellNews(order: OrderDocument, now: Date): Change | undefined {
  if (!order.knownItems) return undefined;
  const { indexes, event } = findNews(order, now) ?? {};
  if (!event) return { order: { ...order, knownItems: undefined }, actor: "system" };
  const knownItems = order.knownItems.map((knownLine, index) => {
    if (!indexes?.includes(index)) return knownLine;
    const line = getAt(order.items, index);
    // The day of what is left may be news, too.
    return event.channel === "order.allocated" ? { ...line, expectedAt: knownLine.expectedAt } : line;
  });
  return { order: { ...order, knownItems }, actor: "system", event };
}

/** Finds what the buyer does not know yet: pieces that came, else those that are missing, else another day. */
function findNews(
  { knownItems = [], ...order }: OrderDocument,
  now: Date,
): { indexes: number[]; event: OrderEvent } | undefined {
  const countLines = (items: OrderLine[]) =>
    new Map(listWaiting({ ...order, items }).map(({ index, quantity }) => [index, quantity]));
  const [counts, countsBefore] = [countLines(order.items), countLines(knownItems)];
  const rows = order.items.map((line, index) => {
    const knownLine = getAt(knownItems, index);
    const [countBefore, count] = [countsBefore.get(index) ?? 0, counts.get(index) ?? 0];
    const { expectedAt: knownDay } = knownLine;
    const change = countAwaited({ ...line, expectedAt: knownDay }, count) - countAwaited(knownLine, countBefore);
    const { productId, partNumber, expectedAt: day } = line;
    // After a day that staff announced, no piece that a count does not find is news.
    const missing = day === undefined || day === order.purchaseDays?.[productId] ? Math.max(0, change) : 0;
    const late = day !== undefined && day !== knownDay ? countAwaited(line, count) : missing;
    return { index, productId, partNumber, day, arrived: Math.min(countBefore - count, -change), missing, late };
  });
  const createNews = (newsRows: typeof rows, toEvent: (items: MovedItem[]) => OrderEvent) => ({
    indexes: newsRows.map(({ index }) => index),
    event: toEvent(
      newsRows.map(({ productId, partNumber, arrived, late: quantity }) => ({
        ...{ productId, partNumber, quantity: arrived > 0 ? arrived : quantity },
      })),
    ),
  });
  const today = shopDays().findDay(now);
  const arrived = rows.filter((row) => row.arrived > 0);
  if (arrived.length > 0) return createNews(arrived, (items) => ({ channel: "order.allocated", items, day: today }));
  const late = rows.filter((row) => row.late > 0);
  if (late.some(({ missing }) => missing > 0))
    return createNews(late, (items) => ({ channel: "order.updated", changed: ["items"], items }));
  const day = late[0]?.day;
  if (day === undefined) return undefined;
  const days = countDays(today, day);
  return createNews(
    late.filter((row) => row.day === day),
    (items) => ({ channel: "order.delayed", items, days, day }),
  );
}

/** Counts backordered pieces that the buyer waits for: none of those that nobody had counted, unless a day was announced. */
function countAwaited({ expectedAt, uncounted = 0 }: OrderLine, backordered: number): number {
  return expectedAt === undefined ? Math.max(0, backordered - uncounted) : backordered;
}

/** Returns the day on which a line's pieces are expected, as far as the buyer knows: until there is news, it stays. */
export const findExpectedDay = ({ items, knownItems }: OrderDocument, index: number): string | undefined =>
  items[index]?.expectedAt ?? knownItems?.[index]?.expectedAt;
