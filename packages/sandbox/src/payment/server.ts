import { createHmac } from "node:crypto";

import { openDatabase, transact } from "../server/database.ts";
import { createHtmlReply } from "../server/html.ts";
import { type Address, type HttpServer, startHttpServer } from "../server/http-server.ts";
import { createWebhooks } from "../server/webhooks.ts";
import type { Account, Runner } from "./account.ts";
import { endpointOperations, eventOperations } from "./resources/events.ts";
import { createApiRoutes } from "./api.ts";
import { createControlRoutes, createFaults } from "./control.ts";
import { renderMessagePage } from "./pages/layout.ts";
import { createCheckoutRoutes, indexPage } from "./pages/routes.ts";
import { checkoutSessionOperations, expireDueSessions } from "./resources/checkout-sessions.ts";
import { customerOperations } from "./resources/customers.ts";
import { paymentOperations } from "./resources/payment-intents.ts";
import { refundOperations } from "./resources/refunds.ts";
import { setupOperations } from "./resources/setup-intents.ts";
import { taxOperations } from "./resources/tax-calculations.ts";
import { createStore, SCHEMA } from "./store.ts";

export type PaymentSandboxOptions = Address & {
  /** Folder of the state; in memory without it. */
  dataDir?: string;
  secretKey: string;
  webhookSecret: string;
  webhookUrls: string[];
  /** Milliseconds between attempts to deliver a webhook; the last one repeats. */
  retryDelaysMs?: number[];
};

const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000];
const EXPIRY_LOOK_MS = 1_000;

/**
 * The payment provider's stand-in: its API under `/v1`, the hosted page under `/c`, controls under `/sandbox`, an index
 * at `/`. Resumes deliveries that an earlier run left.
 */
export async function startPaymentSandbox(options: PaymentSandboxOptions): Promise<HttpServer> {
  const database = openDatabase(options.dataDir, "payment-sandbox", SCHEMA);
  let clockOffset = 0;
  const getNow = (): number => Math.floor(Date.now() / 1_000) + clockOffset;
  const clock = { advance: (seconds: number) => ((clockOffset += seconds), getNow()) };
  const store = createStore(database, getNow);
  const webhooks = createWebhooks(database, {
    urls: options.webhookUrls,
    retryDelaysMs: options.retryDelaysMs ?? RETRY_DELAYS_MS,
    sign: (id) => {
      const event = store.find("event", id);
      if (!event) return undefined;
      const body = JSON.stringify({ ...event, pending_webhooks: webhooks.pending(id) }, null, 2);
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        "stripe-signature": createSignatureHeader(body, options.webhookSecret),
      };
      return { headers, body };
    },
  });
  const account: Account = { store, webhooks, now: getNow, ahead: () => clockOffset, baseUrl: "" };

  const run: Runner = (work, request = { id: null, idempotency_key: null }) => {
    const scope = { ...account, request };
    const result = transact(database, () => {
      expireDueSessions(scope);
      return work(scope);
    });
    webhooks.wake();
    return result;
  };

  const operations = [
    ...checkoutSessionOperations,
    ...paymentOperations,
    ...refundOperations,
    ...customerOperations,
    ...setupOperations,
    ...taxOperations,
    ...endpointOperations,
    ...eventOperations,
  ];
  const faults = createFaults();
  const notFound = renderMessagePage("Page not found", "The payment sandbox has nothing here.", {
    href: "/",
    label: "What it has",
  });
  const routes = {
    ...createApiRoutes(operations, { database, now: getNow, faults, run, secretKey: options.secretKey }),
    ...createCheckoutRoutes(run),
    ...createControlRoutes(run, faults, clock),
    "GET /": () => run(indexPage),
  };
  const server = await startHttpServer({ ...options, routes, notFound: () => createHtmlReply(404, notFound) });
  account.baseUrl = server.url;
  run(() => undefined);
  /** Expires sessions whose time comes between requests. */
  const expiry = setInterval(() => {
    if (store.dueSessions(getNow()).length > 0) run(() => undefined);
  }, EXPIRY_LOOK_MS);
  return {
    ...server,
    async close() {
      clearInterval(expiry);
      await server.close();
      await webhooks.close();
      database.close();
    },
  };
}

/** The `Stripe-Signature` of a payload: the unix second, and the HMAC-SHA-256 of `{t}.{payload}` in hex. */
function createSignatureHeader(payload: string, secret: string): string {
  const time = Math.floor(Date.now() / 1_000);
  return `t=${time},v1=${createHmac("sha256", secret).update(`${time}.${payload}`).digest("hex")}`;
}
