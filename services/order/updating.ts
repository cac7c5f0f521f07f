import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import type { Change } from "./change.ts";
import type { OrderDocument } from "./collections.ts";
import type { OrderStatus } from "./resources.ts";
import { assertPaidFor, isStep } from "./transitions.ts";

export interface OrderPatch {
  status?: OrderStatus;
  trackingNumber?: string;
  carrier?: string;
  adminNote?: string;
  version?: number;
}

const SETTABLE = ["status", "trackingNumber", "carrier", "adminNote"] as const;

/** @throws VERSION_CONFLICT */
export function assertVersion(order: OrderDocument, version: number | undefined): void {
  if (version === undefined || version === order.version) return;
  throw new PartlineError("VERSION_CONFLICT", `The order is at version ${order.version}, not ${version}`, {
    version: order.version,
  });
}

/** Whether a patch asks for the cancel action; an order that is cancelled already needs none. */
export function isCancellation(order: OrderDocument, patch: OrderPatch): boolean {
  return patch.status === "cancelled" && order.status !== "cancelled";
}

/** A cancelled order is not shipped. @throws VALIDATION_FAILED */
export function assertNoTracking({ trackingNumber, carrier }: OrderPatch): void {
  const field = trackingNumber !== undefined ? "trackingNumber" : carrier !== undefined ? "carrier" : undefined;
  if (field) throw validationFailed({ field, message: `The '${field}' field cannot be set by a cancellation.` });
}

/**
 * The change that a patch makes, or undefined when the order is that already.
 * @throws VERSION_CONFLICT; INVALID_TRANSITION when its status is no step from the order's, the order is being cancelled, or it
 * would go on without its money
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
  return { order: { ...order, ...values }, actor, event: { channel: "order.updated", changed } };
}
