import type { OrderStatus, PaymentStatus } from "../../../broker/contract/placed-order.ts";
import type { Cents } from "../../../mixins/money.ts";
import type { StoredEvent } from "../../contracts.ts";

export interface OrderLine {
  productId: string;
  partNumber: string;
  quantity: number;
  price: Cents;
}

type OrderEventType = (StoredEvent & { aggregate_type: "order" })["event_type"];
type DataOf<Type extends OrderEventType> = (StoredEvent & { event_type: Type })["data"];
type Placed = DataOf<"ORDER_CREATED">;

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

export type OrderFact = OrderMade | OrderChanged;

/** Characters: it may be the provider's own name. */
const LONGEST_ID = 300;

/** Returns undefined for any other event. The system alone records these. */
export function orderFactOf({ aggregate_type, event_type, data }: StoredEvent): OrderFact | undefined {
  if (aggregate_type !== "order") return undefined;
  switch (event_type) {
    case "ORDER_CREATED":
      return madeOf(data);
    case "ORDER_UPDATED":
    case "ORDER_SHIPPED":
    case "ORDER_DELAYED":
    case "ORDER_RETURNED":
    case "ORDER_LINES_CANCELLED":
    case "ORDER_CANCELLED":
    case "ORDER_REFUNDED":
      return changedOf(event_type, data);
    default:
      event_type satisfies never;
      return undefined;
  }
}

type Changed = Pick<DataOf<"ORDER_REFUNDED">, "orderId" | "version" | "from" | "to"> & { amount?: Cents };

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
