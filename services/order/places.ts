import { assignStock, sumByKey } from "@partline/toolkit/pure";
import { findPickupPlace, type Shelf } from "../../mixins/shop/shelves.ts";
import type { OrderDocument } from "./collections.ts";
import type { Change } from "./order-change.ts";
import { compareAge, listOpen, type OpenLine } from "./waiting.ts";

/**
 * Finds how many open pieces of pickup orders' lines must come from another place: a place's own orders get its pieces
 * first, the oldest order first.
 */
export function findElsewhere(
  orders: readonly OrderDocument[],
  parts: readonly { id: string; shelves: readonly Shelf[] }[],
  pickupPlaces: readonly { id: string }[],
): (OpenLine & { elsewhere: number })[] {
  const toKey = (id: string, place = ""): string => (pickupPlaces.length < 2 ? id : `${id} ${place}`);
  const lines = orders
    .flatMap((order) => listOpen(order).map((line) => ({ ...line, key: toKey(line.productId, order.pickupPlace) })))
    .filter(({ productId }) => parts.some(({ id }) => id === productId))
    .sort(compareAge);
  const pieces = parts.flatMap(({ id, shelves }) =>
    shelves.map(({ place, onHand }) => ({ id, key: toKey(id, findPickupPlace(place, pickupPlaces)), onHand })),
  );
  const claims = lines.map(({ key, open }) => [key, open] as const);
  const here = assignStock(claims, sumByKey(pieces.map(({ key, onHand }) => [key, onHand])));
  const rest = lines.map(({ productId, open }, index) => [productId, open - (here[index] ?? 0)] as const);
  const counts = lines.map(({ productId }, index) => [productId, 0 - (here[index] ?? 0)] as const);
  const away = assignStock(rest, sumByKey([...pieces.map(({ id, onHand }) => [id, onHand] as const), ...counts]));
  return lines.map((line, index) => ({ ...line, elsewhere: away[index] ?? 0 }));
}

/** Notes which pieces must come from another place. Undefined if the order has it so already. */
export function setElsewhere(order: OrderDocument, lines: ReturnType<typeof findElsewhere>): Change | undefined {
  const items = order.items.map((line, index) => {
    const { elsewhere = line.elsewhere } = lines.find((candidate) => candidate.index === index) ?? {};
    return (elsewhere || undefined) === line.elsewhere ? line : { ...line, elsewhere: elsewhere || undefined };
  });
  const isChanged = items.some((line, index) => line !== order.items[index]);
  return isChanged ? { order: { ...order, items }, actor: "system" } : undefined;
}
