import type Stripe from "stripe";

import { noSuchResource, refusal } from "../protocol/errors.ts";
import { listOperation } from "../protocol/lists.ts";
import { operation } from "../protocol/operation.ts";
import { text } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { newId } from "../state/ids.ts";
import { emit } from "./events.ts";

const EVIDENCE_DAYS = 9;

const NO_EVIDENCE: Stripe.Dispute.Evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
};

export const disputeOperations = [
  operation("GET /v1/disputes/:id", {}, (scope, _parameters, { id }) => findDispute(scope, id)),
  listOperation("GET /v1/disputes", { charge: text(), payment_intent: text() }, (parameters) => ({
    object: "dispute",
    match: parameters,
  })),
];

export function findDispute(account: Account, id: string): Stripe.Dispute {
  const dispute = account.store.find("dispute", id);
  if (!dispute) throw noSuchResource("dispute", id);
  return dispute;
}

/** Whether a charge's money is held back by a dispute that is open or was lost. */
export function isHeldByDispute(account: Account, charge: string): boolean {
  return account.store
    .list("dispute", { match: { charge }, limit: 10 })
    .rows.some((dispute) => dispute.status !== "won");
}

/** A customer turns to their bank about a charge: `charge.dispute.created`, and the money is held back. */
export function openDispute(
  scope: Scope,
  charge: Stripe.Charge,
  given: { reason?: string; amount?: number },
): Stripe.Dispute {
  if (charge.status !== "succeeded") throw refusal(`Charge ${charge.id} is not successful and cannot be disputed.`);
  if (charge.disputed) throw refusal(`Charge ${charge.id} is disputed already.`);
  const dispute = scope.store.insert<Stripe.Dispute>({
    id: newId.dispute(),
    object: "dispute",
    amount: given.amount ?? charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: scope.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: NO_EVIDENCE,
    evidence_details: {
      due_by: scope.now() + EVIDENCE_DAYS * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "manual",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: given.reason ?? "fraudulent",
    status: "needs_response",
  });
  scope.store.update({ ...charge, disputed: true });
  emit(scope, "charge.dispute.created", dispute);
  emit(scope, "charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** The bank decides: `charge.dispute.closed`, and the money comes back when it was won. */
export function closeDispute(scope: Scope, dispute: Stripe.Dispute, status: "won" | "lost"): Stripe.Dispute {
  if (dispute.status === "won" || dispute.status === "lost") throw refusal(`Dispute ${dispute.id} is closed already.`);
  const closed = scope.store.update<Stripe.Dispute>({ ...dispute, status });
  emit(scope, "charge.dispute.closed", closed, { status: dispute.status });
  if (status === "won") emit(scope, "charge.dispute.funds_reinstated", closed);
  return closed;
}
