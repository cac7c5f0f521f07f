import { afterAll, afterEach, beforeAll } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { ulid } from "ulid";
import type { Caller } from "../../broker/contract/context.ts";
import type { Input } from "../../broker/contract/define.ts";
import { DocumentStoreError, type DocumentStore } from "../../mixins/document-store/port.ts";
import { providerError } from "../../mixins/payment-provider/errors.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { startTestBroker } from "../support/test-broker.ts";

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
  | "has no store"
  | "is not running";

interface Taken {
  refundId: string;
  amount: number;
}

/** The payment service's part in orders, as its contract promises it: one refund for a refundId, whatever is repeated. */
export class PaymentStandIn {
  mode: Mode = "works";
  /** Holds every answer back until it resolves. */
  gate: Promise<void> = Promise.resolve();
  calls = 0;
  readonly taken: Taken[] = [];
  sessions: string[] = [];
  #broker: ServiceBroker | undefined;

  async reset(): Promise<void> {
    await this.become("works");
    this.gate = Promise.resolve();
    this.calls = 0;
    this.taken.length = 0;
  }

  refundedOf(orderTotal: number): number {
    return this.taken.reduce((sum, { amount }) => sum + amount, 0) / orderTotal;
  }

  /** Sets the mode; in "is not running" there is no service, and whoever calls it gets Moleculer's own error. */
  async become(mode: Mode): Promise<void> {
    const before = this.mode;
    this.mode = mode;
    if (mode === "is not running") await this.#broker!.destroyService("payment");
    else if (before === "is not running") {
      this.#broker!.createService(this.service(this.#broker!));
      await this.#broker!.waitForServices("payment");
    }
  }

  service = (broker: ServiceBroker): ServiceSchema => ({
    name: "payment",
    created: () => {
      this.#broker = broker;
    },
    actions: {
      refund: async (ctx: { params: Input<Actions["payment.refund"]> }) => {
        this.calls += 1;
        await this.gate;
        return this.#refund(ctx.params);
      },
      receiveMissedOutcomes: () => ({ checked: 0, created: [], failed: [], cursor: null }),
      completedSessions: () => ({ sessions: this.sessions.map((sessionId) => ({ sessionId })), cursor: null }),
      completeSession: async (ctx: { params: { sessionId: string } }) => {
        const { sessionId } = ctx.params;
        if (sessionId.startsWith("cs_broken")) throw providerError("failed");
        const { orderId, created } = await call(
          broker,
          "order.createFromPayment",
          payment({ paymentKey: sessionId, sessionId, paymentIntentId: null }),
        );
        return { orderId, created };
      },
    },
  });

  #refund({ refundId, amount }: Input<Actions["payment.refund"]>) {
    if (this.mode === "refuses") throw providerError("refused");
    if (this.mode === "has no store") throw new DocumentStoreError("UNAVAILABLE", "The store is away");
    if (this.mode === "has refunded all") throw providerError("refused", { providerCode: "charge_already_refunded" });
    if (this.mode === "fails the refund") return { providerRefundId: `re_failed_${ulid()}`, status: "failed", amount };
    if (!this.taken.some((refund) => refund.refundId === refundId)) this.taken.push({ refundId, amount });
    if (this.mode === "loses its answer") throw providerError("unreachable");
    return { providerRefundId: `re_${refundId}`, status: this.mode === "pending" ? "pending" : "succeeded", amount };
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
    shippingAddress: { name: "Ada Mechanic", street: "1 Main St", phone: "+1 555 0100" },
    ...fields,
  };
}

/** Order nodes (several with `fake`) and the event store over one store, and the payment stand-in. */
export async function startOrders({
  transport,
  documents,
}: {
  transport: "local" | "fake";
  documents?: DocumentStore;
}) {
  const provider = new PaymentStandIn();
  const orders = transport === "fake" ? ["order", "order", "order"] : ["order"];
  const test = await startTestBroker({ services: [...orders, "eventstore", provider.service], transport, documents });
  const as = (caller: Caller) => test.as(caller);
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
    ) => call(as(caller), "order.cancel", { orderId, ...params }),
    patch: (orderId: string, patch: Omit<Input<Actions["order.adminUpdate"]>, "orderId">) =>
      call(as(admin), "order.adminUpdate", { orderId, ...patch }),
    refund: (orderId: string, wanted: Omit<Input<Actions["order.adminRefund"]>, "orderId"> = {}) =>
      call(as(admin), "order.adminRefund", { orderId, ...wanted }),
    /** As the payment service does when the provider reports something. */
    tell: async (orderId: string, change: Input<Actions["order.applyPayment"]>["change"]) => {
      const order = await test.documents.collection<OrderDocument>(ORDERS).findOne({ _id: orderId });
      return call(test.broker, "order.applyPayment", { paymentKey: order!.paymentKey, change });
    },
    history: async (orderId: string) => (await call(as(admin), "order.adminHistory", { orderId })).events,
  };
}

export type Orders = Awaited<ReturnType<typeof startOrders>>;

export const TRANSPORTS = ["local", "fake"] as const;

/** The order nodes of all tests of a `describe`; the provider works again after each. */
export function useOrders(transport: (typeof TRANSPORTS)[number]): Orders {
  let started: Orders | undefined;
  beforeAll(async () => {
    started = await startOrders({ transport });
  });
  afterEach(() => started?.provider.reset());
  afterAll(() => started?.stop());
  return new Proxy({} as Orders, { get: (_, name) => Reflect.get(started!, name) as unknown });
}
