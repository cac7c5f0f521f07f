import type Stripe from "stripe";

import { noSuchResource } from "../protocol/errors.ts";
import { listOperation } from "../protocol/lists.ts";
import { operation } from "../protocol/operation.ts";
import { text } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { newId } from "../state/ids.ts";
import type { Decline } from "./test-cards.ts";

export const chargeOperations = [
  operation("GET /v1/charges/:id", {}, (scope, _parameters, { id }) => findCharge(scope, id)),
  listOperation("GET /v1/charges", { customer: text(), payment_intent: text() }, (parameters) => ({
    object: "charge",
    match: parameters,
  })),
];

export function findCharge(account: Account, id: string): Stripe.Charge {
  const charge = account.store.find("charge", id);
  if (!charge) throw noSuchResource("charge", id);
  return charge;
}

/**
 * Records an attempt to take an intent's amount: `succeeded`, `pending` (a bank debit on its way) or failed with
 * `decline`.
 */
export function recordCharge(
  scope: Scope,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  result: { status: "succeeded" | "pending" } | { status: "failed"; decline: Decline },
): Stripe.Charge {
  const succeeded = result.status === "succeeded";
  const decline = result.status === "failed" ? result.decline : undefined;
  return scope.store.insert<Stripe.Charge>({
    id: newId.charge(),
    object: "charge",
    amount: intent.amount,
    amount_captured: succeeded ? intent.amount : 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { ...method.billing_details, tax_id: null },
    calculated_statement_descriptor: "SANDBOX",
    captured: succeeded,
    created: scope.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: outcomeOf(decline),
    paid: succeeded,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: detailsOf(method),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: result.status,
    transfer_data: null,
    transfer_group: null,
  });
}

function outcomeOf(decline: Decline | undefined): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? "declined_by_network" : "approved_by_network",
    reason: decline?.declineCode ?? null,
    risk_level: "normal",
    seller_message: decline ? "The bank did not return any further details with this decline." : "Payment complete.",
    type: decline ? "issuer_declined" : "authorized",
  };
}

function detailsOf(method: Stripe.PaymentMethod): Stripe.Charge.PaymentMethodDetails {
  const { card, us_bank_account: bank } = method;
  if (bank) {
    const { account_holder_type, account_type, bank_name, fingerprint, last4, routing_number } = bank;
    const shown = { account_holder_type, account_type, bank_name, fingerprint, last4, routing_number };
    return {
      type: "us_bank_account",
      us_bank_account: { ...shown, expected_debit_date: undefined, payment_reference: null },
    };
  }
  if (!card) return { type: method.type };
  const { brand, checks, country, exp_month, exp_year, fingerprint, funding, last4 } = card;
  return {
    type: "card",
    card: {
      amount_authorized: null,
      authorization_code: null,
      brand,
      checks,
      country,
      electronic_commerce_indicator: null,
      exp_month,
      exp_year,
      fingerprint,
      funding,
      installments: null,
      last4,
      mandate: null,
      network: brand,
      network_transaction_id: null,
      regulated_status: "unregulated",
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}
