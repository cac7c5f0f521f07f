/** What a system says of itself once it is whole again, in the words of the checks. Money is in cents. */
export interface FinalState {
  orders: FinalOrder[];
  /** Every event of the log. */
  events: FinalEvent[];
  /** The provider's books. */
  payments: FinalPayment[];
  /** Quantities in the guests' own carts by session. */
  ownCarts: Record<string, number>;
  /** Quantities in saved carts by id; null for one that is not there. */
  savedCarts: Record<string, number | null>;
  manuals: Record<string, FinalManual>;
  /** Of each order. */
  mails: Record<string, FinalMail[]>;
  /** What another system has been sent. */
  webhooks: FinalWebhooks;
  /** What had not ended when nobody waited any longer: ids of orders, sessions and jobs. */
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
  refunded: number;
  version: number;
  /** Pieces that were ordered. */
  quantity: number;
  refunds: { refundId: string; amount: number; status: string }[];
  shipments: { tracking: string; quantity: number }[];
  returns: string[];
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
}

export interface FinalManual {
  status: string;
  sha256: string | null;
  parts: number;
}
