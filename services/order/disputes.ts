import { DEFAULT_STRIPE_API, type Settings } from "../../broker/settings.ts";
import { isCharged } from "../shared/placed-order.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { type Cents, formatAmount } from "@partline/parts-language";
import type { DisputeRecord, OrderDocument } from "./collections.ts";
import { DISPUTE_STATES, type DisputeState } from "./shape.ts";

/**
 * How much of an order's money its disputes have, and how much is still the shop's.
 *
 * An open dispute holds its amount and a lost one took it; a won one returns it. An inquiry (`warning_…`) holds
 * nothing. The provider's fee for a dispute is the shop's own and no part of the order.
 */

/** Returns what leads to a dispute at the provider's dashboard; undefined with a sandbox, which has none. */
export function findDisputePages({
  apiBase,
  secretKey,
}: Pick<Settings["payment"], "apiBase" | "secretKey">): ((disputeId: string) => string) | undefined {
  if (apiBase !== DEFAULT_STRIPE_API) return undefined;
  const mode = /^[rs]k_test_/.test(secretKey) ? "test/" : "";
  return (disputeId) => `https://dashboard.stripe.com/${mode}disputes/${encodeURIComponent(disputeId)}`;
}

/**
 * Reads the state of a dispute from the provider's status; undefined once it is over and the money is the shop's. An
 * unknown status is open.
 */
function readStanding({ status }: DisputeRecord): DisputeState | undefined {
  if (status === "won" || status === "prevented" || status === "warning_closed") return undefined;
  if (status === "lost") return "lost";
  return status.startsWith("warning_") ? "inquiry" : "open";
}

const hasMoney = (dispute: DisputeRecord): boolean => ["open", "lost"].includes(readStanding(dispute) ?? "");

/** Returns the state of an order's disputes that matters most; undefined if none of them does. */
export function findDisputeState({ disputes }: Pick<OrderDocument, "disputes">): DisputeState | undefined {
  const states = disputes.map(readStanding);
  return DISPUTE_STATES.find((state) => states.includes(state));
}

type Money = Pick<OrderDocument, "paymentStatus" | "total" | "refundedAmount" | "disputes">;

/**
 * Returns what disputes hold or took of the money that was not refunded before. One without an amount, as orders have
 * that an older version wrote, is about the whole charge.
 */
export function sumDisputed({ paymentStatus, total, refundedAmount, disputes }: Money): Cents {
  if (!isCharged(paymentStatus)) return 0;
  const disputedSum = disputes.reduce((sum, dispute) => sum + (hasMoney(dispute) ? (dispute.amount ?? total) : 0), 0);
  return Math.min(Math.max(0, total - refundedAmount), disputedSum);
}

/** Returns how much of an order's money is still the shop's: what was paid, is not refunded, and no dispute has. */
export function sumUndisputed(order: Money): Cents {
  if (!isCharged(order.paymentStatus)) return 0;
  return Math.max(0, order.total - order.refundedAmount - sumDisputed(order));
}

/** An inquiry may become a dispute, which is decided; a lost one may be appealed and won. It never goes back. */
function rank({ status }: DisputeRecord): number {
  if (status === "won") return 4;
  if (status === "lost" || status.startsWith("appeal_")) return 3;
  if (status === "warning_closed" || status === "prevented") return 2;
  return status.startsWith("warning_") ? 0 : 1;
}

/** Returns the disputes with one as the provider reports it; the same ones if it is known, or a late message. */
export function withDispute(disputes: readonly DisputeRecord[], reported: DisputeRecord): DisputeRecord[] {
  const existing = disputes.find(({ disputeId }) => disputeId === reported.disputeId);
  if (!existing) return [...disputes, reported];
  if (rank(reported) < rank(existing)) return [...disputes];
  const { amount = existing.amount, reason = existing.reason, dueBy = existing.dueBy } = reported;
  return disputes.map((dispute) => (dispute === existing ? { ...reported, amount, reason, dueBy } : dispute));
}

/** @throws PAYMENT_DISPUTED while a dispute is open, or lost */
export function assertUndisputed(order: OrderDocument): void {
  const state = findDisputeState(order);
  if (state === undefined || state === "inquiry") return;
  const what = state === "open" ? "is disputed" : "was lost in a dispute";
  throw createDisputedError(order, `The order's payment ${what}: ship it with an override, or cancel it`);
}

export function createDisputedError(order: OrderDocument, message: string): PartlineError {
  const disputedAmount = formatAmount(sumDisputed(order), order.currency);
  return new PartlineError("PAYMENT_DISPUTED", message, { disputedAmount });
}
