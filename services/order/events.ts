import { centsRule } from "../shared/commerce.ts";
import {
  type EventDefinition,
  any,
  array,
  boolean,
  date,
  integer,
  object,
  oneOf,
  rules,
  string,
} from "@partline/api-contracts";
import { paymentStatusRule, placedOrderRule } from "../shared/placed-order.ts";
import { RETURN_REASONS } from "../../mixins/shop/return-limits.ts";
import { toEventType } from "../../broker/contract/recorded.ts";
import { conditionRule, paidByRule, REFUND_REASONS } from "./resources.ts";
import { ERASURE_REASONS, RETURN_STATES, sentBy, statusRule } from "./shape.ts";

const states = object({ status: statusRule, paymentStatus: paymentStatusRule });

/**
 * Ids (a tracking number is the carrier's id of a parcel), amounts and states. order.created alone has data of a person,
 * which the event store leaves out.
 */
const change = rules({
  orderId: string(),
  version: integer({ description: "The order's version after the change; order.created is version 1" }),
  actor: string({
    description:
      "`user:<id>`, `key:<id>`, `link` (the buyer, by the link in an email), `admin`, `system` or `payment-provider`",
  }),
  from: states,
  to: states,
  disputedAmount: {
    ...centsRule,
    optional: true,
    description: "Change of disputedAmount, to which all events add up; negative when a dispute was won",
  },
  toShip: array(object({ productId: string(), quantity: integer() }), {
    optional: true,
    description: "Pieces that are yet to ship after the change; none while the payment has failed or is refunded",
  }),
});

const money = rules({
  refundId: string({ nullable: true, description: "null for a refund made at the provider's own console" }),
  amount: {
    ...centsRule,
    description: "Change of refundedAmount, to which all events add up; negative when a refund was reversed",
  },
});

const changedRule = array(string(), { description: "Names of the fields that changed" });

const dayRule = string({ example: "2026-12-01" });

const movedRule = array(object({ productId: string(), partNumber: string(), quantity: integer() }));

const movingPieces = rules({ ...change, changed: changedRule, orderNumber: string(), items: movedRule });

const recorded = { aggregate: "order", prefixes: ["ord_"], id: ["orderId"] } as const;

export const orderEvents = {
  "order.created": {
    summary: "A checkout was completed and its order created",
    version: 2,
    recorded,
    payload: {
      ...placedOrderRule.props,
      actor: string({
        description: "Who created it: `payment-provider`, whose message about the payment it was created from",
      }),
    },
  },
  "order.updated": {
    summary: "The state of an order or its payment changed, or fields were set",
    // Version 1 is of erasures too, which changed `contact` or `userId`.
    version: 2,
    recorded,
    payload: {
      ...change,
      changed: changedRule,
      packed: boolean({
        optional: true,
        description: "Whether the pieces are packed now, if `changed` names packed. Absent in events of older versions",
      }),
      returnId: string({ optional: true, description: "The return that was cancelled, or the rest of it" }),
      shipmentId: string({ optional: true, description: "The shipment on its way whose tracking was corrected" }),
      items: { ...movedRule, optional: true, description: "Pieces of that shipment, not coming back, or not found" },
      dispute: object(
        {
          disputeId: string(),
          status: string({ description: "As the payment provider names it" }),
          amount: { ...centsRule, optional: true },
          reason: string({ optional: true, description: "As the payment provider names it" }),
        },
        { optional: true, description: "The dispute that was opened or updated, if `changed` names disputes" },
      ),
    },
  },
  "order.cancelled": {
    summary: "An order was cancelled; later refunds follow as order.refunded",
    recorded,
    payload: { ...change, ...money, reason: oneOf(REFUND_REASONS) },
  },
  "order.lines_cancelled": {
    summary:
      "Pieces of an order were cancelled and their share of the payment refunded; the rest of the order is unchanged",
    recorded,
    payload: {
      ...change,
      ...money,
      reason: oneOf(REFUND_REASONS),
      items: movedRule,
      shippedItems: { ...movedRule, optional: true, description: "Pieces that had shipped, refunded with them" },
    },
  },
  "order.shipped": {
    summary:
      "A shipment left. Written for each shipment in place of order.updated; the last one sets the order's " +
      "status to shipped",
    recorded,
    payload: {
      ...change,
      changed: changedRule,
      userId: string({ description: "`guest` for an order without a user" }),
      orderNumber: string({ optional: true, description: "Absent in events of older versions" }),
      shipmentId: string({ optional: true, description: "Absent in events of older versions" }),
      ...sentBy,
      trackingUrl: string({ optional: true, description: "The carrier's tracking page, if the carrier is known" }),
      pickupPlace: string({ optional: true, description: "Id of the place where the buyer collects them" }),
      items: movedRule,
    },
  },
  "order.shipment_cancelled": {
    summary: "A shipment was cancelled within an hour: its pieces must be shipped again",
    recorded,
    payload: { ...movingPieces, shipmentId: string(), ...sentBy },
  },
  "order.delivered": {
    summary: "An order was marked as delivered. Written in place of order.updated",
    recorded,
    payload: {
      ...movingPieces,
      ...sentBy,
      trackingUrl: string({ optional: true, description: "The page of the last shipment, if its carrier is known" }),
      items: { ...movedRule, description: "What was delivered, in all shipments" },
    },
  },
  "order.delayed": {
    summary: "The shop announced when pieces of an order are expected",
    recorded,
    payload: {
      ...change,
      items: movedRule,
      days: integer({ description: "Days from now until they can be shipped" }),
      day: { ...dayRule, optional: true, description: "That day. Absent in events of older versions" },
    },
  },
  "order.allocated": {
    summary: "Pieces that an order's buyer waits for have arrived, and can be shipped",
    recorded,
    payload: { ...change, items: movedRule, day: { ...dayRule, description: "The shop's day" } },
  },
  "order.returned": {
    summary: "Pieces came back, and their share of the payment was refunded less the restocking fee",
    recorded,
    payload: {
      ...change,
      ...money,
      returnId: string(),
      items: array(
        object({
          ...movedRule.items.props,
          condition: conditionRule,
          restockingFee: { ...centsRule, optional: true, description: "Kept for these pieces, if staff said so" },
        }),
        { description: "What arrived, which may be less than expected; with `condition` where pieces differ in it" },
      ),
      restockingFee: { ...centsRule, optional: true, description: "Kept from the refund" },
      condition: { ...conditionRule, description: "State in which all pieces came back, if staff said so" },
    },
  },
  "order.return_updated": {
    summary: "A buyer requested a return, staff approved or refused it, or staff registered one themselves",
    recorded,
    payload: {
      ...movingPieces,
      returnId: string(),
      state: oneOf(RETURN_STATES, { description: "`approved` at once if the shop's terms say so" }),
      reason: oneOf(RETURN_REASONS),
      owed: { ...centsRule, optional: true, description: "Refunded when they have come, less the restocking fee" },
      labelled: boolean({ optional: true, description: "True if a prepaid label is being bought for it" }),
      byStaff: boolean({ optional: true, description: "True if staff registered it; `approved` then" }),
    },
  },
  "order.erased": {
    summary: "The buyer's data was removed from an order",
    recorded,
    payload: {
      ...change,
      reason: oneOf(ERASURE_REASONS, {
        description: "account_deleted: a pseudonym replaced the user's id too",
      }),
      erased: array(string(), { description: "Names of the fields that were removed" }),
    },
  },
  "order.refunded": {
    summary: "Money of an order was refunded, or a refund failed after all",
    recorded,
    payload: {
      ...change,
      ...money,
      reason: oneOf(REFUND_REASONS, { nullable: true }),
      items: { ...movedRule, optional: true, description: "The refunded pieces; absent if an amount was refunded" },
      paidBy: paidByRule,
      repeated: boolean({
        optional: true,
        description: "True if a refund that was announced and came back is tried again, and if that attempt fails",
      }),
    },
  },
} as const satisfies Record<string, EventDefinition>;

const eventTypes = (Object.keys(orderEvents) as (keyof typeof orderEvents)[]).map(toEventType);

export const orderHistoryRule = object("OrderHistory", {
  events: array(
    object("OrderHistoryEvent", {
      event_id: string(),
      event_type: oneOf(eventTypes, { example: "ORDER_UPDATED" }),
      version: integer({ description: "The order's version after it" }),
      timestamp: date(),
      data: any({ description: "Amounts in whole cents" }),
    }),
  ),
});
