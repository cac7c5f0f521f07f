import { centsRule } from "../../broker/contract/common.ts";
import type { EventDefinition } from "../../broker/contract/define.ts";
import { paymentStatusRule } from "../../broker/contract/placed-order.ts";
import { rule, rules } from "../../broker/contract/rules.ts";
import { REFUND_REASONS, statusRule } from "./resources.ts";

const states = rule({ type: "object", props: { status: statusRule, paymentStatus: paymentStatusRule } });

/** Ids, amounts and states: never a name, an address or free text. */
const change = rules({
  orderId: { type: "string" },
  version: {
    type: "number",
    integer: true,
    description: "The order's version after the change; order.created is version 1",
  },
  actor: { type: "string", description: "`user:<id>`, `admin`, `system` or `payment-provider`" },
  from: states,
  to: states,
});

const money = rules({
  refundId: { type: "string", nullable: true, description: "null for a refund made at the provider's own console" },
  amount: {
    ...centsRule,
    description:
      "Change of the refunded amount in cents; negative when the provider took a refund back. All amounts of all events of an order add up to its refundedAmount",
  },
});

export const orderEvents = {
  "order.updated": {
    summary: "An order or its payment changed its state, or fields of it were set",
    payload: {
      ...change,
      changed: { type: "array", items: { type: "string" }, description: "Names of the fields that changed" },
    },
  },
  "order.cancelled": {
    summary: "An order was cancelled; what is refunded later than that follows as order.refunded",
    payload: { ...change, ...money, reason: { type: "enum", values: REFUND_REASONS } },
  },
  "order.refunded": {
    summary: "Money of an order was paid back, or a refund failed after all",
    payload: { ...change, ...money, reason: { type: "enum", values: REFUND_REASONS, nullable: true } },
  },
} as const satisfies Record<string, EventDefinition>;
