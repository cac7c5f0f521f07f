import type { InferRules } from "@partline/api-contracts";
import type { PaymentStatus } from "../shared/placed-order.ts";
import type { CollectionDefinition, Document } from "@partline/durable";
import type { Cents } from "@partline/parts-language";
import type { RETURN_REASONS } from "../../mixins/shop/return-limits.ts";
import type { PaidBy, RefundReason } from "./resources.ts";
import { LISTED_STATES, ORDER_QUEUES, type staffFields } from "./shape.ts";
import type { DisputeState, ErasureReason, ListedState, OrderQueue, OrderShape, RETURN_CONDITIONS } from "./shape.ts";

export type OrderLine = OrderShape["items"][number] & {
  /** Since when pieces are late: the day that was promised does not count any more. ISO 8601. */
  lateAt?: string;
};

/** Pieces of the product that its id, its part number, or both name. */
export interface NamedItem {
  productId?: string;
  partNumber?: string;
  quantity: number;
}

export type MovedItem = Required<NamedItem>;

/** Pieces of a return that came back in one condition. */
export interface ReceivedItem extends NamedItem {
  condition?: ReturnCondition | undefined;
  /** Restocking fee for the pieces. */
  restockingFee?: Cents | undefined;
}

export type OrderShipment = NonNullable<OrderShape["shipments"]>[number];

export type OrderLabel = NonNullable<OrderShape["labels"]>[number];

export type OrderReturn = NonNullable<OrderShape["returns"]>[number];

export type ReturnCondition = (typeof RETURN_CONDITIONS)[number];

export type ReturnReason = (typeof RETURN_REASONS)[number];

export interface ShipmentRequest extends Partial<InferRules<typeof staffFields>> {
  /** All that is left unless given. */
  lines?: readonly NamedItem[];
  carrier?: string;
  trackingNumber?: string;
  version?: number;
  /** Ships though a dispute has money of the order. */
  override?: { reason: string };
}

/** A label that is being bought, with the shipment or return that it is for. Written before it is paid for. */
export interface Labelling {
  /** Of a shipment, or of a return. */
  shipmentId: string;
  /** Id of the parcel at the provider, which sells it one label. */
  parcelId: string;
  rateId: string;
  /** Absent for a return. */
  request?: ShipmentRequest | undefined;
  actor: string;
}

/**
 * - `requested`: the intent is written and its amount reserved; the provider has not confirmed it yet
 * - `pending`, `succeeded`: the provider has taken it, and counts it in the charge's refunded amount
 * - `failed`: the provider took it and failed it later, or (without a providerRefundId) never took it
 */
export interface RefundRecord {
  refundId: string;
  amount: Cents;
  status: "requested" | "pending" | "succeeded" | "failed";
  providerRefundId: string | null;
  /** null for a refund made at the provider's own console. */
  reason: RefundReason | null;
  actor: string;
  /** The charge's figure at the request: growth since then may be this refund. 0 for a refund that others made. */
  figureBefore: Cents;
  items?: readonly NamedItem[];
  /** The items that it pays for, if some of them were refunded before. */
  paidItems?: readonly NamedItem[];
  /** Its items are cancelled with it as far as they have not shipped, unless the provider never takes it. */
  cancels?: true | undefined;
  /** The return whose items came back; they count as returned unless the provider never takes it. */
  returnId?: string;
  /** Restocking fee for the pieces. */
  restockingFee?: Cents;
  /** State in which all pieces came back. */
  condition?: ReturnCondition | undefined;
  /** The pieces by condition and fee, where these differ. */
  lines?: readonly (ReceivedItem & MovedItem)[] | undefined;
  /** The request was answered with an error, and may be repeated. */
  refused?: true;
  /** Failures so far of a refund that is made again because its money is due. */
  attempts?: number;
  /** How the shop paid it without the provider, which then knows nothing of it. */
  paidBy?: PaidBy;
  /** The buyer knows of it already, by a refund that the provider took and that came back. */
  promised?: true | undefined;
  /** ISO 8601: the store takes Dates in declared fields only, and those cannot lie in arrays. */
  createdAt: string;
}

export interface DisputeRecord {
  disputeId: string;
  /** As the provider names it. */
  status: string;
  /** Disputed amount, or the part that the bank took. Absent in orders of older versions. */
  amount?: Cents;
  /** As the provider names it. */
  reason?: string;
  /** Deadline for evidence, ISO 8601. */
  dueBy?: string;
  updatedAt: string;
}

export interface CancelRequest {
  reason: RefundReason;
  actor: string;
  adminNote?: string;
  /** Cancels also if the refund fails. */
  force: boolean;
  /** Run of a request with an Idempotency-Key, which thereby recognises its own cancellation. */
  runId?: string | undefined;
}

/** `refundedAmount` is derived from `refunds` and `chargeRefunded` by `withLedger`. */
export interface OrderDocument extends Document, Omit<OrderShape, "items"> {
  items: OrderLine[];
  orderNumber: string;
  paymentKey: string;
  sessionId?: string;
  paymentIntentId?: string;
  cartId?: string;
  /** Stock hold of its checkout; order.created names it. */
  hold?: string;
  /** For order.created, which may be written after the first change. */
  paymentStatusAtCreation: PaymentStatus;
  refunds: RefundRecord[];
  /** The highest cumulative figure that the provider has reported for the charge. */
  chargeRefunded: Cents;
  disputes: DisputeRecord[];
  /** The provider refused a refund because of a dispute: none is asked for until a dispute's state changes. */
  refundsBlocked?: true;
  /** Owed for pieces while a dispute has the money; refunded if it is won. */
  withheld?: Cents;
  /** Days that purchases at vendors gave waiting lines, by part. */
  purchaseDays?: Record<string, string>;
  /** Lines as the buyer knows them, while news of a count waits; absent if that is how they are. */
  knownItems?: OrderLine[] | undefined;
  /** The buyer was erased: data of theirs that come up again are erased too. */
  erased?: ErasureReason;
  /** A label whose purchase the provider has not answered yet. */
  labelling?: Labelling | undefined;
  /** Approved returns whose label is still to be bought. */
  unlabelledReturns?: readonly string[] | undefined;
  /** A cancellation whose refund the provider has not answered yet. */
  cancelling?: CancelRequest & { refundId: string };
  cancellation?: Pick<CancelRequest, "reason" | "actor" | "runId"> & { at: Date; refundId: string | null };
  /** Time at which the sweep takes over unfinished work. */
  resumeAt?: Date;
  /** The same while a process asks the provider; it is over at another `resumeAt`. */
  leasedUntil?: Date;
  /** Counts events; clients see it. */
  version: number;
  /** For lists (`withDerived`): states of its pieces, its queues, any uncounted line, its contact's address, its texts. */
  lineStates?: Partial<Record<ListedState, true>>;
  queues?: Partial<Record<OrderQueue, true>>;
  isUncounted?: true | undefined;
  contactKey?: string;
  searchText?: string;
  disputeState?: DisputeState;
  derived?: number;
  /** Counts writes, for compare-and-set. */
  revision: number;
  createdAt: Date;
  updatedAt: Date;
}

export const ORDERS: CollectionDefinition = {
  name: "orders",
  fields: {
    orderNumber: "string",
    paymentKey: "string",
    sessionId: "string",
    paymentIntentId: "string",
    userId: "string",
    status: "string",
    paymentStatus: "string",
    pickupPlace: "string",
    total: "number",
    revision: "number",
    createdAt: "date",
    updatedAt: "date",
    resumeAt: "date",
    leasedUntil: "date",
    "cancellation.at": "date",
    refundDue: "number",
    addressMissing: "boolean",
    "shippingUnderpaid.goesTo": "string",
    isUncounted: "boolean",
    erasing: "string",
    contactKey: "string",
    searchText: "string",
    disputeState: "string",
    derived: "number",
    ...Object.fromEntries(LISTED_STATES.map((state) => [`lineStates.${state}`, "boolean" as const])),
    ...Object.fromEntries(ORDER_QUEUES.map((queue) => [`queues.${queue}`, "boolean" as const])),
  },
  indexes: [
    { keys: { paymentKey: 1 }, unique: true },
    { keys: { sessionId: 1 }, unique: true },
    { keys: { paymentIntentId: 1 }, unique: true },
    { keys: { orderNumber: 1 }, unique: true },
    { keys: { createdAt: -1 } },
    { keys: { userId: 1, createdAt: -1 } },
    { keys: { status: 1, createdAt: -1 } },
    { keys: { paymentStatus: 1, createdAt: -1 } },
    { keys: { pickupPlace: 1, createdAt: -1 } },
    { keys: { total: 1 } },
    { keys: { resumeAt: 1 } },
    { keys: { refundDue: 1 } },
    { keys: { addressMissing: 1, createdAt: -1 } },
    { keys: { "shippingUnderpaid.goesTo": 1 } },
    { keys: { contactKey: 1, createdAt: -1 } },
    { keys: { disputeState: 1, createdAt: -1 } },
    { keys: { erasing: 1 } },
    { keys: { derived: 1 } },
    ...LISTED_STATES.map((state) => ({ keys: { [`lineStates.${state}`]: 1, createdAt: -1 } as const })),
    ...ORDER_QUEUES.map((queue) => ({ keys: { [`queues.${queue}`]: 1, createdAt: -1 } as const })),
  ],
};

/** Index of orders by part: arrays cannot be indexed. */
export interface OrderPartDocument extends Document {
  orderId: string;
  pnNorm: string;
  createdAt: Date;
}

export const ORDER_PARTS: CollectionDefinition = {
  name: "order_parts",
  fields: { orderId: "string", pnNorm: "string", createdAt: "date" },
  indexes: [{ keys: { pnNorm: 1, createdAt: -1 } }],
};
