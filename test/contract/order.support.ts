import { afterEach } from "@jest/globals";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { ulid } from "ulid";
import type { Caller } from "../../broker/contract/context.ts";
import type { OnceRequest } from "@partline/moleculer-kit";
import type { Input } from "@partline/api-contracts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { ATTEMPTS } from "../../mixins/payment-provider/attempts.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { eventually } from "../support/eventually.ts";
import { storeAway } from "../support/store-away.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { useStarted } from "../support/use-started.ts";

export const owner = (sub = "user_1"): Caller => ({
  admin: false,
  user: { sub, role: "customer", aud: "a", azp: "z" },
});
export const admin: Caller = { admin: true };
export const nobody: Caller = { admin: false };

export type Mode =
  | "works"
  | "pending"
  | "refuses"
  | "loses its answer"
  | "fails the refund"
  | "has refunded all"
  | "is disputed"
  | "has no store";

interface Taken {
  refundId: string;
  amount: number;
}

interface ProviderRefund {
  id: string;
  object: "refund";
  status: "succeeded" | "pending" | "failed";
  amount: number;
  payment_intent: string;
  metadata: { refundId: string };
}

/** The payment provider's refunds over real HTTP: one for an idempotency key, found by intent and by id. */
export class RefundProvider {
  mode: Mode = "works";
  /** Every answer to a new refund waits for it. */
  #gate: Promise<void> = Promise.resolve();
  calls = 0;
  readonly #refunds = new Map<string, ProviderRefund>();
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  /** Those that it made, the oldest first. */
  get taken(): Taken[] {
    return [...this.#refunds.values()]
      .filter(({ status }) => status !== "failed")
      .map(({ metadata, amount }) => ({ refundId: metadata.refundId, amount }));
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  reset(): void {
    this.mode = "works";
    this.#gate = Promise.resolve();
    this.calls = 0;
    this.#refunds.clear();
  }

  /** Holds every answer to a new refund back, until what it gives is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    return resolve;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: object): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    const { pathname, searchParams } = new URL(request.url!, "http://provider.test");
    const refunds = [...this.#refunds.values()];
    if (request.method === "GET") {
      const id = /^\/v1\/refunds\/(.+)$/.exec(pathname)?.[1];
      const data = refunds.filter(({ payment_intent }) => payment_intent === searchParams.get("payment_intent"));
      return send(200, id ? refunds.find((refund) => refund.id === id)! : { object: "list", data, has_more: false });
    }
    this.calls += 1;
    const params = new URLSearchParams(await text(request));
    await this.#gate;
    const refused = (code?: string): void =>
      send(400, { error: { type: "invalid_request_error", code, message: "No" } });
    if (this.mode === "refuses") return refused();
    if (this.mode === "is disputed") return refused("charge_disputed");
    if (this.mode === "has refunded all") return refused("charge_already_refunded");
    const refund = this.#once(String(request.headers["idempotency-key"]), params);
    if (this.mode === "loses its answer") return void response.destroy();
    send(200, refund);
  }

  #once(key: string, params: URLSearchParams): ProviderRefund {
    const refundId = params.get("metadata[refundId]")!;
    const failed = this.mode === "fails the refund";
    const refund = this.#refunds.get(key) ?? {
      id: failed ? `re_failed_${ulid()}` : `re_${refundId}`,
      object: "refund",
      status: failed ? "failed" : this.mode === "pending" ? "pending" : "succeeded",
      amount: Number(params.get("amount")),
      payment_intent: params.get("payment_intent")!,
      metadata: { refundId },
    };
    this.#refunds.set(key, refund);
    return refund;
  }
}

type Payment = Input<Actions["order.createFromPayment"]>;

/** A completed payment of 100.00: two of BNS-A at 20.00, one of BNS-B at 40.00, shipping 15.00, tax 5.00. */
export function payment(fields: Partial<Payment> = {}): Payment {
  const paymentKey = fields.paymentKey ?? `cs_${ulid()}`;
  return {
    paymentKey,
    sessionId: paymentKey,
    paymentIntentId: `pi_${ulid()}`,
    cartId: null,
    userId: "user_1",
    items: [
      { productId: "bns-a", partNumber: "BNS-A", name: "Part A", quantity: 2, price: 2_000 },
      { productId: "bns-b", partNumber: "BNS-B", name: "Part B", quantity: 1, price: 4_000 },
    ],
    subtotal: 8_000,
    tax: 500,
    shipping: 1_500,
    total: 10_000,
    currency: "usd",
    paymentStatus: "paid",
    shippingAddress: {
      name: "Ada Mechanic",
      street: "1 Main St",
      city: "Reno",
      state: "NV",
      postalCode: "89501",
      country: "US",
      phone: "+1 555 0100",
    },
    ...fields,
  };
}

/** Order nodes and the event store over one store, and a provider of refunds. */
export async function startOrders({ nodes = 3, documents: given }: { nodes?: number; documents?: DocumentStore } = {}) {
  const provider = new RefundProvider();
  const settings = testSettings({ STRIPE_API_BASE: await provider.start() });
  const store = given ?? (await openDocumentStore({ dataDir: settings.dataDir }));
  const orders = Array.from({ length: nodes }, () => "order");
  const transport = nodes > 1 ? "fake" : "local";
  // Where requests to the provider are kept.
  const documents = storeAway(store, (_, names) => provider.mode === "has no store" && names.includes(ATTEMPTS.name));
  const test = await startTestBroker({ services: [...orders, "eventstore"], transport, settings, documents });
  const as = (caller: Caller) => test.as(caller);
  /** As the payment service does when the provider reports something. */
  const tell = async (orderId: string, change: Input<Actions["order.applyPayment"]>["change"]) => {
    const order = await test.documents.collection<OrderDocument>(ORDERS).findOne({ _id: orderId });
    return call(test.broker, "order.applyPayment", { paymentKey: order!.paymentKey, change });
  };
  return {
    ...test,
    provider,
    as,
    make: async (fields: Partial<Payment> = {}) =>
      (await call(test.broker, "order.createFromPayment", payment(fields))).orderId,
    /** As admins see it. */
    read: (orderId: string) => call(as(admin), "order.adminGet", { orderId }),
    cancel: (
      orderId: string,
      params: { reason?: "duplicate"; adminNote?: string; forceCancel?: boolean } = {},
      caller: Caller = owner(),
      meta: { once?: OnceRequest } = {},
    ) => call(as(caller), "order.cancel", { orderId, ...params }, { meta }),
    patch: (orderId: string, patch: Omit<Input<Actions["order.adminUpdate"]>, "orderId">) =>
      call(as(admin), "order.adminUpdate", { orderId, ...patch }),
    refund: (
      orderId: string,
      wanted: Omit<Input<Actions["order.adminRefund"]>, "orderId"> = {},
      meta: { once?: OnceRequest } = {},
    ) => call(as(admin), "order.adminRefund", { orderId, ...wanted }, { meta }),
    tell,
    /** As it does when the provider reports a refund of ours. */
    tellRefund: (orderId: string, refundId: string, amount: number, status: "succeeded" | "failed") =>
      tell(orderId, { kind: "refund", providerRefundId: `re_${refundId}`, refundId, amount, status }),
    stop: async () => {
      await test.stop();
      await provider.stop();
      if (!given) await store.close();
    },
    /** What changed the order since it was made, once there is so much. */
    history: (orderId: string, count = 0) =>
      eventually(async () => {
        const { events } = await call(as(admin), "order.adminHistory", { orderId });
        const changes = events.filter(({ version }) => version !== 1);
        return changes.length >= count && changes;
      }),
  };
}

export type Orders = Awaited<ReturnType<typeof startOrders>>;

/** The order nodes of all tests of a `describe`; the provider works again after each. */
export function useOrders(): Orders {
  const orders = useStarted(() => startOrders());
  afterEach(() => orders.provider.reset());
  return orders;
}
