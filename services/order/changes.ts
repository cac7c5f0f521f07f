import { getAt } from "@partline/toolkit";
import { findTrackingLink, mergePatch, omitUndefined } from "@partline/toolkit/pure";
import { addDays, shopDays } from "../../mixins/shop/shop-days.ts";
import { assertVersion, invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import { type Cents, formatAmount } from "@partline/parts-language";
import type { OrderStatus } from "../shared/placed-order.ts";
import type { InferRules } from "@partline/api-contracts";
import { isAddressMissing } from "./addressing.ts";
import type {
  MovedItem,
  NamedItem,
  OrderDocument,
  OrderReturn,
  OrderShipment,
  ReturnReason,
  ShipmentRequest,
} from "./collections.ts";
import { assertUndisputed } from "./disputes.ts";
import { computeOwed, listUnrefunded } from "./refunds/ledger.ts";
import { markLate } from "./promises.ts";
import { type Change, recordFields } from "./order-change.ts";
import { isDeepStrictEqual } from "node:util";
import { assertPaidFor, isStep } from "./transitions.ts";
import {
  listPromised,
  listReceipts,
  listShipped,
  listUnshipped,
  pickMovedItems,
  resolveStatus,
  withoutPieces,
} from "./quantities.ts";
import { deliveryFields, staffFields } from "./shape.ts";

const STAFF_FIELDS = Object.keys(staffFields) as (keyof typeof staffFields)[];

export interface Facts {
  actor: string;
  now: Date;
}

/** @throws INVALID_TRANSITION for an order that is cancelled or being cancelled */
export function assertAlive({ status, cancelling }: OrderDocument): void {
  const what = status === "cancelled" ? "is cancelled" : cancelling && "is being cancelled";
  if (what) throw new PartlineError("INVALID_TRANSITION", `The order ${what}`, { status });
}

/**
 * Asserts that pieces can be shipped: an order as a whole becomes `shipped` without an address too, as a payment intent
 * of the specification has none. @throws ADDRESS_MISSING
 */
export function assertDeliverable(order: OrderDocument): void {
  if (isAddressMissing(order))
    throw new PartlineError("ADDRESS_MISSING", "The order has no complete address. Set one first");
}

/**
 * Ships pieces; the order keeps the carrier and number of its last shipment.
 * @throws VALIDATION_FAILED, VERSION_CONFLICT, PAYMENT_DISPUTED; INVALID_TRANSITION if pieces are gone, or the order is
 * not paid
 */
export function ship(
  order: OrderDocument,
  { lines, carrier, trackingNumber, version, override, ...request }: ShipmentRequest,
  { actor, now, shipmentId }: Facts & { shipmentId: string },
): Change {
  assertVersion("The order", version, order.version);
  assertAlive(order);
  assertPaidFor("shipped", order.paymentStatus);
  if (!override) assertUndisputed(order);
  assertOfParcel(order, { carrier, trackingNumber });
  const items = pickMovedItems(order, lines, listUnshipped(order), "ship");
  const parcelFields = omitUndefined({ carrier, trackingNumber });
  const staffValues = Object.fromEntries(STAFF_FIELDS.map((field) => [field, request[field]]));
  const set = omitUndefined({ ...parcelFields, ...staffValues });
  const shipments = [...(order.shipments ?? []), { shipmentId, items, ...parcelFields, createdAt: now.toISOString() }];
  const text = `Shipped despite a dispute: ${override?.reason.trim() ?? ""}`;
  const note = { noteId: `note_${shipmentId}`, text, actor, createdAt: now.toISOString() };
  const shipped = { ...order, ...set, shipments, ...(override && { notes: [...(order.notes ?? []), note] }) };
  const next = { ...shipped, status: resolveStatus(shipped) };
  const changedFields = [
    "shipments",
    ...(next.status === order.status ? [] : ["status"]),
    ...(override ? ["notes"] : []),
    ...Object.keys(set),
  ];
  const { userId, orderNumber, pickupPlace } = order;
  const trackingUrl = findTrackingLink(carrier, trackingNumber);
  const parcel = { shipmentId, ...parcelFields, trackingUrl, pickupPlace, items };
  return {
    order: next,
    actor,
    event: { channel: "order.shipped", changed: changedFields, userId, orderNumber, ...parcel },
  };
}

/** @throws NOT_FOUND */
export function findShipment({ shipments }: OrderDocument, shipmentId: string): OrderShipment {
  const shipment = shipments?.find((candidate) => candidate.shipmentId === shipmentId);
  if (!shipment) throw notFound("Shipment", shipmentId);
  return shipment;
}

/**
 * Corrects the carrier and number of a shipment; the order keeps those of its last one. Undefined if nothing changes.
 * The event names the shipment while its buyer still waits for it.
 * @throws NOT_FOUND, VERSION_CONFLICT
 */
export function correctShipment(
  order: OrderDocument,
  { shipmentId, carrier, trackingNumber, version }: ShipmentRequest & { shipmentId: string },
  actor: string,
): Change | undefined {
  assertVersion("The order", version, order.version);
  assertOfParcel(order, { carrier, trackingNumber });
  const shipment = findShipment(order, shipmentId);
  const parcelFields = omitUndefined({ carrier, trackingNumber });
  // What the carrier said is of the parcel with the number before.
  const isSame = (trackingNumber ?? shipment.trackingNumber) === shipment.trackingNumber;
  const corrected = { ...shipment, ...parcelFields, ...(!isSame && { expectedAt: undefined, failedAt: undefined }) };
  if (corrected.carrier === shipment.carrier && corrected.trackingNumber === shipment.trackingNumber) return undefined;
  const shipments = order.shipments!.map((candidate) => (candidate === shipment ? corrected : candidate));
  const orderFields = shipment === order.shipments!.at(-1) ? parcelFields : {};
  const changedFields = ["shipments", ...Object.keys(orderFields)];
  return {
    order: { ...order, ...orderFields, shipments },
    actor,
    event: { channel: "order.updated", changed: changedFields, ...nameAwaited(order, corrected) },
  };
}

/** Names a parcel that can be tracked, until it has arrived. */
function nameAwaited({ status }: OrderDocument, { shipmentId, items, trackingNumber, deliveredAt }: OrderShipment) {
  const isAwaited = status !== "delivered" && deliveredAt === undefined && trackingNumber !== undefined;
  return isAwaited ? { shipmentId, items } : {};
}

/** Corrects how the buyer is reached. Undefined if nothing changes. @throws VERSION_CONFLICT */
export function setContact(
  order: OrderDocument,
  { version, ...changes }: ContactRequest,
  actor: string,
): Change | undefined {
  assertVersion("The order", version, order.version);
  const contact = mergePatch(order.contact ?? {}, changes);
  if (isDeepStrictEqual(contact, order.contact ?? {})) return undefined;
  return recordFields({ ...order, contact }, actor, "contact");
}

interface ContactRequest {
  email?: string | undefined;
  name?: string | null | undefined;
  phone?: string | null | undefined;
  version?: number | undefined;
}

/** Time in which a shipment can be cancelled. */
const CANCELLABLE_MS = 60 * 60_000;

/** Returns until when a shipment can be cancelled; why it cannot, once its pieces are delivered, refunded or come back. */
export function findCancellable(order: OrderDocument, { items, createdAt }: OrderShipment): Date | string {
  if (order.status === "delivered") return "is delivered";
  // It could not be shipped again: the buyer's data are erased.
  if (order.fulfilment !== "pickup" && !order.shippingAddress) return "has no address any more";
  if (order.fulfilment !== "pickup" && (order.paymentStatus === "refunded" || order.refundDue)) return "is refunded";
  if (!isDeepStrictEqual(listUnrefunded(order, items), items)) return "has refunded items";
  const products = new Set(items.map(({ productId }) => productId));
  const isComingBack = order.returns?.some(
    (orderReturn) =>
      orderReturn.items.some(({ productId }) => products.has(productId)) &&
      (listPromised(order, orderReturn).length > 0 || listReceipts(order, orderReturn.returnId).length > 0),
  );
  return isComingBack ? "has a return" : new Date(Date.parse(createdAt) + CANCELLABLE_MS);
}

/**
 * Takes a shipment back that has not left after all: its pieces must be shipped again.
 * @throws NOT_FOUND, VERSION_CONFLICT; INVALID_TRANSITION after an hour, or once its pieces are delivered or come back
 */
export function cancelShipment(
  order: OrderDocument,
  { shipmentId, version }: { shipmentId: string; version?: number },
  { actor, now }: Facts,
): Change {
  assertVersion("The order", version, order.version);
  const { shipments = [], status, orderNumber } = order;
  const shipment = findShipment(order, shipmentId);
  const rest = shipments.filter((candidate) => candidate !== shipment);
  const { items, carrier, trackingNumber } = shipment;
  const until = findCancellable(order, shipment);
  const why = typeof until === "string" ? until : now > until && "left more than an hour ago";
  if (why) throw new PartlineError("INVALID_TRANSITION", `A shipment that ${why} cannot be cancelled`, { status });
  const last = rest.at(-1);
  const next = {
    ...order,
    status: status === "shipped" ? ("processing" as const) : status,
    shipments: rest.length > 0 ? rest : undefined,
    carrier: last?.carrier,
    trackingNumber: last?.trackingNumber,
  };
  const changedFields = ["shipments", ...(next.status === status ? [] : ["status"])];
  const parcel = omitUndefined({ carrier, trackingNumber });
  return {
    order: next,
    actor,
    event: { channel: "order.shipment_cancelled", changed: changedFields, orderNumber, shipmentId, ...parcel, items },
  };
}

const DAY_MS = 24 * 60 * 60_000;

/** Counts the days from one to another; 0 for one that is past. */
export const countDays = (from: string, to: string): number =>
  Math.max(0, (Date.parse(to) - Date.parse(from)) / DAY_MS);

/** Records when staff expect pieces, of which the buyer learns at once. @throws VALIDATION_FAILED, INVALID_TRANSITION */
export function delay(
  order: OrderDocument,
  { lines, days }: { lines?: readonly NamedItem[]; days: number },
  { actor, now }: Facts,
): Change {
  assertAlive(order);
  const items = pickMovedItems(order, lines, listUnshipped(order), "delay");
  const day = addDays(shopDays().findDay(now), days);
  const products = new Set(items.map(({ productId }) => productId));
  const delayed = order.items.map((line) =>
    products.has(line.productId) ? { ...markLate(line, now), expectedAt: day } : line,
  );
  const knownItems = order.knownItems?.map((line, index) =>
    products.has(line.productId) ? getAt(delayed, index) : line,
  );
  return {
    order: { ...order, items: delayed, knownItems },
    actor,
    event: { channel: "order.delayed", items, days, day },
  };
}

/** Notes that pieces will come back. @throws VALIDATION_FAILED; INVALID_TRANSITION for more than was shipped */
export function expectReturn(
  order: OrderDocument,
  { lines, reason, restockingFee }: { lines: readonly NamedItem[]; reason: ReturnReason; restockingFee: Cents },
  { actor, now, returnId }: Facts & { returnId: string },
): Change {
  const items = pickReturnable(order, lines);
  assertFee(order, items, restockingFee);
  const newReturn = { returnId, items, reason, restockingFee, createdAt: now.toISOString() };
  const next = { ...order, returns: [...(order.returns ?? []), newReturn] };
  return announceReturn(next, newReturn, actor, { state: "approved", byStaff: true });
}

export function announceReturn(
  order: OrderDocument,
  { returnId, items, reason, restockingFee }: OrderReturn,
  actor: string,
  facts: { state: NonNullable<OrderReturn["state"]>; byStaff?: boolean },
): Change {
  const owed = Math.max(0, computeOwed(order, items) - restockingFee);
  const fields = { orderNumber: order.orderNumber, returnId, reason, items, owed, ...facts };
  return { order, actor, event: { channel: "order.return_updated", changed: ["returns"], ...fields } };
}

/** Returns pieces that have left and are of no other return. @throws VALIDATION_FAILED, INVALID_TRANSITION */
export function pickReturnable(order: OrderDocument, lines: readonly NamedItem[]): MovedItem[] {
  const promised = (order.returns ?? []).flatMap((orderReturn) => listPromised(order, orderReturn));
  return pickMovedItems(order, lines, withoutPieces(listShipped(order), promised), "return");
}

/** @throws VALIDATION_FAILED if more would be kept than was paid */
export function assertFee(order: OrderDocument, items: readonly MovedItem[], restockingFee: Cents): void {
  const owed = computeOwed(order, items);
  const paid = formatAmount(owed, order.currency);
  if (restockingFee > owed)
    throw invalidField("restockingFee", `is more than the ${paid} that was paid for these items`);
}

/** @throws NOT_FOUND */
export function findReturn({ returns }: OrderDocument, returnId: string): OrderReturn {
  const existing = returns?.find((candidate) => candidate.returnId === returnId);
  if (!existing) throw notFound("Return", returnId);
  return existing;
}

/** Returns the order with a return in place of the one with its id. */
export function replaceReturn(order: OrderDocument, next: OrderReturn): OrderDocument {
  const returns = order.returns?.map((candidate) => (candidate.returnId === next.returnId ? next : candidate));
  return { ...order, returns };
}

/**
 * Calls off what is awaited of a return; what has come of it stays. Undefined if it was called off before.
 * @throws NOT_FOUND; INVALID_TRANSITION if all of it has come, or any of it and the buyer calls it off
 */
export function cancelReturn(
  order: OrderDocument,
  returnId: string,
  { actor, now, isBuyer = false }: Facts & { isBuyer?: boolean },
): Change | undefined {
  const existing = findReturn(order, returnId);
  if (existing.cancelledAt !== undefined || existing.state === "refused") return undefined;
  const items = listPromised(order, existing);
  if (items.length === 0 || (isBuyer && listReceipts(order, returnId).length > 0))
    throw new PartlineError("INVALID_TRANSITION", "Pieces of the return have arrived", { returnId });
  const next = replaceReturn(order, { ...existing, cancelledAt: now.toISOString() });
  return { order: next, actor, event: { channel: "order.updated", changed: ["returns"], returnId, items } };
}

const settable = { ...deliveryFields, ...staffFields };

type OrderPatch = InferRules<typeof settable> & {
  status?: OrderStatus;
  version?: number;
  override?: ShipmentRequest["override"];
};

const SETTABLE = ["status", ...(Object.keys(settable) as (keyof typeof settable)[])] as const;

export function isCancellation(order: OrderDocument, patch: OrderPatch): boolean {
  return patch.status === "cancelled" && order.status !== "cancelled";
}

/** @throws VALIDATION_FAILED if a parcel's carrier or number is given where there is none to give */
export function assertNoTracking(parcel: Pick<ShipmentRequest, "carrier" | "trackingNumber">, why: string): void {
  const field = (["trackingNumber", "carrier"] as const).find((name) => parcel[name] !== undefined);
  if (field) throw invalidField(field, why);
}

function assertOfParcel(order: OrderDocument, parcel: Parameters<typeof assertNoTracking>[0]): void {
  if (order.fulfilment === "pickup") assertNoTracking(parcel, "is of a parcel: the buyer picks this order up");
}

/**
 * Returns the change that a patch makes; undefined if there is none. The status shipped ships all that is left.
 * @throws VERSION_CONFLICT, PAYMENT_DISPUTED; INVALID_TRANSITION if its status is not the next step, the order is being
 * cancelled or not paid
 */
export function update(
  order: OrderDocument,
  patch: OrderPatch,
  actor: string,
  facts: { now: Date; shipmentId: string },
): Change | undefined {
  assertVersion("The order", patch.version, order.version);
  if (patch.status && isStep(order.status, patch.status)) {
    const step = { from: order.status, to: patch.status };
    if (order.cancelling) throw new PartlineError("INVALID_TRANSITION", "The order is being cancelled", step);
    assertPaidFor(patch.status, order.paymentStatus);
  }
  const changedFields = SETTABLE.filter((field) => patch[field] !== undefined && patch[field] !== order[field]);
  if (changedFields.length === 0) return undefined;
  const values = Object.fromEntries(changedFields.map((field) => [field, patch[field]]));
  const { carrier, trackingNumber, override } = patch;
  assertOfParcel(order, patch);
  if (patch.status !== "shipped" || order.status === "shipped") {
    if (override) throw invalidField("override", "is of a shipment: set the status to shipped, or leave it out");
    // What the order says of its last shipment, the shipment says too.
    const last = order.shipments?.at(-1);
    const corrected = last && correctShipment(order, { ...last, carrier, trackingNumber }, actor);
    const parcel = corrected && nameAwaited(order, { ...last, ...values });
    const allChanges = corrected ? ["shipments", ...changedFields] : changedFields;
    const isDelivered = patch.status === "delivered" && order.status !== "delivered";
    const delivery = isDelivered && { deliveredAt: facts.now.toISOString() };
    return {
      order: { ...(corrected?.order ?? order), ...values, ...delivery },
      actor,
      event: isDelivered
        ? { channel: "order.delivered", changed: allChanges, ...describeDelivery(corrected?.order ?? order) }
        : { channel: "order.updated", changed: allChanges, ...parcel },
    };
  }
  return ship(order, patch, { actor, ...facts });
}

/** Returns what an order.delivered says of an order. */
export function describeDelivery(order: OrderDocument) {
  const { orderNumber, carrier, trackingNumber } = order;
  const items = listShipped(order);
  const trackingUrl = findTrackingLink(carrier, trackingNumber);
  return { orderNumber, ...omitUndefined({ carrier, trackingNumber, trackingUrl }), items };
}

const MOST_NOTES = 200;

/** Events of notes name the field alone. @throws INVALID_TRANSITION for one too many */
export function addNote(
  order: OrderDocument,
  text: string,
  { actor, now, noteId }: Facts & { noteId: string },
): Change {
  const { notes = [], status } = order;
  if (notes.length >= MOST_NOTES)
    throw new PartlineError("INVALID_TRANSITION", `An order has at most ${MOST_NOTES} notes`, { status });
  const note = { noteId, text: text.trim(), actor, createdAt: now.toISOString() };
  return recordFields({ ...order, notes: [...notes, note] }, actor, "notes");
}

/** @throws NOT_FOUND */
export function removeNote(order: OrderDocument, noteId: string, actor: string): Change {
  const { notes = [] } = order;
  const left = notes.filter((note) => note.noteId !== noteId);
  if (left.length === notes.length) throw notFound("Note", noteId);
  return recordFields({ ...order, notes: left.length > 0 ? left : undefined }, actor, "notes");
}

const TAXES_NOTE = "note_taxes";
const TAXES_UNREAD =
  "The payment provider did not say what the tax consists of, so the order and its invoice have one line of tax. Its " +
  "amount is right. The provider's own page of the payment has the parts.";

/** Records what the tax of an order consists of; without `taxes`, a note says that the provider did not say it. */
export function setTaxes(order: OrderDocument, taxes: OrderDocument["taxes"], now: Date): Change | undefined {
  // The amounts stay: it is no change that an event announces.
  if (taxes) return { order: { ...order, taxes }, actor: "system" };
  if (order.notes?.some(({ noteId }) => noteId === TAXES_NOTE)) return undefined;
  return noteFault(order, TAXES_UNREAD, { noteId: TAXES_NOTE, now });
}

/** Adds a note about what went wrong behind the staff's back, however many notes there are. */
export function noteFault(order: OrderDocument, text: string, { noteId, now }: { noteId: string; now: Date }): Change {
  const note = { noteId, text, actor: "system", createdAt: now.toISOString() };
  return recordFields({ ...order, notes: [...(order.notes ?? []), note] }, "system", "notes");
}
