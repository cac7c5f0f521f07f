import { randomUUID } from "node:crypto";
import { JSON_TYPE, type Client } from "./client.ts";
import type { Shop } from "./shop.ts";
import { pick } from "./shopper.ts";

/**
 * An admin takes care of an order: moves it on and refunds parts of it, cancels it, or delivers it. Nothing is done
 * where none was bought.
 */
export async function takeCare(client: Client, shop: Shop): Promise<void> {
  const order = shop.bought.shift();
  if (!order) return;
  const { orderId, total } = order;
  const headers = { ...JSON_TYPE, "x-admin-token": shop.adminToken };
  const what = pick(["cancel", "refund", "deliver"] as const);
  if (what === "deliver") return deliver(client, order, headers);
  // A cancellation is known again by its key.
  if (what === "cancel") {
    await client.do(
      "cancel",
      { orderId },
      {
        entry: "gateway",
        method: "POST",
        path: `/api/orders/${orderId}/cancel`,
        headers: { ...headers, "idempotency-key": randomUUID() },
        body: "{}",
      },
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

/** Ships one piece, then the others, and takes one back. */
async function deliver(
  client: Client,
  { orderId, productId, quantity }: Shop["bought"][number],
  headers: Record<string, string>,
): Promise<void> {
  const post = (path: string, body: object = {}) => {
    const url = `/api/admin/orders/${orderId}/${path}`;
    return { entry: "gateway", method: "POST", path: url, headers, body: JSON.stringify(body) } as const;
  };
  const ship = (pieces: number) => {
    const tracking = randomUUID();
    const lines = [{ productId, quantity: pieces }];
    return client.do(
      "ship",
      { orderId, tracking },
      post("shipments", { carrier: "UPS", trackingNumber: tracking, lines }),
      (status) => (status === 201 ? {} : undefined),
    );
  };
  await ship(1);
  if (quantity > 1) await ship(quantity - 1);
  const expected = await client.do(
    "return",
    { orderId },
    post("returns", { lines: [{ productId, quantity: 1 }] }),
    (status, body) => (status === 201 ? { returnId: body.data.returns.at(-1).returnId as string } : undefined),
  );
  if (!expected) return;
  // A receipt is known again by its return.
  await client.do(
    "return.receive",
    { orderId, returnId: expected.returnId },
    post(`returns/${expected.returnId}/receipt`),
    (status) => (status === 200 ? {} : undefined),
    "keyed",
  );
}
