import { htmlReply } from "../server/html.ts";
import type { Handler } from "../server/http-server.ts";
import { startHttpServer } from "../server/http-server.ts";
import { routeRequests } from "../server/router.ts";
import { createOutbox } from "../server/webhooks/outbox.ts";
import { apiRoutes, errorReply } from "./api.ts";
import { createFaults } from "./control/faults.ts";
import { controlRoutes } from "./control/control-routes.ts";
import { operations } from "./operations.ts";
import { authenticationRoutes } from "./pages/authentication-routes.ts";
import { checkoutRoutes } from "./pages/checkout-routes.ts";
import { indexPage } from "./pages/index-page.ts";
import { messagePage } from "./pages/layout.ts";
import { assertSecretKey } from "./protocol/authentication.ts";
import { ApiError, unrecognizedUrl } from "./protocol/errors.ts";
import { createIdempotencyKeys } from "./protocol/idempotency.ts";
import { createRunner } from "./runner.ts";
import type { Account } from "./scope.ts";
import { createClock } from "./state/clock.ts";
import { openPaymentDatabase } from "./state/database.ts";
import { newId } from "./state/ids.ts";
import { createStore } from "./state/store.ts";
import { createEventDispatcher } from "./webhooks/dispatcher.ts";
import { createExpiryTimer } from "./state/expiry-timer.ts";

export type PaymentSandboxOptions = {
  host: string;
  /** 0 takes any free port. */
  port: number;
  /** Where state is kept; in memory without it. */
  dataDir?: string;
  secretKey: string;
  webhookSecret: string;
  webhookUrls: string[];
  /** Milliseconds between attempts to deliver a webhook; the last one repeats. */
  retryDelaysMs?: number[];
  /**
   * Whether the account is set up for automatic tax. A session that asks for it otherwise is refused, as at the
   * provider.
   */
  automaticTax?: boolean;
};

const RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000, 3_600_000];

/**
 * Starts the payment provider's stand-in: its API under `/v1`, the hosted page under `/c`, controls under `/sandbox`,
 * an index at `/`. Rejects when the port is taken. Deliveries that an earlier run left undone are taken up at once.
 */
export async function startPaymentSandbox(
  options: PaymentSandboxOptions,
): Promise<{ url: string; port: number; close(): Promise<void> }> {
  const database = openPaymentDatabase(options.dataDir);
  const store = createStore(database);
  const clock = createClock();
  const outbox = createOutbox(database, options.webhookUrls);
  const retryDelaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  const dispatcher = createEventDispatcher({ outbox, store, secret: options.webhookSecret, retryDelaysMs });
  const account: Account = { store, outbox, now: clock.now, baseUrl: "", taxRegistered: options.automaticTax ?? false };
  const run = createRunner(account, database, () => {
    dispatcher.wake();
    expiry.arm();
  });
  const expiry = createExpiryTimer(account, () => run(() => undefined));
  const faults = createFaults();
  const keys = createIdempotencyKeys(database, clock.now);
  const onError = (error: unknown): void => process.emitWarning(error instanceof Error ? error : String(error));
  const handler = routeRequests(
    {
      ...apiRoutes(operations, { database, faults, keys, run, secretKey: options.secretKey, onError }),
      ...checkoutRoutes(run),
      ...authenticationRoutes(run),
      ...controlRoutes({ run, faults, dispatcher, clock }),
      "* /v1/*": unknownEndpoint(options.secretKey),
      "GET /": () => run(indexPage),
    },
    () =>
      htmlReply(
        404,
        messagePage("Page not found", "The payment sandbox has nothing here.", { href: "/", label: "What it has" }),
      ),
  );
  const server = await startHttpServer({ host: options.host, port: options.port, handler, onError }).catch(
    (error: unknown) => {
      database.close();
      throw error;
    },
  );
  account.baseUrl = server.url;
  run(() => undefined);
  return {
    url: server.url,
    port: server.port,
    async close() {
      expiry.disarm();
      await server.close();
      await dispatcher.close();
      database.close();
    },
  };
}

function unknownEndpoint(secretKey: string): Handler {
  return ({ header, method, path }) => {
    const headers = { "request-id": newId.request() };
    try {
      assertSecretKey(header("authorization"), secretKey);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return errorReply(error, headers);
    }
    return errorReply(unrecognizedUrl(method, path), headers);
  };
}
