import { getAt } from "@partline/toolkit";
import type { Collection } from "@partline/durable";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { delay } from "./changes.ts";
import type { OrderDocument } from "./collections.ts";
import type { Change } from "./order-change.ts";
import type { OrderRepository } from "./repository.ts";
import { countQuantities, toShip } from "./quantities.ts";

/** Pieces of an order's line that wait for stock. */
export interface WaitingLine {
  orderId: string;
  orderNumber: string;
  /** Place of the line in the order. */
  index: number;
  productId: string;
  quantity: number;
}

/** Pieces of a waiting line that are there now. */
export interface Grant extends WaitingLine {
  granted: number;
}

/** Pieces of a part. */
export interface Supply {
  id: string;
  /** On the shop's own shelves. */
  own: number;
  /** As the dealer last said. */
  dealer: number;
  /** What checkouts and orders hold, waiting pieces included. */
  held: number;
}

/** Returns the lines of an order that wait for stock; none of one that will not be shipped. */
export function listWaiting(order: OrderDocument): WaitingLine[] {
  if (order.cancelling || toShip(order).length === 0) return [];
  const quantities = countQuantities(order);
  return order.items
    .map(({ productId }, index) => ({
      orderId: order._id,
      orderNumber: order.orderNumber,
      index,
      productId,
      quantity: getAt(quantities, index).backordered,
    }))
    .filter(({ quantity }) => quantity > 0);
}

/**
 * Gives the shop's own pieces that nobody holds to waiting lines. The dealer's only serve what is promised already: his
 * count may not know yet what has shipped.
 * @param waiting lines of all orders, the oldest order first
 */
export function grantPieces(waiting: readonly WaitingLine[], supplies: readonly Supply[]): Grant[] {
  const waitingPieces = new Map<string, number>();
  for (const { productId, quantity } of waiting)
    waitingPieces.set(productId, (waitingPieces.get(productId) ?? 0) + quantity);
  const free = supplies.map(({ id, own: ownPieces, dealer, held: heldPieces }): [string, number] => {
    const promised = heldPieces - (waitingPieces.get(id) ?? 0);
    return [id, ownPieces - Math.max(0, promised - dealer)];
  });
  return assignPieces(waiting, new Map(free));
}

/** Deals out pieces by product to waiting lines, in their order. */
function assignPieces(waiting: readonly WaitingLine[], free: Map<string, number>): Grant[] {
  return waiting.flatMap((line) => {
    const left = free.get(line.productId) ?? 0;
    const granted = Math.max(0, Math.min(line.quantity, left));
    free.set(line.productId, left - granted);
    return granted > 0 ? [{ ...line, granted }] : [];
  });
}

/**
 * Sets the day on which waiting pieces can be shipped. Undefined if the buyer knows it already.
 * @param grants pieces that are expected then; those of a line that they do not cover are left out
 */
export function expectPieces(
  order: OrderDocument,
  grants: readonly Grant[],
  day: string,
  now: Date,
): Change | undefined {
  const lines = listWaiting(order).filter(
    ({ index, quantity }) =>
      getAt(order.items, index).expectedAt !== day &&
      grants.some((grant) => grant.index === index && grant.granted >= quantity),
  );
  return lines.length === 0 ? undefined : delay(order, { lines, day }, { actor: "system", now });
}

/** Marks pieces as there. Undefined if the order has them already: a grant counts once, however often it is applied. */
export function markArrived(order: OrderDocument, grants: readonly Grant[], now: Date): Change | undefined {
  const waiting = new Map(listWaiting(order).map((line) => [line.index, line.quantity]));
  const pieces = grants.map(({ index, quantity, granted }) => {
    const left = waiting.get(index) ?? 0;
    return { index, left, quantity: Math.max(0, Math.min(granted, left - (quantity - granted))) };
  });
  const moved = pieces.filter(({ quantity }) => quantity > 0);
  if (moved.length === 0) return undefined;
  const items = order.items.map((line, index) => {
    const piece = moved.find((candidate) => candidate.index === index);
    if (!piece) return line;
    const { backordered: _before, backorderDays, expectedAt, ...rest } = line;
    const left = piece.left - piece.quantity;
    return left === 0 ? rest : { ...line, backordered: left };
  });
  const allocated = moved.map(({ index, quantity }) => {
    const { productId, partNumber } = getAt(order.items, index);
    return { productId, partNumber, quantity };
  });
  return {
    order: { ...order, items },
    actor: "system",
    event: { channel: "order.allocated", items: allocated, day: shopDays().dayOf(now) },
  };
}

/** Parts in one question to the catalog. */
const BATCH = 500;

interface Deps {
  repository: Pick<OrderRepository, "change"> & { orders: Pick<Collection<OrderDocument>, "find" | "findOne"> };
  findSupplies: (ids: string[]) => Promise<readonly Supply[]>;
}

/** Gives new stock to the orders that wait for it, the oldest first. */
export function createAllocation({ repository, findSupplies }: Deps) {
  const backordered = { "lineStates.backordered": true };

  async function readWaiting(): Promise<WaitingLine[]> {
    const orders = await repository.orders.find(backordered, { sort: { createdAt: 1 } });
    return orders.flatMap(listWaiting);
  }

  return {
    readWaiting,
    /** Announces the day of pieces on order to the buyers who wait for them, as far as the pieces go. */
    async announce(items: readonly { productId: string; quantity: number }[], day: string): Promise<void> {
      const waiting = await readWaiting();
      const expected = new Map(items.map(({ productId, quantity }) => [productId, quantity]));
      for (const [orderId, grants] of Map.groupBy(assignPieces(waiting, expected), (grant) => grant.orderId))
        await repository.change(orderId, (order) => expectPieces(order, grants, day, new Date()));
    },
    isNeeded: async (): Promise<boolean> => (await repository.orders.findOne(backordered)) !== null,
    /** @param isMeant whether a part may have new stock */
    async run(isMeant: (productId: string) => boolean = () => true): Promise<void> {
      const linesBefore = (await readWaiting()).filter(({ productId }) => isMeant(productId));
      const ids = [...new Set(linesBefore.map(({ productId }) => productId))];
      if (ids.length === 0) return;
      const supplies: Supply[] = [];
      for (let from = 0; from < ids.length; from += BATCH)
        supplies.push(...(await findSupplies(ids.slice(from, from + BATCH))));
      // What was ordered, shipped or cancelled while the catalog was asked may or may not be in its count.
      const linesAfter = new Map((await readWaiting()).map((line) => [`${line.orderId}:${line.index}`, line.quantity]));
      const waiting = linesBefore.map((line) => {
        const quantity = Math.min(line.quantity, linesAfter.get(`${line.orderId}:${line.index}`) ?? 0);
        return { ...line, quantity };
      });
      for (const [orderId, grants] of Map.groupBy(grantPieces(waiting, supplies), (grant) => grant.orderId))
        await repository.change(orderId, (order) => markArrived(order, grants, new Date()));
    },
  };
}
