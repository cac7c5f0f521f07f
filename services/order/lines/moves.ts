import { invalidField, notFound, PartlineError } from "../../../mixins/errors.ts";
import { formatAmount, type Cents } from "../../../mixins/money.ts";
import { lacksAddress } from "../addressing.ts";
import type { NamedItem, OrderDocument, OrderLine, ReturnReason } from "../collections.ts";
import { paidFor } from "../refunds/ledger.ts";
import type { Change } from "../repository.ts";
import { assertPaidFor, assertVersion } from "../transitions.ts";
import { movedItems, type Quantities, receiptOf, statusOfLines, unshipped } from "./quantities.ts";

interface Facts {
  actor: string;
  now: Date;
}

/** @throws INVALID_TRANSITION for an order that is cancelled or being cancelled */
function assertAlive({ status, cancelling }: OrderDocument): void {
  const what = status === "cancelled" ? "is cancelled" : cancelling && "is being cancelled";
  if (what) throw new PartlineError("INVALID_TRANSITION", `The order ${what}`, { status });
}

export interface ShipmentRequest {
  /** All that is left unless given. */
  lines?: readonly NamedItem[];
  carrier?: string;
  trackingNumber?: string;
  adminNote?: string;
  version?: number;
}

/**
 * For shipments of pieces: an order as a whole becomes `shipped` without an address too, as a payment intent of the
 * specification has none. @throws ADDRESS_MISSING
 */
export function assertDeliverable(order: OrderDocument): void {
  if (lacksAddress(order))
    throw new PartlineError("ADDRESS_MISSING", "The order lacks a whole address: give it one first");
}

/**
 * Ships pieces; the order keeps the carrier and number of its last shipment.
 * @throws VALIDATION_FAILED, VERSION_CONFLICT; INVALID_TRANSITION if pieces are gone, or the order is not paid
 */
export function ship(
  order: OrderDocument,
  { lines, carrier, trackingNumber, adminNote, version }: ShipmentRequest,
  { actor, now, shipmentId }: Facts & { shipmentId: string },
): Change {
  assertVersion(order, version);
  assertAlive(order);
  assertPaidFor("shipped", order.paymentStatus);
  const items = movedItems(order, lines, unshipped, "ship");
  const sent = given({ carrier, trackingNumber });
  const set = given({ ...sent, adminNote });
  const shipments = [...(order.shipments ?? []), { shipmentId, items, ...sent, createdAt: now.toISOString() }];
  const shipped = { ...order, ...set, shipments };
  const next = { ...shipped, status: statusOfLines(shipped) };
  const changed = ["shipments", ...(next.status === order.status ? [] : ["status"]), ...Object.keys(set)];
  return { order: next, actor, event: { channel: "order.shipped", changed, userId: order.userId, shipmentId, items } };
}

/**
 * Corrects the carrier and number of a shipment. Undefined if nothing changes.
 * @throws NOT_FOUND, VERSION_CONFLICT
 */
export function correctShipment(
  order: OrderDocument,
  { shipmentId, carrier, trackingNumber, version }: ShipmentRequest & { shipmentId: string },
  actor: string,
): Change | undefined {
  assertVersion(order, version);
  const known = order.shipments?.find((made) => made.shipmentId === shipmentId);
  if (!known) throw notFound("Shipment", shipmentId);
  const sent = given({ carrier, trackingNumber });
  const corrected = { ...known, ...sent };
  if (corrected.carrier === known.carrier && corrected.trackingNumber === known.trackingNumber) return undefined;
  const shipments = order.shipments!.map((made) => (made === known ? corrected : made));
  const ofOrder = known === order.shipments!.at(-1) ? sent : {};
  const changed = ["shipments", ...Object.keys(ofOrder)];
  return { order: { ...order, ...ofOrder, shipments }, actor, event: { channel: "order.updated", changed } };
}

function given<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Records when pieces are expected, in days from now. @throws VALIDATION_FAILED, INVALID_TRANSITION */
export function delay(
  order: OrderDocument,
  { lines, days }: { lines?: readonly NamedItem[]; days: number },
  { actor, now }: Facts,
): Change {
  assertAlive(order);
  const items = movedItems(order, lines, unshipped, "delay");
  const expectedAt = new Date(now.getTime() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const products = new Set(items.map(({ productId }) => productId));
  const delayed = order.items.map((line) => (products.has(line.productId) ? { ...line, expectedAt } : line));
  return { order: { ...order, items: delayed }, actor, event: { channel: "order.delayed", items, days } };
}

/** Notes that pieces will come back. @throws VALIDATION_FAILED; INVALID_TRANSITION for more than was shipped */
export function expectReturn(
  order: OrderDocument,
  { lines, reason, restockingFee }: { lines: readonly NamedItem[]; reason: ReturnReason; restockingFee: Cents },
  { actor, now, returnId }: Facts & { returnId: string },
): Change {
  const { returns = [] } = order;
  const awaited = returns.flatMap((made) => (receiptOf(order, made.returnId) ? [] : made.items));
  const left = new Map<string, number>();
  const add = (productId: string, quantity: number) => left.set(productId, (left.get(productId) ?? 0) + quantity);
  for (const { productId, quantity } of awaited) add(productId, quantity);
  const unpromised = ({ shipped }: Quantities, { productId }: OrderLine): number => {
    const promised = Math.min(shipped, left.get(productId) ?? 0);
    add(productId, -promised);
    return shipped - promised;
  };
  const items = movedItems(order, lines, unpromised, "return");
  const worth = paidFor(order, items, "what is left");
  const paid = formatAmount(worth, order.currency);
  if (restockingFee > worth)
    throw invalidField("restockingFee", `is more than the ${paid} that was paid for these items`);
  const made = { returnId, items, reason, restockingFee, createdAt: now.toISOString() };
  const next = { ...order, returns: [...returns, made] };
  return { order: next, actor, event: { channel: "order.updated", changed: ["returns"] } };
}
