import { getAt } from "@partline/toolkit";
import type { AtomicWrite, Collection, CollectionDefinition, Document, Filter } from "@partline/durable";
import type { OrderDocument } from "./collections.ts";
import { DERIVED } from "./derived.ts";
import { countQuantities, toShip } from "./quantities.ts";

/** Pieces of an order's line that wait for stock. */
export interface WaitingLine {
  orderId: string;
  orderNumber: string;
  /** Place of the line in the order. */
  index: number;
  productId: string;
  quantity: number;
  /** They do not wait, but nobody had counted the part. */
  isUncounted?: boolean;
}

/** One for each line that waits; written with its order, so that the two never differ. */
export interface WaitingLineDocument extends Document, WaitingLine {
  createdAt: Date;
}

export const WAITING_LINES: CollectionDefinition = {
  name: "order_waiting_lines",
  fields: { productId: "string", createdAt: "date" },
  indexes: [{ keys: { productId: 1 } }],
};

/** A line with what is still to be shipped of it. */
export interface OpenLine extends WaitingLine {
  open: number;
  backordered: number;
  /** Pieces that were sold while nobody had counted the part. */
  uncounted: number;
  createdAt: Date;
}

/** Returns the lines of an order; none of one that will not be shipped. */
export function listOpen(order: OrderDocument): OpenLine[] {
  if (order.cancelling || toShip(order).length === 0) return [];
  const { _id: orderId, orderNumber, createdAt } = order;
  const quantities = countQuantities(order);
  return order.items.map(({ productId, uncounted = 0 }, index) => {
    const { open, backordered } = getAt(quantities, index);
    return { orderId, orderNumber, createdAt, index, productId, open, backordered, uncounted, quantity: open };
  });
}

/** Returns the lines of an order that wait for stock; none of one that will not be shipped. */
export const listWaiting = (order: OrderDocument): WaitingLine[] =>
  listOpen(order).flatMap(({ orderId, orderNumber, index, productId, backordered: quantity }) =>
    quantity > 0 ? [{ orderId, orderNumber, index, productId, quantity }] : [],
  );

/** Returns the lines that must be packed of parts that nobody had counted. */
const listUncounted = (order: OrderDocument): (WaitingLine & Aged)[] =>
  listOpen(order)
    .filter(({ open, backordered, uncounted }) => uncounted > 0 && backordered === 0 && open > 0)
    .map((line) => ({ ...line, isUncounted: true }));

/** Returns the writes by which the waiting lines follow an order. @param previous undefined for a new order */
export function followWaiting(previous: OrderDocument | undefined, order: OrderDocument): AtomicWrite[] {
  const collection = WAITING_LINES;
  // An older version wrote none of an order, or did not follow its changes.
  const isFollowed = !previous || previous.derived === DERIVED;
  const linesBefore = new Map((previous ? listWaiting(previous) : []).map((line) => [line.index, line]));
  const lines = new Map(listWaiting(order).map((line) => [line.index, line]));
  return order.items.flatMap((_item, index): AtomicWrite[] => {
    const _id = `${order._id}:${index}`;
    const [lineBefore, line] = [linesBefore.get(index), lines.get(index)];
    if (isFollowed && line?.quantity === lineBefore?.quantity) return [];
    if (!line) return [{ collection, deleteOne: { filter: { _id } } }];
    const replacement = { _id, ...line, createdAt: order.createdAt };
    return [{ collection, replaceOne: { filter: { _id }, replacement, upsert: true } }];
  });
}

/** Which parts: of a vendor, or these. */
export type WaitingParts = { vendor: string } | { productIds: readonly string[] };

/** Reads the lines that wait for parts, all unless some are given: the oldest order first. */
export async function readWaiting(
  lines: Pick<Collection<WaitingLineDocument>, "find">,
  parts?: WaitingParts,
): Promise<WaitingLine[]> {
  return (await lines.find(toFilter(parts))).sort(compareAge);
}

/**
 * Reads the lines that wait for the first parts behind one, by the part's id; each part's oldest order first. Lines to be
 * packed of a part that nobody had counted are among them.
 */
export async function readWaitingParts(
  lines: Pick<Collection<WaitingLineDocument>, "iterate">,
  orders: Pick<Collection<OrderDocument>, "find">,
  { after = "", limit }: { after?: string | undefined; limit: number },
): Promise<[id: string, lines: WaitingLine[]][]> {
  const rows: (WaitingLine & Aged)[] = [];
  const ids = new Set<string>();
  for await (const line of lines.iterate({ productId: { $gt: after } }, { sort: { productId: 1 } })) {
    if (ids.add(line.productId).size > limit) break;
    rows.push(line);
  }
  for (const order of await orders.find({ "lineStates.open": true, isUncounted: true }))
    rows.push(...listUncounted(order).filter(({ productId }) => productId > after));
  const linesByPart = Map.groupBy(rows.sort(compareAge), ({ productId }) => productId);
  return [...linesByPart].sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, limit);
}

type Aged = Pick<WaitingLineDocument, "createdAt" | "orderId" | "index">;

export function compareAge(a: Aged, b: Aged): number {
  const ageOrder = a.createdAt.getTime() - b.createdAt.getTime();
  return ageOrder || a.orderId.localeCompare(b.orderId) || a.index - b.index;
}

function toFilter(parts: WaitingParts | undefined): Filter {
  if (!parts) return {};
  if ("productIds" in parts) return { productId: { $in: parts.productIds } };
  const prefix = toPrefix(parts.vendor);
  // `.` follows `-`: the range has the ids of one vendor.
  return { productId: { $gt: prefix, $lt: prefix.replace(/-$/, ".") } };
}

export const isOfParts = (parts: WaitingParts, id: string): boolean =>
  "vendor" in parts ? id.startsWith(toPrefix(parts.vendor)) : parts.productIds.includes(id);

/** Returns how the ids of a vendor's parts begin. */
const toPrefix = (vendor: string): string => `${vendor.toLowerCase()}-`;
