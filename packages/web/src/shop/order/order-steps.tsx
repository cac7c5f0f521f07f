import type { OrderLookup, Order } from "@partline/client";
import type { ReactNode } from "react";
import { useShop } from "../context.tsx";
import { formatDayOfYear } from "../format.ts";
import { Steps } from "../kit/steps.tsx";

type Stand = Pick<OrderLookup, "status" | "paymentStatus" | "fulfilment" | "createdAt"> &
  Pick<Order, "shipments" | "deliveredAt">;

/** How many steps are done. Of an order that is shipped or delivered, that step is the one it stands at. */
const DONE = { pending: 1, processing: 1, shipped: 3, delivered: 4, cancelled: 0 } as const;

/**
 * Renders how far an order is, the days without a year, which stands beside it; nothing for one that goes nowhere any
 * more.
 */
export function OrderSteps({ order }: { order: Stand }): ReactNode {
  const shop = useShop();
  const { texts } = shop;
  const { status, paymentStatus, fulfilment, createdAt, shipments = [] } = order;
  if (status === "cancelled" || paymentStatus === "failed" || paymentStatus === "refunded") return null;
  const isPickup = fulfilment === "pickup";
  const isPaid = paymentStatus !== "pending";
  const lastShipment = shipments.at(-1);
  const deliveredAt = order.deliveredAt ?? lastShipment?.deliveredAt;
  const isPartly = status === "processing" && lastShipment !== undefined;
  const done = isPartly ? 2 : isPaid ? DONE[status] : 0;
  return (
    <Steps
      label={texts.status}
      current={done > 2 ? done - 1 : done}
      done={done}
      steps={[
        { name: texts.step_ordered, note: formatDayOfYear(createdAt, shop) },
        { name: texts.step_preparing },
        {
          name: isPickup ? texts.step_ready : texts.step_shipped,
          ...(lastShipment && { note: isPartly ? texts.step_partly : formatDayOfYear(lastShipment.createdAt, shop) }),
        },
        {
          name: isPickup ? texts.step_pickedUp : texts.step_delivered,
          ...(deliveredAt !== undefined && { note: formatDayOfYear(deliveredAt, shop) }),
        },
      ]}
    />
  );
}
