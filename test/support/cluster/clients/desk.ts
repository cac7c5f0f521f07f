import { JSON_TYPE, type Client } from "./client.ts";
import type { Shop } from "./shop.ts";
import { pick } from "./shopper.ts";

/**
 * An admin takes care of an order: moves it on and refunds parts of it, or cancels it. Nothing is done where none was
 * bought.
 */
export async function takeCare(client: Client, shop: Shop): Promise<void> {
  const order = shop.bought.shift();
  if (!order) return;
  const { orderId, total } = order;
  const headers = { ...JSON_TYPE, "x-admin-token": shop.adminToken };
  // A cancellation is known again by its order.
  if (pick([true, false])) {
    await client.do(
      "cancel",
      { orderId },
      { entry: "gateway", method: "POST", path: `/api/orders/${orderId}/cancel`, headers, body: "{}" },
      (status) => (status === 200 ? {} : undefined),
      "keyed",
    );
    return;
  }
  await client.do(
    "order.move",
    { orderId, status: "processing" },
    {
      entry: "gateway",
      method: "PATCH",
      path: `/api/admin/orders/${orderId}`,
      headers,
      body: JSON.stringify({ status: "processing" }),
    },
    (status, body) => (status === 200 ? { version: body.data.version as number } : undefined),
    "keyed",
  );
  // Of different amounts, and together less than the order; in cents.
  const amounts = [1, 2]
    .map((share) => Math.floor((total * share) / 10))
    .filter((amount, index, all) => amount > 0 && all.indexOf(amount) === index);
  for (const amount of amounts) {
    await client.do(
      "refund",
      { orderId, amount },
      {
        entry: "gateway",
        method: "POST",
        path: `/api/admin/orders/${orderId}/refunds`,
        headers,
        body: JSON.stringify({ amount: amount / 100 }),
      },
      (status) => (status === 200 || status === 201 ? {} : undefined),
    );
  }
}
