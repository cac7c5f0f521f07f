import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import {
  orderRequest,
  runCompletion,
  type Completion,
  type CompletionPorts,
  type CompletionProgress,
  type PlacedOrder,
} from "../../services/payment/completion-saga.ts";
import type { Purchase } from "../../services/payment/purchase.ts";
import type { CompleteCommand } from "../../services/payment/event-commands.ts";

const SESSION = "cs_1";
const purchase: Purchase = {
  cartId: "cart_1",
  userId: "guest",
  owner: {},
  subtotal: 2_000,
  currency: "usd",
  items: [{ productId: "bns-1", partNumber: "1", name: "Plug", quantity: 2, price: 1_000 }],
};
const completed = (payment: CompleteCommand["payment"]): CompleteCommand => ({
  kind: "complete",
  paymentKey: SESSION,
  sessionId: SESSION,
  paymentIntentId: "pi_1",
  payment,
  subtotal: 2_000,
  tax: 0,
  shipping: 0,
  total: 2_000,
  currency: "usd",
});

class Killed extends Error {}

/**
 * The world outside the saga: every port is what its contract promises (once by its key, durable when it resolves). Before and
 * after each effect another worker may run, or the process may die.
 */
function world(turn: (label: string) => Promise<void>) {
  const state = {
    orders: new Map<string, { order: PlacedOrder; paymentStatus: string }>(),
    payments: new Map<string, string>(),
    published: [] as string[],
    clearings: new Set<string>(),
    cart: ["bns-1"],
    closed: new Set<string>(),
    progress: new Map<string, CompletionProgress>(),
    log: [] as string[],
  };
  const effect = async <T>(label: string, work: () => T): Promise<T> => {
    await turn(`before ${label}`);
    const result = work();
    state.log.push(label);
    await turn(`after ${label}`);
    return result;
  };
  const keep = ({ eventId, progress }: Completion) => state.progress.set(eventId, structuredClone(progress));
  const ports: CompletionPorts = {
    purchase: () => effect("purchase", () => purchase),
    purchaseAtProvider: () => effect("purchase", () => purchase),
    findOrder: (paymentKey) => effect("known", () => state.orders.get(paymentKey)?.order ?? null),
    placeOrder: (request) =>
      effect("order", () => {
        const known = state.orders.get(request.paymentKey);
        if (known) return { created: false, order: known.order };
        const { paymentKey: _key, shippingAddress: _address, ...fields } = request;
        const order = {
          ...fields,
          orderId: `ord_${state.orders.size + 1}`,
          orderNumber: "ORD-1",
          createdAt: "2026-11-21T10:00:00.000Z",
        };
        state.orders.set(request.paymentKey, { order, paymentStatus: request.paymentStatus });
        return { created: true, order };
      }),
    keepProgress: (completion) => effect("progress", () => void keep(completion)),
    recordPayment: (completion, order) =>
      effect("payment", () => {
        if (!state.payments.has(completion.command.paymentKey))
          state.payments.set(completion.command.paymentKey, order.orderId);
        keep(completion);
      }),
    publish: (completion, order) =>
      effect("event", () => {
        if (!state.published.includes(order.orderId)) state.published.push(order.orderId);
        keep(completion);
      }),
    clearCart: (_cartId, paymentKey) =>
      effect("cart", () => {
        if (!state.clearings.has(paymentKey)) state.cart = [];
        state.clearings.add(paymentKey);
      }),
    settleOrder: ({ paymentKey }, kind) =>
      effect("settlement", () => {
        const order = state.orders.get(paymentKey)!;
        if (order.paymentStatus === "pending") order.paymentStatus = kind;
      }),
    closeOthers: (cartId) => effect("others", () => void state.closed.add(cartId)),
  };
  return { state, ports };
}

describe("The completion of a payment", () => {
  it("makes order, payment record, event and empty cart, in this order", async () => {
    const { state, ports } = world(async () => undefined);
    await runCompletion({ eventId: "evt_1", command: completed("paid"), progress: { steps: 0 } }, ports);
    expect(state.log.filter((label) => !["purchase", "progress"].includes(label))).toEqual([
      "order",
      "payment",
      "event",
      "cart",
      "others",
    ]);
  });

  it("leaves a cart payable whose money did not come", async () => {
    const { state, ports } = world(async () => undefined);
    await runCompletion({ eventId: "evt_1", command: completed("failed"), progress: { steps: 0 } }, ports);
    expect([state.payments.size, state.closed.size]).toEqual([1, 0]);
  });

  it("does nothing for a session that is none of our business", async () => {
    const { state, ports } = world(async () => undefined);
    const order = await runCompletion(
      { eventId: "evt_1", command: completed("paid"), progress: { steps: 0 } },
      { ...ports, purchase: async () => null, purchaseAtProvider: async () => null },
    );
    expect([order, state.orders.size, state.log]).toEqual([null, 0, ["known"]]);
  });

  it("goes on with the order that is there, where what was bought is known nowhere any more", async () => {
    const { state, ports } = world(async () => undefined);
    const asked = { eventId: "evt_1", command: completed("paid"), progress: { steps: 0 } };
    const order = await runCompletion(asked, ports);
    const lost: CompletionPorts = {
      ...ports,
      purchase: async () => null,
      purchaseAtProvider: () => Promise.reject(new Error("lost")),
    };
    expect(await runCompletion({ ...asked, eventId: "evt_2" }, lost)).toEqual(order);
    expect([state.orders.size, state.payments.size, state.published.length]).toEqual([1, 1, 1]);
  });

  it("asks nobody about an intent that names no cart", async () => {
    const { state, ports } = world(async () => undefined);
    const command = { ...completed("paid"), paymentKey: "pi_1", sessionId: null };
    expect(
      await runCompletion(
        { eventId: "evt_1", command, progress: { steps: 0 } },
        { ...ports, purchase: async () => null },
      ),
    ).toBeNull();
    expect(state.log).toEqual([]);
  });

  it("ends the same whatever is delivered twice, runs at the same moment, or dies between two steps", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.constantFrom("paid", "succeeded", "failed"),
        fc.array(fc.record({ id: fc.constantFrom("evt_1", "evt_2", "evt_3"), late: fc.boolean() }), {
          minLength: 1,
          maxLength: 6,
        }),
        fc.uniqueArray(fc.nat(80), { maxLength: 8 }),
        async (scheduler, ending, deliveries, deaths) => {
          let turns = 0;
          const { state, ports } = world(async (label) => {
            await scheduler.schedule(Promise.resolve(), label);
            if (deaths.includes(turns++)) throw new Killed();
          });
          // What the provider says: at once paid, or first pending and then how the money came out, in any order.
          const commandOf = ({ id, late }: { id: string; late: boolean }): [string, CompleteCommand] => {
            if (ending === "paid") return [id, completed("paid")];
            return late
              ? [`${id}_late`, completed(ending === "failed" ? "failed" : "paid")]
              : [id, completed("pending")];
          };
          const events = new Map([...deliveries.map(commandOf), commandOf({ id: "evt_1", late: true })]);
          const finished = new Set<string>();
          const work = async (eventId: string): Promise<void> => {
            const progress = structuredClone(state.progress.get(eventId) ?? { steps: 0 });
            try {
              await runCompletion({ eventId, command: events.get(eventId)!, progress }, ports);
              finished.add(eventId);
            } catch (error) {
              if (!(error instanceof Killed)) throw error;
            }
          };
          await scheduler.waitFor(Promise.all(deliveries.map((delivery) => work(commandOf(delivery)[0]))));
          // The sweep takes up what is not finished, again and again.
          for (let sweep = 0; finished.size < events.size; sweep++) {
            expect(sweep).toBeLessThan(100);
            await scheduler.waitFor(Promise.all([...events.keys()].filter((id) => !finished.has(id)).map(work)));
          }
          // What was put into the cart since stays when the provider delivers once more.
          state.cart.push("bns-2");
          await scheduler.waitFor(Promise.all([...events.keys()].map(work)));

          expect([...state.orders.values()].map(({ paymentStatus }) => paymentStatus)).toEqual([
            ending === "failed" ? "failed" : "paid",
          ]);
          expect([...state.payments]).toEqual([[SESSION, "ord_1"]]);
          expect(state.published).toEqual(["ord_1"]);
          expect(state.cart).toEqual(["bns-2"]);
          if (ending !== "failed") expect([...state.closed]).toEqual(["cart_1"]);
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);
});

describe("The order of a payment", () => {
  it("has the provider's figures", () => {
    expect(
      orderRequest({ ...completed("paid"), subtotal: 1_900, tax: 150, shipping: 500, total: 2_550 }, purchase),
    ).toEqual({
      paymentKey: SESSION,
      sessionId: SESSION,
      paymentIntentId: "pi_1",
      cartId: "cart_1",
      userId: "guest",
      items: purchase.items,
      subtotal: 1_900,
      tax: 150,
      shipping: 500,
      total: 2_550,
      currency: "usd",
      paymentStatus: "paid",
    });
  });

  it("counts what an intent takes beyond the subtotal as shipping, and money that is not there yet as pending", () => {
    const intent = { ...completed("failed"), subtotal: null, shipping: null, total: 2_600 };
    expect(orderRequest(intent, purchase)).toMatchObject({
      subtotal: 2_000,
      shipping: 600,
      total: 2_600,
      paymentStatus: "pending",
    });
  });
});
