import { getAt } from "@partline/toolkit";
import { assignStock } from "@partline/toolkit/pure";
import type { Collection } from "@partline/durable";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import type { OrderDocument } from "./collections.ts";
import { changeStock, CORRECTION_MS } from "./news.ts";
import type { Change } from "./order-change.ts";
import { markLate } from "./promises.ts";
import type { OrderRepository } from "./repository.ts";
import { countPieces, setBackordered } from "./quantities.ts";
import { listWaiting, readWaiting, type WaitingLine, type WaitingLineDocument, type WaitingParts } from "./waiting.ts";

/** Pieces of a waiting line that are there now. */
export interface Grant extends WaitingLine {
  granted: number;
}

/** Counts of a part's pieces. */
export interface PieceCounts {
  id: string;
  /** On the shop's own shelves. */
  own: number;
  /** When the shop last counted them; absent if it never did. */
  countedAt?: Date | undefined;
  /** As the dealer last said. */
  dealer: number;
  /** What checkouts and orders hold, waiting pieces included. */
  held: number;
}

/**
 * Gives the shop's own pieces that nobody holds to waiting lines. The dealer's only serve what is promised already: his
 * count may not know yet what has shipped.
 * @param waiting lines of all orders, the oldest order first
 */
export function grantPieces(waiting: readonly WaitingLine[], supplies: readonly PieceCounts[]): Grant[] {
  const waitingPieces = countPieces(waiting);
  const free = supplies.map(({ id, own: ownPieces, dealer, held: heldPieces }): [string, number] => {
    const promised = heldPieces - (waitingPieces.get(id) ?? 0);
    return [id, ownPieces - Math.max(0, promised - dealer)];
  });
  return assignPieces(waiting, new Map(free));
}

/** Deals out pieces by product to lines, in their order. */
export function assignPieces<L extends WaitingLine>(waiting: readonly L[], free: Map<string, number>): (L & Grant)[] {
  const dealt = assignStock(
    waiting.map(({ productId, quantity }) => [productId, quantity] as const),
    free,
  );
  return waiting.map((line, index) => ({ ...line, granted: dealt[index] ?? 0 })).filter(({ granted }) => granted > 0);
}

/** Pieces on order, and the day on which the shop can ship them. */
export interface Arrival {
  id: string;
  quantity: number;
  day: string;
}

/**
 * Returns the day on which all of a waiting line can ship, as all pieces on order are dealt out, the earliest first.
 * Undefined beyond them.
 * @param waiting lines of all orders, the oldest order first
 */
export function assignDays(waiting: readonly WaitingLine[], arrivals: readonly Arrival[]): (string | undefined)[] {
  const waitingPieces = new Map<string, number>();
  const arrivalsByPart = Map.groupBy(
    arrivals.toSorted((a, b) => (a.day < b.day ? -1 : 1)),
    ({ id }) => id,
  );
  return waiting.map(({ productId, quantity }) => {
    const needed = (waitingPieces.get(productId) ?? 0) + quantity;
    waitingPieces.set(productId, needed);
    let pieces = 0;
    return arrivalsByPart.get(productId)?.find((arrival) => (pieces += arrival.quantity) >= needed)?.day;
  });
}

/**
 * Sets the day on which waiting pieces of a part can ship. Without a day, takes back the one that a purchase gave; one
 * that staff announced stays. Undefined if the order has it so already.
 */
export function expectPieces(
  order: OrderDocument,
  productId: string,
  day: string | undefined,
  now: Date,
  isByCount = false,
): Change | undefined {
  const { purchaseDays = {} } = order;
  const lines = listWaiting(order).filter((line) => {
    const { expectedAt } = getAt(order.items, line.index);
    if (line.productId !== productId || (expectedAt === day && purchaseDays[productId] === day)) return false;
    return day !== undefined || expectedAt === purchaseDays[productId];
  });
  if (lines.length === 0) return undefined;
  const indexes = new Set(lines.map(({ index }) => index));
  const items = order.items.map((line, index) => {
    if (!indexes.has(index)) return line;
    return day === undefined ? { ...line, expectedAt: day } : { ...markLate(line, now), expectedAt: day };
  });
  const next = { ...order, items, ...(day !== undefined && { purchaseDays: { ...purchaseDays, [productId]: day } }) };
  return changeStock(order, next, now, isByCount);
}

/**
 * Marks pieces as there. Undefined if the order has them already: a grant counts once, however often it is applied.
 * @param isByCount they come by a count, which can be corrected
 */
export function markArrived(
  order: OrderDocument,
  grants: readonly Grant[],
  now: Date,
  isByCount = false,
): Change | undefined {
  const waiting = new Map(listWaiting(order).map((line) => [line.index, line.quantity]));
  const pieces = grants.map(({ index, quantity, granted }) => {
    const left = waiting.get(index) ?? 0;
    return { index, left, quantity: Math.max(0, Math.min(granted, left - (quantity - granted))) };
  });
  const moved = pieces.filter(({ quantity }) => quantity > 0);
  if (moved.length === 0) return undefined;
  const items = order.items.map((line, index) => {
    const piece = moved.find((candidate) => candidate.index === index);
    return piece ? setBackordered(line, piece.left - piece.quantity) : line;
  });
  return changeStock(order, { ...order, items }, now, isByCount);
}

interface Deps {
  repository: Pick<OrderRepository, "change">;
  lines: Pick<Collection<WaitingLineDocument>, "find" | "findOne">;
  findSupplies: (ids: readonly string[]) => Promise<readonly PieceCounts[]>;
  findArrivals: (ids: string[]) => Promise<readonly Arrival[]>;
}

/** Gives new stock to the orders that wait for it, the oldest first. */
export function createAllocation({ repository, lines, findSupplies, findArrivals }: Deps) {
  /**
   * Gives the lines that wait for parts the days of the purchases that are open now, until they have them: of
   * concurrent runs, the last one reads what is true.
   * @param isByCount because of a count, which can be corrected
   */
  async function expect(productIds: readonly string[], { isByCount = false } = {}): Promise<void> {
    const ids = [...new Set(productIds)];
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      const waiting = await readWaiting(lines, { productIds: ids });
      if (waiting.length === 0) return;
      const now = new Date();
      const days = assignDays(waiting, await findArrivals(ids));
      // An order has one day for a part: that of its last line.
      const dayByPart = new Map(
        waiting.map(({ orderId, productId }, index) => [
          `${orderId}:${productId}`,
          { orderId, productId, day: days[index] },
        ]),
      );
      for (const { orderId, productId, day } of dayByPart.values()) {
        // A purchase that is late says nothing new.
        if (day !== undefined && day < shopDays().findDay(now)) continue;
        await repository.change(orderId, (order) => {
          const change = expectPieces(order, productId, day, now, isByCount);
          if (change) isChanged = true;
          return change;
        });
      }
    }
  }

  return {
    expect,
    isNeeded: async (): Promise<boolean> => (await lines.findOne({})) !== null,
    /** @param parts that may have new stock, all unless given @param isReceived it came by a purchase, not by a count */
    async run(parts?: WaitingParts, { isReceived = false } = {}): Promise<void> {
      const linesBefore = await readWaiting(lines, parts);
      const ids = [...new Set(linesBefore.map(({ productId }) => productId))];
      const supplies = await findSupplies(ids);
      const possible = grantPieces(linesBefore, supplies);
      if (possible.length === 0) return;
      // What was ordered, shipped or cancelled while the catalog was asked may or may not be in its count. Fewer waiting
      // pieces leave no more of them free, so that nothing is missed of other parts.
      const productIds = [...new Set(possible.map(({ productId }) => productId))];
      const linesNow = await readWaiting(lines, { productIds });
      const linesAfter = new Map(linesNow.map((line) => [`${line.orderId}:${line.index}`, line.quantity]));
      const waiting = linesBefore.map((line) => {
        const quantity = Math.min(line.quantity, linesAfter.get(`${line.orderId}:${line.index}`) ?? 0);
        return { ...line, quantity };
      });
      const since = new Date(Date.now() - CORRECTION_MS);
      const counted = supplies.filter(({ countedAt }) => !isReceived && countedAt && countedAt > since);
      const isCounted = ({ productId }: Grant): boolean => counted.some(({ id }) => id === productId);
      const granted = grantPieces(waiting, supplies);
      for (const [orderId, grants] of Map.groupBy(granted, (grant) => grant.orderId))
        await repository.change(orderId, (order) => markArrived(order, grants, new Date(), grants.some(isCounted)));
      await expect(
        granted.filter(isCounted).map(({ productId }) => productId),
        { isByCount: true },
      );
    },
  };
}
