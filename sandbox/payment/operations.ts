import type { Operation } from "./protocol/operation.ts";
import { chargeOperations } from "./resources/charges.ts";
import { checkoutSessionOperations } from "./resources/checkout-sessions.ts";
import { customerOperations } from "./resources/customers.ts";
import { disputeOperations } from "./resources/disputes.ts";
import { eventOperations } from "./resources/events.ts";
import { paymentIntentOperations } from "./resources/payment-intents.ts";
import { paymentMethodOperations } from "./resources/payment-methods.ts";
import { refundOperations } from "./resources/refunds.ts";
import { setupIntentOperations } from "./resources/setup-intents.ts";

/** Everything that the sandbox serves under `/v1`. */
export const operations: readonly Operation[] = [
  ...checkoutSessionOperations,
  ...paymentIntentOperations,
  ...setupIntentOperations,
  ...chargeOperations,
  ...refundOperations,
  ...disputeOperations,
  ...customerOperations,
  ...paymentMethodOperations,
  ...eventOperations,
];
