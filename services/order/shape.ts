import { centsRule, shippingAddressRule } from "../../broker/contract/common.ts";
import { ORDER_STATUSES, paymentStatusRule } from "../../broker/contract/placed-order.ts";
import { rule, rules, type InferRules } from "../../broker/contract/rules.ts";

/**
 * The fields of an order, each once, in whole cents. The document, the params that set them, the answers and what is
 * erased and exported with the owner (`personal`) derive from here: docs/recipes/add-a-field-to-an-order.md.
 */

const amount = rule({ ...centsRule, min: 0 });

export const statusRule = rule({ type: "enum", values: ORDER_STATUSES });

const lineFields = rules({
  productId: { type: "string" },
  partNumber: { type: "string" },
  name: { type: "string" },
  quantity: { type: "number", integer: true, min: 1 },
  price: amount,
});

/** Given by the completed payment; its owner sees them. */
export const orderedFields = rules({
  userId: {
    type: "string",
    min: 1,
    description: "`guest` for a checkout without an account, a pseudonym once the account is deleted",
  },
  items: { type: "array", min: 1, items: { type: "object", props: lineFields } },
  subtotal: amount,
  tax: amount,
  shipping: amount,
  discount: {
    ...amount,
    optional: true,
    description: "Discount by a promotion code: total is subtotal, tax and shipping less it. Absent without one",
  },
  total: amount,
  currency: { type: "string", example: "usd" },
  shippingAddress: { ...shippingAddressRule, optional: true },
  contact: {
    type: "object",
    title: "Contact",
    personal: true,
    optional: true,
    description: "How to reach the person who paid, as the payment provider collected it",
    props: {
      email: { type: "string", optional: true, example: "ada@example.com" },
      name: { type: "string", optional: true, example: "Ada Mechanic" },
      phone: { type: "string", optional: true, example: "+1 555 0100" },
    },
  },
});

/** Set by staff (order.adminUpdate); its owner sees them. */
export const deliveryFields = rules({
  trackingNumber: { type: "string", min: 1, max: 100, optional: true, example: "1Z999AA10123456784" },
  carrier: { type: "string", min: 1, max: 100, optional: true, example: "ups" },
});

/** Set by staff, who alone see them. */
export const staffFields = rules({
  adminNote: {
    type: "string",
    max: 500,
    optional: true,
    personal: true,
    description: "For admins alone; customers never see it",
  },
});

/** What becomes of the order; its owner sees them. */
const standingFields = rules({
  status: statusRule,
  paymentStatus: paymentStatusRule,
  refundedAmount: amount,
  refundDue: {
    ...amount,
    optional: true,
    description:
      "Part of a cancelled order's payment that is still to be refunded, because a refund failed: it is " +
      "retried until it succeeds. Absent when nothing is due",
  },
});

/** What the owner of an order sees. */
export const ownerFields = rules({ ...orderedFields, ...standingFields, ...deliveryFields });

/** All of them. */
export const orderShape = rules({ ...ownerFields, ...staffFields });

export type OrderShape = InferRules<typeof orderShape>;
