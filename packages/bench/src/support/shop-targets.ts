import { ulid } from "ulid";
import { ADMIN_TOKEN, type System, type SystemOptions } from "../../../../test/support/system.ts";
import type { LoadTarget } from "./load.ts";
import { cartItem, checkOutAndPay, newCartId, findOrder, startShop, stripeSignature, type SearchHit } from "./shop.ts";

const WEBHOOK_SECRET = "whsec_bench";
export const json = (): Record<string, string> => ({ "content-type": "application/json" });

export interface ShopUnderLoad {
  system: System;
  hits: SearchHit[];
  cartId: string;
  /** The cart as it was answered when it was saved. */
  savedCart: unknown;
  /** Requests of the benchmarks to a shop, each with the name of its row. */
  targets: [string, LoadTarget][];
}

/** A running shop with a saved cart, a paid order and its webhook event, and the requests that read and repeat them. */
export async function startShopUnderLoad(
  env: Record<string, string> = {},
  processes?: SystemOptions["processes"],
): Promise<ShopUnderLoad> {
  // All requests are of one client: what guests may store in a day is soon used up.
  const settings = { GUEST_STORAGE_MB: "1000000", STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET };
  const { system, hits } = await startShop({ ...settings, ...env }, processes);
  const hit = hits[0]!;
  const payment = system.url("payment");
  const cart = system.url("cart");

  const cartId = newCartId();
  const saved = await system.request("cart", "POST", "/api/cart", {
    body: { cartId, items: hits.slice(0, 3).map((part) => cartItem(part)) },
  });
  const token = await system.token("customer");
  const userId = (JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()) as { sub: string }).sub;
  const { sessionId } = await checkOutAndPay(system, hit, { value: token, userId });
  const { orderId } = await findOrder(system, sessionId);
  const event = await completedEvent(system, sessionId);

  const targets: [string, LoadTarget][] = [
    ["GET /api/cart/{id}", { url: `${cart}/api/cart/${cartId}` }],
    [
      "GET /api/orders/{id} with token",
      { url: `${payment}/api/orders/${orderId}`, headers: () => ({ authorization: `Bearer ${token}` }) },
    ],
    [
      "POST /api/cart",
      {
        url: `${cart}/api/cart`,
        method: "POST",
        headers: json,
        body: () => JSON.stringify({ cartId: newCartId(), items: [cartItem(hit)] }),
      },
    ],
    [
      "POST /api/cart/items, one cart a request",
      {
        url: `${cart}/api/cart/items`,
        method: "POST",
        headers: json,
        sessionPerRequest: true,
        body: () => JSON.stringify({ item: cartItem(hit) }),
      },
    ],
    [
      "POST /webhooks/stripe, delivered again",
      {
        url: `${payment}/webhooks/stripe`,
        method: "POST",
        body: () => event,
        headers: () => ({ ...json(), "stripe-signature": stripeSignature(event, WEBHOOK_SECRET) }),
      },
    ],
    ["GET /api/search", { url: `${system.url("search")}/api/search?q=carburetor&limit=10` }],
    [
      "POST /events",
      {
        url: `${system.url("eventstore")}/events`,
        method: "POST",
        headers: () => ({ ...json(), "x-admin-token": ADMIN_TOKEN }),
        body: () =>
          JSON.stringify({
            aggregate_id: ulid(),
            aggregate_type: "thing",
            event_type: "THING_CHANGED",
            data: { n: 1 },
          }),
      },
    ],
  ];
  return { system, hits, cartId, savedCart: saved.body.data, targets };
}

/** The signed event as the provider sent it. */
async function completedEvent(system: System, sessionId: string): Promise<string> {
  const response = await fetch(`${system.sandboxUrl("payment")}/v1/events?type=checkout.session.completed&limit=10`, {
    headers: { Authorization: "Bearer sk_test_partline_sandbox" },
  });
  const { data } = (await response.json()) as { data: { data: { object: { id: string } } }[] };
  return JSON.stringify(data.find((candidate) => candidate.data.object.id === sessionId));
}
