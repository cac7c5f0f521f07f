import { type Caller, assertIsUser, userOf } from "../../broker/contract/context.ts";
import { type OrderStatus, type PaymentStatus, isCharged } from "../../broker/contract/placed-order.ts";
import type { InferRules } from "../../broker/contract/rules.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import type { Cents } from "../../mixins/money.ts";
import type { OrderDocument } from "./collections.ts";
import type { Change } from "./repository.ts";
import { deliveryFields, staffFields } from "./shape.ts";

/** Only the cancel action cancels. Source: section 3 of the commerce specification, "Orders" of the design. */
const NEXT_STATUS: Partial<Record<OrderStatus, OrderStatus>> = {
  pending: "processing",
  processing: "shipped",
  shipped: "delivered",
};

/** Whether `to` is the step after `from`; false for the same status. @throws INVALID_TRANSITION */
export function isStep(from: OrderStatus, to: OrderStatus): boolean {
  if (from === to) return false;
  if (NEXT_STATUS[from] === to) return true;
  throw new PartlineError("INVALID_TRANSITION", `An order that is ${from} cannot become ${to}`, { from, to });
}

/**
 * An order is shipped only once it is paid: a delayed payment may fail. A fully refunded order is not processed either.
 * @throws INVALID_TRANSITION
 */
export function assertPaidFor(to: OrderStatus, paymentStatus: PaymentStatus): void {
  if (paymentStatus === "refunded" && (to === "processing" || to === "shipped")) {
    throw new PartlineError(
      "INVALID_TRANSITION",
      `An order that is refunded in full cannot become ${to}; it can be cancelled`,
      { paymentStatus },
    );
  }
  if (to === "shipped" && !isCharged(paymentStatus)) {
    throw new PartlineError("INVALID_TRANSITION", `An order whose payment is ${paymentStatus} cannot be shipped`, {
      paymentStatus,
    });
  }
}

/** @throws ORDER_NOT_CANCELLABLE once the order is shipped */
export function assertCancellable(status: OrderStatus): void {
  if (status === "pending" || status === "processing") return;
  throw new PartlineError("ORDER_NOT_CANCELLABLE", `An order that is ${status} cannot be cancelled`, { status });
}

/** Returns the paymentStatus once this much of the total is refunded. */
export function paymentStatusAfter(current: PaymentStatus, refunded: Cents, total: Cents): PaymentStatus {
  if (refunded > 0) return refunded >= total ? "refunded" : "partially_refunded";
  return current === "refunded" || current === "partially_refunded" ? "paid" : current;
}

const settable = { ...deliveryFields, ...staffFields };

type OrderPatch = InferRules<typeof settable> & { status?: OrderStatus; version?: number };

const SETTABLE = ["status", ...(Object.keys(settable) as (keyof typeof settable)[])] as const;

/** @throws VERSION_CONFLICT */
export function assertVersion(order: OrderDocument, version: number | undefined): void {
  if (version === undefined || version === order.version) return;
  throw new PartlineError("VERSION_CONFLICT", `The order is at version ${order.version}, not ${version}`, {
    version: order.version,
  });
}

/** Whether a patch asks for the cancel action; not for a cancelled order. */
export function isCancellation(order: OrderDocument, patch: OrderPatch): boolean {
  return patch.status === "cancelled" && order.status !== "cancelled";
}

/** A cancelled order is not shipped. @throws VALIDATION_FAILED */
export function assertNoTracking({ trackingNumber, carrier }: OrderPatch): void {
  const field = trackingNumber !== undefined ? "trackingNumber" : carrier !== undefined ? "carrier" : undefined;
  if (field) throw validationFailed({ field, message: `The '${field}' field cannot be set by a cancellation.` });
}

/**
 * Returns the change that a patch makes; undefined if there is none.
 * @throws VERSION_CONFLICT; INVALID_TRANSITION if its status is not the next step, the order is being cancelled or not
 * paid
 */
export function update(order: OrderDocument, patch: OrderPatch, actor: string): Change | undefined {
  assertVersion(order, patch.version);
  if (patch.status && isStep(order.status, patch.status)) {
    if (order.cancelling)
      throw new PartlineError("INVALID_TRANSITION", "The order is being cancelled", {
        from: order.status,
        to: patch.status,
      });
    assertPaidFor(patch.status, order.paymentStatus);
  }
  const changed = SETTABLE.filter((field) => patch[field] !== undefined && patch[field] !== order[field]);
  if (changed.length === 0) return undefined;
  const values = Object.fromEntries(changed.map((field) => [field, patch[field]]));
  const next = { ...order, ...values };
  if (!changed.includes("status") || next.status !== "shipped")
    return { order: next, actor, event: { channel: "order.updated", changed } };
  const items = order.items.map(({ productId, partNumber, quantity }) => ({ productId, partNumber, quantity }));
  return { order: next, actor, event: { channel: "order.shipped", changed, userId: order.userId, items } };
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

/** adminNote and forceCancel are for admins. @throws FORBIDDEN */
export function assertMaySetAdminFields(caller: Caller, given: { adminNote?: string; forceCancel: boolean }): void {
  if (caller.admin) return;
  const field = given.adminNote !== undefined ? "adminNote" : given.forceCancel ? "forceCancel" : undefined;
  if (field) throw new PartlineError("FORBIDDEN", `The '${field}' field is for admins`);
}
