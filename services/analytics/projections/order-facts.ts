import type { OrderStatus, PaymentStatus } from "../../../broker/contract/placed-order.ts";
import type { EventTypeOf } from "../../../broker/contract/define.ts";
import type { Cents } from "../../../mixins/money.ts";
import type { Events } from "../../contracts.ts";
import type { StoredEvent } from "./projection.ts";

export interface OrderLine {
  productId: string;
  partNumber: string;
  quantity: number;
  price: Cents;
}

type Placed = Events["order.created"];

export interface OrderMade extends Pick<
  Placed,
  "orderId" | "cartId" | "sessionId" | "total" | "currency" | "paymentStatus"
> {
  kind: "made";
  version: 1;
  at: Date;
  items: OrderLine[];
}

interface OrderChanged {
  kind: "changed";
  event: Exclude<OrderEventType, "ORDER_CREATED">;
  orderId: string;
  version: number;
  status: OrderStatus;
  paymentStatus: PaymentStatus;
  cameFrom: PaymentStatus;
  /** Growth of the refunded amount. */
  refunded: Cents;
}

type OrderEventType = EventTypeOf<Extract<keyof Events, `order.${string}`>>;

export type OrderFact = OrderMade | OrderChanged;

/** Characters: it may be the provider's own name. */
const LONGEST_ID = 300;

/** Returns undefined for any other event. The system alone records these. */
export function orderFactOf({ aggregate_type, event_type, data }: StoredEvent): OrderFact | undefined {
  if (aggregate_type !== "order") return undefined;
  const kind = event_type as OrderEventType;
  switch (kind) {
    case "ORDER_CREATED":
      return madeOf(data as Placed);
    case "ORDER_UPDATED":
    case "ORDER_SHIPPED":
    case "ORDER_DELAYED":
    case "ORDER_RETURNED":
    case "ORDER_LINES_CANCELLED":
    case "ORDER_CANCELLED":
    case "ORDER_REFUNDED":
      return changedOf(kind, data as unknown as Changed);
    default:
      kind satisfies never;
      return undefined;
  }
}

type Changed = Pick<Events["order.refunded"], "orderId" | "version" | "from" | "to"> & { amount?: Cents };

function madeOf({ items, createdAt, ...placed }: Placed): OrderMade {
  return {
    ...placed,
    kind: "made",
    version: 1,
    at: new Date(createdAt),
    items: items.map(({ productId, partNumber, quantity, price }) => ({
      productId: storable(productId),
      partNumber: storable(partNumber),
      quantity,
      price,
    })),
  };
}

function changedOf(
  event: OrderChanged["event"],
  { orderId, version, from, to: { status, paymentStatus }, amount: refunded = 0 }: Changed,
): OrderChanged {
  const cameFrom = from.paymentStatus;
  return { kind: "changed", event, orderId, version, status, paymentStatus, cameFrom, refunded };
}

function storable(text: string): string {
  return text.slice(0, LONGEST_ID).toWellFormed().replaceAll("\u0000", "");
}
