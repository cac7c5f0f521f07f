import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { call } from "../../services/contracts.ts";
import { ORDERS } from "../../services/order/collections.ts";
import { PAYMENTS, WEBHOOK_EVENTS, type WebhookEvent } from "../../services/payment/collections.ts";
import { catalogOf, observer } from "../contract/payment.shop.ts";
import { mortalStore } from "../support/mortal-store.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { answerWishes } from "../support/worker-wishes.ts";

/**
 * A process with the real payment, cart and order services over the real embedded store, which dies by kill -9 right
 * after the n-th write of a delivery's own (`dieAfter`), or right before the first one (0). Every step
 * of a completion ends with a write, so this reaches the gap between any two.
 */

export type Wish =
  | { do: "checkout"; cartId: string }
  | { do: "deliver"; webhook: { body: string; headers: Record<string, string> }; dieAfter?: number }
  | { do: "state"; cartId: string; sessionId: string };

const [dataDir, providerUrl] = process.argv.slice(2);

/** Channels deliver, and carts are announced, beside a completion: they have suites of their own for their writes. */
const BESIDE = ["leases", "outbox", "channel_groups", "channel_deliveries", "tasks", "cart_savings"];

const store = mortalStore(await openDocumentStore({ dataDir: dataDir! }), () => undefined, BESIDE);
const { documents } = store;
/** What reached a consumer, in this life and in those before. */
const published = join(dataDir!, "published");
const { broker } = await startTestBroker({
  settings: testSettings({ DATA_DIR: dataDir!, STRIPE_API_BASE: providerUrl! }),
  documents,
  services: [
    "payment",
    "cart",
    "order",
    catalogOf({ "bns-1": 1_000 }),
    observer(({ payload }) => appendFileSync(published, `${String(payload.orderId)}\n`)),
  ],
});
const item = { productId: "bns-1", partNumber: "BNS-1", title: "Plug", quantity: 1, unitPrice: 10 };

async function carryOut(wish: Wish): Promise<unknown> {
  switch (wish.do) {
    case "checkout":
      await call(broker, "cart.saveForCheckout", { cartId: wish.cartId, items: [item] });
      return call(broker, "payment.createCheckoutSession", { cartId: wish.cartId, items: [item] });
    case "deliver": {
      store.dieAfter(wish.dieAfter);
      await call(broker, "payment.receiveWebhook", wish.webhook);
      return { writes: store.writes() };
    }
    case "state":
      return {
        order: (await call(broker, "order.findByPayment", { paymentKey: wish.sessionId })).order,
        cart: (await call(broker, "cart.access", { cartId: wish.cartId })).cart?.items.length,
        orders: await documents.collection(ORDERS).count({}),
        payments: await documents.collection(PAYMENTS).count({}),
        events: (await documents.collection<WebhookEvent>(WEBHOOK_EVENTS).find({})).map(({ _id, state }) => ({
          id: _id,
          state,
        })),
        published: existsSync(published) ? readFileSync(published, "utf8").trim().split("\n") : [],
      };
  }
}

answerWishes(carryOut);
