import { groupBy, type Check, type Violation } from "./check.ts";

/**
 * A receiver that takes each webhook-id once has every order once: none is missing, none came under two ids, and every
 * signature held.
 */
export const webhooks: Check = (_operations, { orders, webhooks: { received, refused } }) => {
  const violations: Violation[] = [];
  const tell = (about: string, message: string) => violations.push({ check: "webhooks", about, message });
  for (const reason of refused) tell("the receiver", `refused a request: ${reason}`);
  const webhooksByOrder = groupBy(received, ({ orderId }) => orderId);
  for (const { orderId } of orders)
    if (!webhooksByOrder.has(orderId)) tell(orderId, "is an order that the receiver does not know");
  const orderIds = new Set(orders.map(({ orderId }) => orderId));
  for (const [orderId, orderWebhooks] of webhooksByOrder) {
    const ids = new Set(orderWebhooks.map(({ webhookId }) => webhookId));
    if (ids.size > 1) tell(orderId, `came under ${ids.size} webhook-ids`);
    if (!orderIds.has(orderId)) tell(orderId, "came by a webhook, and is no order");
  }
  return violations;
};
