import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { FoldedState, type State } from "../../services/eventstore/folds.ts";
import { getFold } from "../../services/eventstore/folds.ts";

interface Happened {
  event_type: string;
  data: State;
}

const folded = (type: string, events: readonly Happened[]): FoldedState => {
  const state = new FoldedState();
  for (const event of events) getFold(type)(state, event);
  return state;
};
const fold = (type: string, events: readonly Happened[]): State =>
  Object.fromEntries(folded(type, events).listEntries());

const created: Happened = {
  event_type: "ORDER_CREATED",
  data: {
    orderId: "ord_1",
    orderNumber: "ORD-20261121-000001",
    userId: "guest",
    total: 11_000,
    currency: "usd",
    paymentStatus: "paid",
    items: [{ partNumber: "A", quantity: 2 }],
  },
};
const states = (status: string, paymentStatus: string): State => ({ status, paymentStatus });
const changed = (event_type: string, version: number, to: State, more: State = {}): Happened => ({
  event_type,
  data: { orderId: "ord_1", version, actor: "admin", from: states("pending", "paid"), to, ...more },
});

const refund = (amount: number, refundId: string | null): State => ({ amount, refundId, reason: null });

describe("the fold of an order", () => {
  const events = [
    created,
    changed("ORDER_UPDATED", 2, states("processing", "paid"), { changed: ["status"] }),
    changed("ORDER_REFUNDED", 3, states("processing", "partially_refunded"), refund(4_000, "ref_1")),
    changed("ORDER_REFUNDED", 4, states("processing", "paid"), refund(-4_000, null)),
    changed("ORDER_CANCELLED", 5, states("cancelled", "refunded"), refund(11_000, "ref_2")),
  ];

  test("is the order as it was placed, with the states and the refunded amount that its events led to", () => {
    const foldFirst = (count: number) => fold("order", events.slice(0, count));
    const placed = { ...created.data, status: "pending", refundedAmount: 0, version: 1 };
    expect(foldFirst(1)).toEqual(placed);
    const partly = states("processing", "partially_refunded");
    expect(foldFirst(3)).toEqual({ ...placed, ...partly, refundedAmount: 4_000, version: 3 });
    const cancelled = states("cancelled", "refunded");
    expect(foldFirst(5)).toEqual({ ...placed, ...cancelled, refundedAmount: 11_000, version: 5 });
  });

  test("is the same for any order of delivery", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(events), (some) => {
        const inOrder = events.filter((event) => some.includes(event));
        expect(fold("order", some)).toEqual(fold("order", inOrder));
      }),
    );
  });
});

test("a document is what it was last stored as; any other event of it is laid over", () => {
  const one = { content: "one", metadata: { page: 1 }, embedding_model: "lexical" };
  const two = { content: "two", metadata: {}, embedding_model: "lexical" };
  const events = [
    { event_type: "DOCUMENT_CREATED", data: one },
    { event_type: "DOCUMENT_REVIEWED", data: { reviewed: true } },
    { event_type: "DOCUMENT_UPDATED", data: two },
  ];
  expect(fold("document", events.slice(0, 2))).toEqual({ ...one, reviewed: true });
  expect(fold("document", events)).toEqual(two);
});

test("a state knows how large it is as JSON, after any overlays", () => {
  const type = fc.constantFrom("order", "document", "vendor");
  const name = fc.oneof(
    fc.string({ maxLength: 3 }),
    fc.constantFrom("to", "amount", "version", "orderId", "constructor"),
  );
  const data = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 });
  const event = fc.record({ event_type: fc.constantFrom("ORDER_CREATED", "DOCUMENT_UPDATED", "NOTE"), data });
  fc.assert(
    fc.property(type, fc.array(event, { maxLength: 6 }), (aggregateType, events) => {
      const state = folded(
        aggregateType,
        events.map(({ event_type, data: given }) => ({ event_type, data: { orderId: "ord_1", ...given } })),
      );
      expect(state.bytes).toBe(Buffer.byteLength(JSON.stringify(Object.fromEntries(state.listEntries()))));
    }),
  );
});

test("a field may have any name, and changes nothing but the state", () => {
  const data = JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}}') as State;
  for (const type of ["order", "document", "vendor"]) {
    const state = fold(type, [
      { event_type: "ORDER_CREATED", data },
      { event_type: "NOTE", data: { to: data } },
    ]);
    expect(Object.getOwnPropertyDescriptor(state, "__proto__")?.value).toEqual({ admin: true });
    expect(Object.getPrototypeOf(state)).toBe(Object.prototype);
    expect(({} as State)["admin"]).toBeUndefined();
  }
});
