import { type Caller, assertIsUser, userOf } from "../../broker/contract/context.ts";
import { holds } from "../../broker/contract/scopes.ts";
import type { OrderStatus } from "../../broker/contract/placed-order.ts";
import type { InferRules } from "../../broker/contract/rules.ts";
import { invalidField, notFound, PartlineError } from "../../mixins/errors.ts";
import type { OrderDocument } from "./collections.ts";
import { correctShipment, ship } from "./lines/moves.ts";
import { assertPaidFor, assertVersion, isStep } from "./transitions.ts";
import type { Change } from "./repository.ts";
import { deliveryFields, staffFields } from "./shape.ts";

const settable = { ...deliveryFields, ...staffFields };

type OrderPatch = InferRules<typeof settable> & { status?: OrderStatus; version?: number };

const SETTABLE = ["status", ...(Object.keys(settable) as (keyof typeof settable)[])] as const;

export function isCancellation(order: OrderDocument, patch: OrderPatch): boolean {
  return patch.status === "cancelled" && order.status !== "cancelled";
}

/** A cancelled order is not shipped. @throws VALIDATION_FAILED */
export function assertNoTracking(patch: OrderPatch): void {
  const field = (["trackingNumber", "carrier"] as const).find((name) => patch[name] !== undefined);
  if (field) throw invalidField(field, "cannot be set by a cancellation");
}

/**
 * Returns the change that a patch makes; undefined if there is none. The status shipped ships all that is left.
 * @throws VERSION_CONFLICT, INVALID_TRANSITION
 */
export function update(
  order: OrderDocument,
  patch: OrderPatch,
  actor: string,
  facts: { now: Date; shipmentId: string },
): Change | undefined {
  assertVersion(order, patch.version);
  if (patch.status && isStep(order.status, patch.status)) {
    const step = { from: order.status, to: patch.status };
    if (order.cancelling) throw new PartlineError("INVALID_TRANSITION", "The order is being cancelled", step);
    assertPaidFor(patch.status, order.paymentStatus);
  }
  const changed = SETTABLE.filter((field) => patch[field] !== undefined && patch[field] !== order[field]);
  if (changed.length === 0) return undefined;
  const values = Object.fromEntries(changed.map((field) => [field, patch[field]]));
  const { carrier, trackingNumber, adminNote } = patch;
  if (patch.status !== "shipped" || order.status === "shipped") {
    // What the order says of its last shipment, the shipment says too.
    const last = order.shipments?.at(-1);
    const corrected = last && correctShipment(order, { ...last, carrier, trackingNumber }, actor);
    return {
      order: { ...(corrected?.order ?? order), ...values },
      actor,
      event: { channel: "order.updated", changed: corrected ? ["shipments", ...changed] : changed },
    };
  }
  return ship(order, { carrier, trackingNumber, adminNote }, { actor, ...facts });
}

const MOST_NOTES = 200;

/** Events of notes name the field alone. @throws INVALID_TRANSITION for one too many */
export function addNote(
  order: OrderDocument,
  text: string,
  { actor, now, noteId }: { actor: string; now: Date; noteId: string },
): Change {
  const { notes = [], status } = order;
  if (notes.length >= MOST_NOTES)
    throw new PartlineError("INVALID_TRANSITION", `An order has at most ${MOST_NOTES} notes`, { status });
  const note = { noteId, text, actor, createdAt: now.toISOString() };
  return noted({ ...order, notes: [...notes, note] }, actor);
}

/** @throws NOT_FOUND */
export function removeNote(order: OrderDocument, noteId: string, actor: string): Change {
  const { notes = [] } = order;
  const left = notes.filter((note) => note.noteId !== noteId);
  if (left.length === notes.length) throw notFound("Note", noteId);
  return noted({ ...order, notes: left.length > 0 ? left : undefined }, actor);
}

function noted(order: OrderDocument, actor: string): Change {
  return { order, actor, event: { channel: "order.updated", changed: ["notes"] } };
}

/** Lets an order's owner and admins pass; no token owns an order of `guest`. @throws UNAUTHORIZED, FORBIDDEN */
export function assertMayUse(caller: Caller, ownerId: string): void {
  const refusal = "This belongs to another user";
  assertIsUser(caller, ownerId, refusal);
  if (!caller.admin && ownerId === "guest") throw new PartlineError("FORBIDDEN", refusal);
}

/** @throws UNAUTHORIZED */
export function assertKnown(caller: Caller): void {
  if (!caller.admin) userOf(caller);
}

/** An update that cancels refunds too, which its route's scope does not say. @throws FORBIDDEN */
export function assertMayRefund(caller: Caller): void {
  if (!holds(caller, "orders:refund"))
    throw new PartlineError("FORBIDDEN", "To cancel needs the role admin, or the scope orders:refund");
}

/** adminNote and forceCancel are for admins. @throws FORBIDDEN */
export function assertMaySetAdminFields(caller: Caller, given: { adminNote?: string; forceCancel: boolean }): void {
  if (caller.admin) return;
  const field = given.adminNote !== undefined ? "adminNote" : given.forceCancel ? "forceCancel" : undefined;
  if (field) throw new PartlineError("FORBIDDEN", `The '${field}' field is for admins`);
}
