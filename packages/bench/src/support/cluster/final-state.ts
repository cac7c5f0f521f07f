/** The state of a system once it is whole again, in the words of the checks. Money is in cents. */
export interface FinalState {
  orders: FinalOrder[];
  /** Every event of the log. */
  events: FinalEvent[];
  /** The provider's books. */
  payments: FinalPayment[];
  /** Figures of the shop's statistics. */
  revenue: { gross: number; refunded: number; disputed: number; net: number };
  /** Quantities in the guests' own carts by session. */
  ownCarts: Record<string, number>;
  /** Quantities in saved carts by id; null for one that is not there. */
  savedCarts: Record<string, number | null>;
  manuals: Record<string, FinalManual>;
  /** Of each order. */
  mails: Record<string, FinalMail[]>;
  /** Events that another system has been sent. */
  webhooks: FinalWebhooks;
  /** Ids of orders, sessions and jobs that had not ended when nobody waited any longer. */
  unfinished: string[];
}

export interface FinalOrder {
  orderId: string;
  orderNumber: string;
  sessionId: string | null;
  cartId: string | null;
  status: string;
  paymentStatus: string;
  total: number;
  shipping: number;
  refunded: number;
  disputed: number;
  /** Cost of shipping beyond what was paid; null if the order does not say so. */
  underpaid: number | null;
  /** The state of the address that it is shipped to. */
  shipsTo: string | null;
  version: number;
  /** Pieces that were ordered. */
  quantity: number;
  /** With the return that one is for. */
  refunds: { refundId: string; amount: number; status: string; returnId?: string }[];
  disputes: { disputeId: string; amount: number; status: string }[];
  shipments: { tracking: string; quantity: number }[];
  /** Of each in pieces. */
  returns: { returnId: string; announced: number; received: number; awaited: number; isCalledOff: boolean }[];
  /** Pieces that came back. */
  returned: number;
}

export interface FinalEvent {
  eventId: string;
  position: number;
  aggregateId: string;
  aggregateType: string;
  version: number;
  eventType: string;
  /** The order's version that an event of an order made. */
  orderVersion?: number;
  /** Cost of shipping beyond what was paid, or null if the event says that this is over. */
  underpaid?: number | null;
}

export interface FinalMail {
  kind: string;
  state: string;
}

export interface FinalWebhooks {
  /** Verified requests in the order they came, with those that came again. */
  received: { webhookId: string; type: string; orderId: string }[];
  /** Why requests were refused. */
  refused: string[];
}

export interface FinalPayment {
  sessionId: string | null;
  cartId: string | null;
  received: number;
  refunded: number;
  disputed: number;
}

export interface FinalManual {
  status: string;
  sha256: string | null;
  parts: number;
}
