import { LANGUAGES } from "../../mixins/shop/languages.ts";
import { RETURN_REASONS } from "../../mixins/shop/return-limits.ts";
import { oneLine, writtenLine, writtenText } from "../../broker/contract/common.ts";
import { centsRule, contactRule, shippingAddressRule } from "../shared/commerce.ts";
import {
  deliveryPromiseRule,
  FULFILMENTS,
  ORDER_STATUSES,
  paymentStatusRule,
  shippingMethodRule,
  shippingPaidForRule,
  shippingUnderpaidRule,
} from "../shared/placed-order.ts";
import {
  array,
  boolean,
  type InferRules,
  integer,
  object,
  oneOf,
  record,
  rule,
  rules,
  string,
} from "@partline/api-contracts";

/**
 * The fields of an order, each once, in whole cents. Document, params, answers and what is erased and exported with the
 * owner (`personal`) derive from here: docs/recipes/add-a-field-to-an-order.md.
 */

const amount = rule({ ...centsRule, min: 0 });

export const statusRule = oneOf(ORDER_STATUSES);

const lineFields = rules({
  productId: string(),
  partNumber: string(),
  name: string(),
  quantity: integer({ min: 1 }),
  price: amount,
  backordered: integer({
    min: 0,
    optional: true,
    description: "Pieces that were not in stock when they were sold; they ship last",
  }),
  backorderDays: integer({ min: 0, optional: true, description: "Days until those can ship, if known" }),
  uncounted: integer({
    min: 1,
    optional: true,
    description:
      "Pieces beyond the shelves of a part that nobody had counted, nor could a supplier be asked. Absent once it is " +
      "counted and there",
  }),
  elsewhere: integer({
    min: 0,
    optional: true,
    description: "Pieces that were at another place than the pickup place when they were sold",
  }),
  expectedAt: string({ optional: true, example: "2026-12-01", description: "Set when the shop announces a delay" }),
  deliveryPromise: deliveryPromiseRule,
});

export const LINE_STATES = ["open", "backordered", "shipped", "cancelled", "returned"] as const;
export type LineState = (typeof LINE_STATES)[number];
/** States by which lists filter. */
export const LISTED_STATES = ["unshipped", ...LINE_STATES] as const;
export type ListedState = (typeof LISTED_STATES)[number];

/** Work that waits for the shop. An order can be in several. */
export const ORDER_QUEUES = [
  "to_pack",
  "packed",
  "pickup",
  "awaiting_pickup",
  "backordered",
  "disputed",
  "return_requested",
  "return_expected",
  "address_missing",
  "refund_due",
  "label_refused",
] as const;
export type OrderQueue = (typeof ORDER_QUEUES)[number];

/** States of disputes; that of an order is the first one in this list that a dispute has. */
export const DISPUTE_STATES = ["open", "lost", "inquiry"] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/** Of a return that the buyer requested. */
export const RETURN_STATES = ["requested", "approved", "refused"] as const;

export const RETURN_CONDITIONS = ["resalable", "damaged", "incomplete"] as const;

export const movedItemsRule = array(
  object({ productId: string(), partNumber: string(), quantity: integer({ min: 1 }) }),
);
export const sentBy = rules({
  carrier: string({ min: 1, max: 100, optional: true, ...oneLine, example: "ups" }),
  trackingNumber: string({ min: 1, max: 100, optional: true, ...oneLine, example: "1Z999AA10123456784" }),
});

/** Fields set by the payment; the owner sees them. */
export const orderedFields = rules({
  userId: string({
    min: 1,
    description: "`guest` for a checkout without an account; a pseudonym once the account is deleted",
  }),
  items: array(object(lineFields), { min: 1 }),
  subtotal: amount,
  tax: amount,
  includedTax: {
    ...amount,
    optional: true,
    description:
      "The part of `tax` that is included in the prices: total is subtotal plus shipping plus tax, less this " +
      "and any discount. Absent if tax is added to the prices",
  },
  shipping: amount,
  discount: {
    ...amount,
    optional: true,
    description: "Discount from a promotion code: total is subtotal plus tax plus shipping, less this",
  },
  total: amount,
  currency: string({ example: "usd" }),
  fulfilment: oneOf(FULFILMENTS, {
    optional: true,
    description: "`pickup`: the buyer collects it. Absent in older orders, which ship",
  }),
  pickupPlace: string({
    optional: true,
    example: "main-store",
    description: "Id of the pickup place that the buyer chose; absent if there was nothing to choose",
  }),
  language: oneOf(LANGUAGES, { optional: true, description: "Language of the checkout, and of mails to the buyer" }),
  shippingMethod: {
    ...shippingMethodRule,
    optional: true,
    description: "The method that was chosen; `shipping` is what was paid for it",
  },
  shippingPaidFor: shippingPaidForRule,
  deliveryPromise: deliveryPromiseRule,
  taxes: array(object("Tax", { name: string({ example: "Sales tax" }), amount }), {
    optional: true,
    description: "What `tax` consists of, as the payment provider calculated it; absent without tax",
  }),
  metadata: record(string(), string(), {
    optional: true,
    personal: true,
    description: "As sent in the checkout request",
  }),
  shippingAddress: { ...shippingAddressRule, optional: true },
  contact: {
    ...contactRule,
    optional: true,
    description: "How to reach the person who paid, as the payment provider collected it",
  },
});

/** Set by staff (order.adminUpdate); its owner sees them. */
export const deliveryFields = rules({
  carrier: string({ ...sentBy.carrier, ...writtenLine }),
  trackingNumber: string({ ...sentBy.trackingNumber, ...writtenLine }),
});

/** Set by staff, who alone see them. */
export const staffFields = rules({
  adminNote: string({
    ...writtenText,
    ...{ min: 0, max: 500 },
    optional: true,
    personal: true,
    description: "Seen by staff only",
  }),
});

/** Set by staff, one after another; staff alone see them. */
export const notedFields = rules({
  labels: array(
    object("OrderLabel", {
      shipmentId: string({ description: "Of its shipment; of a label for a return, its returnId" }),
      parcelId: string({ description: "Its shipment at EasyPost" }),
      state: oneOf(["bought", "voiding", "voided", "void_refused"], {
        description:
          "voiding: EasyPost is being asked for its money; voided: EasyPost has the request; void_refused: EasyPost " +
          "does not give the money back, as a note says",
      }),
      carrier: string(),
      trackingNumber: string({ optional: true, description: "Absent in labels of older versions" }),
      cost: string({ description: "In US dollars", example: "7.35" }),
      url: string({ optional: true, description: "The label, for printing (PDF). Absent once the buyer is erased" }),
    }),
    { optional: true, description: "Labels that were bought for shipments and returns" },
  ),
  notes: array(
    object("OrderNote", {
      noteId: string(),
      text: string({ max: 2_000 }),
      actor: string({ description: "`user:<id>`, `key:<id>`, `admin` or `system`" }),
      createdAt: string(),
    }),
    { optional: true, personal: true, description: "The oldest first" },
  ),
});

export const ERASURE_REASONS = ["account_deleted", "guest_request"] as const;
export type ErasureReason = (typeof ERASURE_REASONS)[number];

export const packedFields = rules({
  packed: object(
    "OrderPacked",
    { items: movedItemsRule, actor: string(), at: string() },
    { optional: true, description: "What is packed, by whom and when. Absent once a piece is left to pack" },
  ),
  erasing: oneOf(ERASURE_REASONS, {
    optional: true,
    description: "Set while the buyer's data waits to be erased until nothing of the order is left to do",
  }),
});

/** Fields of the order's progress. */
const standingFields = rules({
  status: statusRule,
  paymentStatus: paymentStatusRule,
  refundedAmount: amount,
  refundDue: {
    ...amount,
    optional: true,
    description: "Money of cancelled or returned pieces whose refund failed: it is retried. Absent if nothing is due",
  },
  disputedAmount: {
    ...amount,
    optional: true,
    description: "What the buyer's bank holds or took in a dispute; it does not count as refunded. Absent if nothing",
  },
  addressMissing: boolean({
    optional: true,
    description: "The order ships, but its address lacks what a carrier needs. Absent if complete",
  }),
  shippingUnderpaid: shippingUnderpaidRule,
  shipments: array(
    object("Shipment", {
      shipmentId: string(),
      items: movedItemsRule,
      ...sentBy,
      createdAt: string(),
      expectedAt: string({
        optional: true,
        description: "Day on which the carrier expects to deliver it, if it says so",
      }),
      deliveredAt: string({ optional: true, description: "When the carrier delivered it, as EasyPost says" }),
      failedAt: string({ optional: true, description: "When EasyPost said that it comes back or cannot be delivered" }),
    }),
    {
      optional: true,
    },
  ),
  returns: array(
    object({
      returnId: string(),
      items: movedItemsRule,
      reason: oneOf(RETURN_REASONS),
      restockingFee: amount,
      createdAt: string(),
      cancelledAt: string({ optional: true, description: "When it, or the rest of it, was cancelled" }),
      state: oneOf(RETURN_STATES, { optional: true }),
    }),
    { optional: true, description: "Pieces that are coming back; those that have arrived are `returned` in the items" },
  ),
  deliveredAt: string({ optional: true, description: "When staff recorded the delivery, or the last parcel arrived" }),
  returnDetails: array(
    object("ReturnDetails", {
      returnId: string(),
      comment: string({ optional: true, description: "The buyer's words" }),
      photos: array(string(), { optional: true, description: "Ids of the buyer's photos, which staff can see" }),
      refusal: string({ optional: true, description: "Why the shop refused it; the buyer sees it" }),
    }),
    { optional: true, personal: true, description: "What was written about returns that the buyer requested" },
  ),
});

/** Fields that the owner of an order sees. */
export const ownerFields = rules({ ...orderedFields, ...standingFields, ...sentBy });

export const orderShape = rules({ ...ownerFields, ...staffFields, ...notedFields, ...packedFields });

export type OrderShape = InferRules<typeof orderShape>;
