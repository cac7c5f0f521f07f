import type { OrderStatus } from "../../broker/contract/placed-order.ts";
import type { InferRules } from "../../broker/contract/rules.ts";
import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import type { Change } from "./change.ts";
import type { OrderDocument } from "./collections.ts";
import { deliveryFields, staffFields } from "./shape.ts";
import { assertPaidFor, isStep } from "./transitions.ts";

const settable = { ...deliveryFields, ...staffFields };

export type OrderPatch = InferRules<typeof settable> & { status?: OrderStatus; version?: number };

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
