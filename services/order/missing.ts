import { assignStock } from "@partline/toolkit/pure";
import type { Collection, Filter } from "@partline/durable";
import { assignPieces, type Grant, type PieceCounts } from "./allocation.ts";
import type { OrderDocument } from "./collections.ts";
import { changeStock } from "./news.ts";
import { type Change, recordFields } from "./order-change.ts";
import { markLate } from "./promises.ts";
import { countPieces, setBackordered } from "./quantities.ts";
import type { OrderRepository } from "./repository.ts";
import { compareAge, isOfParts, listOpen, type OpenLine, type WaitingParts } from "./waiting.ts";

/** Returns the lines of an order, of which `quantity` pieces are open and not packed. */
function listUnpacked(order: OrderDocument): OpenLine[] {
  const lines = listOpen(order);
  const claims = lines.map(({ productId, open }) => [productId, open] as const);
  const packed = assignStock<string | undefined>(claims, countPieces(order.packed?.items ?? []));
  return lines.map((line, index) => ({ ...line, quantity: line.open - (packed[index] ?? 0) }));
}

/**
 * Takes pieces that a count did not find from open lines, the newest order first. A count says nothing of orders that were
 * placed after it, unless nobody had counted the part before. Of the orders' pieces and of those that the catalog holds,
 * the fewer count: either may not know yet what has shipped or come back.
 */
export function findMissing(orders: readonly OrderDocument[], supplies: readonly PieceCounts[]): (OpenLine & Grant)[] {
  const lines = orders.flatMap(listUnpacked).sort((a, b) => compareAge(b, a));
  const openPieces = countPieces(lines.map(({ productId, open: quantity }) => ({ productId, quantity })));
  const waitingPieces = countPieces(lines.map(({ productId, backordered: quantity }) => ({ productId, quantity })));
  const missing = supplies.map(({ id, own: ownPieces, dealer, held: heldPieces }): [string, number] => {
    const promised = Math.min(openPieces.get(id) ?? 0, heldPieces - (waitingPieces.get(id) ?? 0));
    return [id, promised - ownPieces - dealer];
  });
  const times = new Map(supplies.map(({ id, countedAt }) => [id, countedAt]));
  const counted = lines.filter(({ productId, uncounted, createdAt }) => {
    const countedAt = times.get(productId);
    return countedAt !== undefined && (uncounted > 0 || createdAt < countedAt);
  });
  return assignPieces(counted, new Map(missing));
}

/**
 * Marks pieces as waiting for stock, once, however often it is applied, and lines that have theirs as counted. The day of
 * a purchase goes: it was for fewer pieces.
 */
export function markMissing(
  order: OrderDocument,
  missing: readonly (OpenLine & Grant)[],
  now: Date,
  isCounted: (productId: string) => boolean = () => false,
): Change | undefined {
  const left = listUnpacked(order);
  const counts = new Map(
    missing.map(({ index, backordered, granted }) => {
      const line = left[index];
      return [index, line ? Math.min(line.quantity, backordered + granted - line.backordered) : 0];
    }),
  );
  const items = order.items.map((line, index) => {
    const { open, backordered } = left[index] ?? { open: 0, backordered: 0 };
    const count = Math.max(0, counts.get(index) ?? 0);
    const expectedAt = line.expectedAt === order.purchaseDays?.[line.productId] ? undefined : line.expectedAt;
    if (count > 0) return { ...markLate(line, now), backordered: backordered + count, expectedAt };
    const hasPieces = open > 0 && backordered === 0 && isCounted(line.productId);
    return line.uncounted && hasPieces ? setBackordered(line, 0) : line;
  });
  if (items.every((line, index) => line === order.items[index])) return undefined;
  const isMissing = [...counts.values()].some((count) => count > 0);
  return isMissing
    ? changeStock(order, { ...order, items }, now, true)
    : recordFields({ ...order, items }, "system", "items");
}

interface Deps {
  repository: Pick<OrderRepository, "change"> & { orders: Pick<Collection<OrderDocument>, "find"> };
  findSupplies: (ids: readonly string[]) => Promise<readonly PieceCounts[]>;
}

/**
 * Lets orders wait for the pieces of parts that a count did not find. Parts of which all that is promised is there are as
 * good as counted. @returns the ids of those that are missing
 */
export async function withdrawMissing({ repository, findSupplies }: Deps, parts: WaitingParts): Promise<string[]> {
  const findOrders = (which: Filter = {}) => repository.orders.find({ "lineStates.open": true, ...which });
  const openOrders = "vendor" in parts ? await findOrders() : undefined;
  const orderedIds = openOrders?.flatMap(({ items }) => items.map(({ productId }) => productId)) ?? [];
  const ids = "vendor" in parts ? orderedIds.filter((id) => isOfParts(parts, id)) : parts.productIds;
  const supplies = (await findSupplies([...new Set(ids)])).filter(
    ({ countedAt, own: ownPieces, held: heldPieces }) => countedAt ?? (heldPieces > 0 && ownPieces >= heldPieces),
  );
  const countedIds = new Set(supplies.map(({ id }) => id));
  if (countedIds.size === 0) return [];
  const isShort = supplies.some(({ own: ownPieces, dealer, held: heldPieces }) => heldPieces > ownPieces + dealer);
  // Mostly none is: then few orders need to be read.
  const orders = openOrders ?? (await findOrders(isShort ? {} : { isUncounted: true }));
  const missing = findMissing(orders, supplies);
  const linesByOrder = Map.groupBy(missing, (line) => line.orderId);
  for (const { _id, items } of orders) {
    const lines = linesByOrder.get(_id) ?? [];
    if (lines.length > 0 || items.some(({ productId, uncounted }) => uncounted && countedIds.has(productId)))
      await repository.change(_id, (order) => markMissing(order, lines, new Date(), (id) => countedIds.has(id)));
  }
  return missing.map(({ productId }) => productId);
}
