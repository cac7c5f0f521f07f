import type { OrderStatus, PaymentStatus } from "../../broker/contract/placed-order.ts";
import type { Cents } from "../../mixins/money.ts";
import type { StoredEvent } from "../contracts.ts";

type OrderEventType = (StoredEvent & { aggregate_type: "order" })["event_type"];
type DataOf<Type extends OrderEventType> = (StoredEvent & { event_type: Type })["data"];
type Placed = DataOf<"ORDER_CREATED">;
export type OrderLine = Pick<Placed["items"][number], "productId" | "partNumber" | "quantity" | "price">;

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
export function orderFactOf(event: StoredEvent): OrderFact | undefined {
  if (event.aggregate_type !== "order") return undefined;
  if (event.event_type === "ORDER_CREATED") return madeOf(event.data);
  return "to" in event.data ? changedOf(event.event_type, event.data) : undefined;
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
