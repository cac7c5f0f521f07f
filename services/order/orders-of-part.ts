import type { Place } from "../../broker/contract/cursor.ts";
import type { Collection, Filter } from "../../mixins/document-store/port.ts";
import type { OrderDocument, OrderPartDocument } from "./collections.ts";
import { beyond, SORTS } from "./keyset.ts";

/** Newest orders of a part that a search reads, which bounds the cost of a part that many buy. */
export const MOST_ORDERS_OF_A_PART = 10_000;

interface Wanted {
  pnNorm: string;
  /** Of the orders. */
  filter: Filter;
  sort: "newest" | "oldest";
  place?: Place;
  limit: number;
}

/** Reads the orders of a part by their time: its rows have that, and each batch of rows is looked up. */
export async function ordersOfPart(
  orders: Collection<OrderDocument>,
  parts: Collection<OrderPartDocument>,
  { pnNorm, filter, sort, place, limit }: Wanted,
): Promise<OrderDocument[]> {
  const byTime = { createdAt: SORTS[sort].direction };
  const ofPart: Filter = { pnNorm, ...(filter.createdAt === undefined ? {} : { createdAt: filter.createdAt }) };
  const found: OrderDocument[] = [];
  let at = place && { value: place.value, id: `${place.id}:${pnNorm}` };
  for (let read = 0; read < MOST_ORDERS_OF_A_PART; read += limit) {
    const rows = await parts.find(at ? beyond(at, sort, ofPart) : ofPart, { sort: byTime, limit });
    const ids = rows.map(({ orderId }) => orderId);
    found.push(...(await orders.find({ ...filter, _id: { $in: ids } }, { sort: byTime })));
    if (rows.length < limit || found.length >= limit) break;
    const last = rows.at(-1)!;
    at = { value: last.createdAt.getTime(), id: last._id };
  }
  return found.slice(0, limit);
}
