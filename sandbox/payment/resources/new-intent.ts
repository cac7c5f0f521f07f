import type Stripe from "stripe";

import type { MetadataChange } from "../protocol/common-parameters.ts";
import { applyMetadata, fullAddress } from "../protocol/common-parameters.ts";
import type { shipping } from "../protocol/common-parameters.ts";
import type { Parameters } from "../protocol/parameters.ts";
import type { Scope } from "../scope.ts";
import { newId } from "../state/ids.ts";
import { emit } from "./events.ts";

/** What is kept beside an intent: the checkout session that it pays for, if any. */
export type IntentDetails = { session?: string };

type GivenShipping = NonNullable<Parameters<{ shipping: typeof shipping }>["shipping"]>;

/** A new intent in `requires_payment_method`, with `payment_intent.created`. */
export function createIntent(
  scope: Scope,
  given: {
    amount: number;
    customer?: string | null;
    description?: string | null;
    metadata?: MetadataChange;
    allowed_payment_method_types?: ("card" | "us_bank_account")[];
    receipt_email?: string | null;
    setup_future_usage?: "off_session" | "on_session" | null;
    shipping?: GivenShipping | null;
    statement_descriptor?: string;
    statement_descriptor_suffix?: string;
    automatic_payment_methods?: { allow_redirects?: "always" | "never"; enabled: boolean };
    capture_method?: "automatic" | "automatic_async";
  },
): Stripe.PaymentIntent {
  const id = newId.paymentIntent();
  const automatic = given.automatic_payment_methods ?? { enabled: true };
  const intent = scope.store.insert<Stripe.PaymentIntent>({
    id,
    object: "payment_intent",
    allowed_payment_method_types: given.allowed_payment_method_types ?? null,
    amount: given.amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: { allow_redirects: automatic.allow_redirects ?? "always", enabled: automatic.enabled },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: given.capture_method ?? "automatic_async",
    client_secret: newId.clientSecret(id),
    confirmation_method: "automatic",
    created: scope.now(),
    currency: "usd",
    customer: given.customer ?? null,
    customer_account: null,
    description: given.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: applyMetadata({}, given.metadata),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: given.allowed_payment_method_types ?? ["card", "us_bank_account"],
    payment_record: null,
    processing: null,
    receipt_email: given.receipt_email ?? null,
    review: null,
    setup_future_usage: given.setup_future_usage ?? null,
    shipping: given.shipping ? toShipping(given.shipping) : null,
    source: null,
    statement_descriptor: given.statement_descriptor ?? null,
    statement_descriptor_suffix: given.statement_descriptor_suffix ?? null,
    status: "requires_payment_method",
    transfer_data: null,
    transfer_group: null,
  });
  emit(scope, "payment_intent.created", intent);
  return intent;
}

/** A shipping address as an intent shows it. */
export function toShipping(given: GivenShipping): Stripe.PaymentIntent.Shipping {
  return {
    address: fullAddress(given.address),
    carrier: given.carrier ?? null,
    name: given.name,
    phone: given.phone ?? null,
    tracking_number: given.tracking_number ?? null,
  };
}
