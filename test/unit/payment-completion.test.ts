import { describe, expect, it } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { AtomicWrite } from "@partline/durable";
import fc from "fast-check";
import type { Input } from "@partline/api-contracts";
import type { Actions } from "../../services/contracts.ts";
import { createCompletion, orderRequest } from "../../services/payment/completion.ts";
import type { Purchase } from "../../services/payment/purchase.ts";
import type { CheckoutRecords, PlacedOrder } from "../../services/payment/records.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { createTableRates, DEFAULT_TABLE } from "../../mixins/shipping-rates/table.ts";
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

type Called = { [A in keyof Actions]?: (params: Input<Actions[A]>) => Promise<unknown> };

/**
 * The world outside the completion: every step is what its contract promises (once by its key, durable when it
 * resolves). Before and after each effect another worker may run, or the process may die.
 */
function world(turn: (label: string) => Promise<void>, bought: Purchase | null = purchase) {
  const state = {
    orders: new Map<string, { order: PlacedOrder; paymentStatus: string }>(),
    payments: new Map<string, string>(),
    tasks: [] as AtomicWrite[],
    clearings: new Set<string>(),
    cart: ["bns-1"],
    log: [] as string[],
  };
  const effect = async <T>(label: string, work: () => T): Promise<T> => {
    await turn(`before ${label}`);
    const result = work();
    state.log.push(label);
    await turn(`after ${label}`);
    return result;
  };
  const actions: Called = {
    "order.createFromPayment": (request) =>
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
    "order.findByPayment": ({ paymentKey }) =>
      effect("known", () => {
        const known = state.orders.get(paymentKey!);
        return { order: known ? { placed: known.order } : null };
      }),
    "cart.clearAfterOrder": ({ paymentKey }) =>
      effect("cart", () => {
        if (!state.clearings.has(paymentKey)) state.cart = [];
        state.clearings.add(paymentKey);
      }),
    "order.applyPayment": ({ paymentKey, change }) =>
      effect("settlement", () => {
        const order = state.orders.get(paymentKey!)!;
        if (order.paymentStatus === "pending") order.paymentStatus = change.kind;
      }),
  };
  const called = actions as Record<string, (params: unknown) => Promise<unknown>>;
  const complete = createCompletion({
    broker: { call: ((action: string, params: unknown) => called[action]!(params)) as ServiceBroker["call"] },
    shop: "http://shop.test",
    provider: { request: () => Promise.reject(new PartlineError("NOT_FOUND", "No such session")) },
    rates: createTableRates(() => DEFAULT_TABLE),
    checkouts: {
      find: () =>
        effect("purchase", () => {
          const status = state.payments.size === 0 ? "open" : "completed";
          return bought && ({ purchase: bought, status } as Awaited<ReturnType<CheckoutRecords["find"]>>);
        }),
    },
    payments: {
      find: async () => null,
      record: ({ paymentKey }, { orderId }, also) =>
        effect("payment", () => {
          if (!state.payments.has(paymentKey)) state.payments.set(paymentKey, orderId);
          state.tasks.push(...(also ?? []));
        }),
    },
    closing: { coveredByOthers: async () => [] },
    logger: { warn: () => undefined, error: () => undefined },
  });
  return { state, complete };
}

describe("The completion of a payment", () => {
  const calm = async (): Promise<void> => undefined;

  it("leaves a cart payable whose money did not come", async () => {
    const { state, complete } = world(calm);
    await complete(completed("failed"));
    expect([state.payments.size, state.tasks]).toEqual([1, []]);
  });

  it("does nothing for a session that is none of our business", async () => {
    const { state, complete } = world(calm, null);
    expect([await complete(completed("paid")), state.orders.size, state.log]).toEqual([null, 0, ["purchase", "known"]]);
  });

  it("asks nobody about an intent that names no cart", async () => {
    const { state, complete } = world(calm, null);
    expect(await complete({ ...completed("paid"), paymentKey: "pi_1", sessionId: null })).toBeNull();
    expect(state.log).toEqual(["purchase"]);
  });

  it("ends the same with events that are delivered twice, run at the same moment, or die between two steps", async () => {
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
          const { state, complete } = world(async (label) => {
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
            try {
              await complete(events.get(eventId)!);
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
          expect(state.cart).toEqual(["bns-2"]);
          // The task closes the cart's other checkouts.
          const closing = expect.objectContaining({ updateOne: expect.objectContaining({ upsert: true }) });
          if (ending !== "failed") expect(state.tasks).toContainEqual(closing);
        },
      ),
      { numRuns: 300 },
    );
  }, 60_000);
});

describe("The order of a payment", () => {
  it("say how much of the tax is in the prices, so that the sums add up", () => {
    const cents = fc.integer({ min: 0, max: 100_000 });
    fc.assert(
      fc.property(
        cents,
        cents,
        cents,
        cents,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (subtotal, shipping, tax, discount, share) => {
          const included = Math.round(tax * share);
          const total = subtotal + shipping + tax - discount - included;
          fc.pre(total >= 0);
          const order = orderRequest({ ...completed("paid"), subtotal, shipping, tax, discount, total }, purchase);
          expect(order.includedTax ?? 0).toBe(included);
          expect(order.subtotal + order.shipping + order.tax - (order.discount ?? 0) - (order.includedTax ?? 0)).toBe(
            total,
          );
        },
      ),
    );
  });

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

  it("ships to the request's address if that is whole, else to the one that was entered, else to what is known", () => {
    const whole = { name: "Ada", street: "1 Main St", city: "Austin", state: "TX", postalCode: "78701", country: "US" };
    const entered = { ...whole, street: "2 Side St" };
    const shippedTo = (asked: object | undefined, person: CompleteCommand["person"], known: Partial<Purchase> = {}) =>
      orderRequest({ ...completed("paid"), person }, { ...purchase, shippingAddress: asked, ...known }).shippingAddress;
    expect(shippedTo(whole, { shippingAddress: entered })).toEqual(whole);
    expect(shippedTo({ city: "Austin" }, { shippingAddress: entered })).toEqual(entered);
    expect(shippedTo({ city: "Austin\nTexas" }, undefined)).toEqual({ city: "Austin Texas" });
    expect(shippedTo(undefined, undefined)).toBeUndefined();
    expect(shippedTo(undefined, { shippingAddress: entered }, { owner: { userId: "deleted" } })).toBeUndefined();
  });

  it("gives the order the contact that the provider collected, unless its owner is erased", () => {
    const person = { contact: { email: "ada@example.com" } };
    expect(orderRequest({ ...completed("paid"), person }, purchase)).toMatchObject(person);
    const erased = { ...purchase, owner: { userId: "deleted" } };
    expect(orderRequest({ ...completed("paid"), person }, erased)).toMatchObject({ contact: undefined });
  });

  it("gives the order of an intent the contact of its request, and of its recipient what that leaves out", () => {
    const buyer = { email: "bob@example.com", name: "Bob" };
    const recipient = { name: "Ann", phone: "+1 512 555 0100" };
    const intent = { ...completed("paid"), sessionId: null, person: { contact: recipient } };
    const { contact } = orderRequest(intent, { ...purchase, contact: buyer });
    expect(contact).toEqual({ ...buyer, phone: recipient.phone });
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
