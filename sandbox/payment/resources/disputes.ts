import type Stripe from "stripe";

import type { Account, Scope } from "../account.ts";
import { refusal } from "../protocol/errors.ts";
import { listing, retrieval } from "../protocol/operation.ts";
import { text } from "../protocol/parameters.ts";
import { emit } from "./events.ts";

export const disputeOperations = [
  retrieval("/v1/disputes", "dispute"),
  listing("/v1/disputes", "dispute", { charge: text(), payment_intent: text() }),
];

/** Whether a dispute that is open or was lost holds back a charge's money. */
export function isHeldByDispute({ store }: Account, charge: string): boolean {
  return store.list("dispute", { match: { charge }, limit: 10 }).rows.some(({ status }) => status !== "won");
}

/** Disputes a charge at the customer's bank: `charge.dispute.created`, and the money is held back. */
export function openDispute(
  scope: Scope,
  charge: Stripe.Charge,
  reason = "fraudulent",
  amount = charge.amount,
): Stripe.Dispute {
  if (charge.status !== "succeeded") throw refusal(`Charge ${charge.id} is not successful and cannot be disputed.`);
  if (charge.disputed) throw refusal(`Charge ${charge.id} is disputed already.`);
  const dispute = scope.store.insert("dispute", {
    amount,
    balance_transactions: [],
    charge: charge.id,
    currency: charge.currency,
    is_charge_refundable: false,
    payment_intent: charge.payment_intent,
    reason,
    status: "needs_response",
  });
  scope.store.update(charge, { disputed: true });
  emit(scope, "charge.dispute.created", dispute);
  emit(scope, "charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** Closes a dispute as the bank decides: `charge.dispute.closed`, and the money comes back if it was won. */
export function closeDispute(scope: Scope, dispute: Stripe.Dispute, status: "won" | "lost"): Stripe.Dispute {
  if (dispute.status === "won" || dispute.status === "lost") throw refusal(`Dispute ${dispute.id} is closed already.`);
  const closed = scope.store.update(dispute, { status });
  emit(scope, "charge.dispute.closed", closed, { status: dispute.status });
  if (status === "won") emit(scope, "charge.dispute.funds_reinstated", closed);
  return closed;
}
