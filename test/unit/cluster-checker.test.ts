import { describe, expect, it } from "@jest/globals";
import { killsFeltTooMuch } from "../support/cluster/fault-figures.ts";
import type { FinalState } from "../support/cluster/final-state.ts";
import type { FaultRecord, Operation, Operations, OperationType, Result } from "../support/cluster/history.ts";
import { judge } from "../support/cluster/verdict.ts";

/** An hour of a shop in which all went well: what clients were told, and what there is. */
function wholeRun() {
  let clock = 1_000;
  const operations: Operation[] = [];
  const did = <T extends OperationType>(type: T, input: Operations[T]["input"], output?: Operations[T]["output"], result: Result = "ok"): void => {
    const invokedAt = (clock += 1_000);
    const answeredAt = (clock += 500);
    const done: Operation<T> = {
      kind: "operation", client: "one", type, requestId: String(clock), input, invokedAt, answeredAt, result, output,
      attempts: [{ gateway: "edge-1", at: invokedAt, answeredAt, ...(result === "ok" ? { status: 200 } : { error: "ECONNRESET" }) }],
    };
    operations.push(done);
  };
  did("cart.add", { sessionId: "guest", quantity: 2 }, { quantity: 2 });
  did("cart.read", { sessionId: "guest" }, { quantity: 2 });
  did("cart.add", { sessionId: "guest", quantity: 3 }, undefined, "unknown");
  did("cart.read", { sessionId: "guest" }, { quantity: 5 });
  did("cart.save", { cartId: "cart-1", quantity: 4 }, {});
  did("cart.get", { cartId: "cart-1" }, { quantity: 4 });
  did("cart.save", { cartId: "cart-2", quantity: 1 }, {});
  did("checkout", { cartId: "cart-1" }, { sessionId: "cs-1", url: "" });
  did("checkout", { cartId: "cart-1" }, { sessionId: "cs-1", url: "" });
  did("pay", { sessionId: "cs-1", cartId: "cart-1" }, {});
  did("order.find", { sessionId: "cs-1" }, { orderId: null });
  did("order.find", { sessionId: "cs-1" }, { orderId: "ord-1" });
  did("order.move", { orderId: "ord-1", status: "processing" }, { version: 2 });
  did("refund", { orderId: "ord-1", amount: 100 }, {});
  did("refund", { orderId: "ord-1", amount: 200 }, undefined, "unknown");
  did("refund", { orderId: "ord-1", amount: 300 }, undefined, "refused");
  did("event.append", { eventId: "e-1", aggregateId: "machine" }, { version: 1, position: 4 });
  did("event.append", { eventId: "e-2", aggregateId: "machine" }, undefined, "unknown");
  did("document.store", { id: "note", content: "25 Nm" }, { eventId: "d-1", version: 1 });
  did("manual.upload", { sha256: "aa", parts: 2 }, { batchId: "batch-1" });
  did("order.read", { orderId: "ord-1" }, { total: 1_000, status: "processing" });
  did("manual.read", { batchId: "batch-1" }, { status: "completed" });
  const event = (position: number, eventId: string, aggregateId: string, version: number, orderVersion?: number) => ({
    eventId, position, aggregateId, aggregateType: aggregateId === "ord-1" ? "order" : "any", version, eventType: "ANY", ...(orderVersion === undefined ? {} : { orderVersion }),
  });
  const final: FinalState = {
    orders: [{
      orderId: "ord-1", orderNumber: "ORD-1", sessionId: "cs-1", cartId: "cart-1", status: "processing", paymentStatus: "partially_refunded", total: 1_000, refunded: 100, version: 3,
      refunds: [{ refundId: "ref-1", amount: 100, status: "succeeded" }],
    }],
    // Channels promise delivery and not its order.
    events: [event(1, "o-1", "ord-1", 1), event(2, "o-3", "ord-1", 2, 3), event(3, "o-2", "ord-1", 3, 2), event(4, "e-1", "machine", 1), event(5, "d-1", "note", 1)],
    payments: [{ sessionId: "cs-1", cartId: "cart-1", received: 1_000, refunded: 100 }, { sessionId: "cs-9", cartId: "cart-9", received: 0, refunded: 0 }],
    ownCarts: { guest: 5 },
    savedCarts: { "cart-1": 0, "cart-2": 1 },
    manuals: { "batch-1": { status: "completed", sha256: "aa", parts: 2 } },
    unfinished: [],
  };
  const faults: FaultRecord[] = [{ kind: "fault", name: "kill -9", target: "edge-1", at: 5_200, until: 9_000 }];
  return { operations, final, faults };
}

type Run = ReturnType<typeof wholeRun>;

function verdictAfter(change: (run: Run) => void) {
  const run = wholeRun();
  change(run);
  return judge([...run.operations, ...run.faults], run.final);
}

function the<T extends OperationType>(run: Run, type: T, index = 0): Operation<T> {
  return run.operations.filter((operation) => operation.type === type)[index] as Operation<T>;
}

function notFound(read: Operation): void {
  read.result = "refused";
  delete read.output;
  read.attempts[0]!.status = 404;
}

describe("A run that went well", () => {
  it("is whole, and what was unknown may have been done or not", () => {
    expect(verdictAfter(() => undefined)).toMatchObject({ ok: true, violations: [], unknown: 3, refused: 1 });
    const done = verdictAfter(({ final }) => {
      final.orders[0]!.refunds.push({ refundId: "ref-2", amount: 200, status: "succeeded" });
      final.orders[0]!.refunded = final.payments[0]!.refunded = 300;
      final.events.push({ eventId: "e-2", position: 6, aggregateId: "machine", aggregateType: "any", version: 2, eventType: "ANY" });
    });
    expect(done.violations).toEqual([]);
  });

  it("tells what failed while something was away, and what failed without", () => {
    const { faults: [fault], failedOutsideFaults } = verdictAfter(() => undefined);
    expect(fault).toMatchObject({ target: "edge-1", lasted: 3_800, failed: 2, failedInFlight: 1, failedLater: ["refund of ord-1: ECONNRESET"], failedReads: 0 });
    expect(failedOutsideFaults).toEqual({ "refund ECONNRESET": 1, "event.append ECONNRESET": 1 });
    expect(verdictAfter((run) => (run.faults.length = 0)).failedOutsideFaults).toEqual({
      "cart.add ECONNRESET": 1, "refund ECONNRESET": 2, "event.append ECONNRESET": 1,
    });
  });
});

describe("A kill of one of two", () => {
  const feltOf = (change: (run: Run) => void) => killsFeltTooMuch(verdictAfter(change).faults, [{ name: "edge-1" }]);

  it("is felt by what was in flight alone", () => {
    const sentInTime = (run: Run) => (the(run, "refund", 1).attempts[0]!.at = 8_000);
    expect(feltOf(sentInTime)).toEqual([]);
    expect(feltOf(() => undefined)).toMatchObject([{ failedLater: ["refund of ord-1: ECONNRESET"] }]);
    expect(feltOf((run) => {
      sentInTime(run);
      the(run, "cart.read", 1).result = "unknown";
    })).toMatchObject([{ failedReads: 1 }]);
  });

  it("may leave locked what was being written, and the log", () => {
    expect(feltOf((run) => (the(run, "refund", 1).input.orderId = "guest"))).toEqual([]);
    expect(feltOf((run) => Object.assign(the(run, "refund", 1), { type: "event.append", input: { eventId: "e-3", aggregateId: "other" } }))).toEqual([]);
  });

  it("is no kill of a server's, and what begins after the next fault is that one's", () => {
    expect(feltOf(({ faults }) => (faults[0]!.target = "NATS server 2"))).toEqual([]);
    for (const at of [22_000, 23_200]) expect(feltOf(({ faults }) => faults.push({ kind: "fault", name: "away", target: "redis", at, until: at + 1_000 }))).toEqual([]);
  });
});

describe("A run that went wrong is found out:", () => {
  const cases: [name: string, check: string, change: (run: Run) => void][] = [
    ["a paid session has no order", "orders", ({ final }) => (final.orders.length = 0)],
    ["an order is there twice", "orders", ({ final }) => final.orders.push({ ...final.orders[0]! })],
    ["two orders of one payment", "orders", ({ final }) => final.orders.push({ ...final.orders[0]!, orderId: "ord-2", orderNumber: "ORD-2" })],
    ["two orders have one number", "orders", ({ final }) => final.orders.push({ ...final.orders[0]!, orderId: "ord-2", sessionId: "cs-2" })],
    ["an order that nobody paid", "orders", ({ final }) => final.orders.push({ ...final.orders[0]!, orderId: "ord-2", orderNumber: "ORD-2", sessionId: "cs-9" })],
    ["a shown order is gone", "orders", (run) => (the(run, "order.find", 1).output = { orderId: "ord-7" })],
    ["one cart got two sessions", "checkout", (run) => (the(run, "checkout").output!.sessionId = "cs-0")],
    ["one cart was paid twice", "checkout", ({ final }) => final.payments.push({ ...final.payments[0]!, sessionId: "cs-2" })],
    ["less was received than the order says", "money", ({ final }) => (final.payments[0]!.received = 900)],
    ["the provider paid back more than the order says", "money", ({ final }) => (final.payments[0]!.refunded = 200)],
    ["the order's refunds do not add up", "money", ({ final }) => (final.orders[0]!.refunds[0]!.amount = 101)],
    ["more was paid back than paid", "money", ({ final }) => (final.orders[0]!.refunded = 1_100)],
    ["an acknowledged refund is not there", "refunds", ({ final }) => (final.orders[0]!.refunds.length = 0)],
    ["a refund was made twice", "refunds", ({ final }) => final.orders[0]!.refunds.push({ ...final.orders[0]!.refunds[0]! })],
    ["a refused refund was made", "refunds", ({ final }) => final.orders[0]!.refunds.push({ refundId: "ref-3", amount: 300, status: "succeeded" })],
    ["a cancelled order is not", "refunds", (run) => Object.assign(the(run, "order.move"), { type: "cancel", input: { orderId: "ord-1" } })],
    ["an order went back", "moves", ({ final }) => (final.orders[0]!.status = "pending")],
    ["an event is recorded twice", "versions", ({ final }) => final.events.push({ ...final.events[3]!, position: 6, version: 2 })],
    ["two events have one position", "versions", ({ final }) => (final.events[4]!.position = 4)],
    ["an aggregate's versions have a gap", "versions", ({ final }) => (final.events[4]!.version = 2)],
    ["an acknowledged event is lost", "events", ({ final }) => final.events.splice(3, 1)],
    ["an event has another version than was answered", "events", (run) => (the(run, "event.append").output!.version = 2)],
    ["an acknowledged document is lost", "events", ({ final }) => final.events.splice(4, 1)],
    ["a document was recorded twice", "events", ({ final }) => final.events.push({ ...final.events[4]!, eventId: "d-2", position: 6, version: 2 })],
    ["a refused event is recorded", "events", (run) => (the(run, "event.append").result = "refused")],
    ["an order's change has no event", "order events", ({ final }) => (final.orders[0]!.version = 4)],
    ["an order's change has two events", "order events", ({ final }) => final.events.push({ ...final.events[1]!, eventId: "o-9", position: 6, version: 4 })],
    ["an acknowledged add is lost", "carts", ({ final }) => (final.ownCarts.guest = 1)],
    ["an add is there twice", "carts", ({ final }) => (final.ownCarts.guest = 7)],
    ["a read does not see what was acknowledged", "carts", (run) => (the(run, "cart.read").output = { quantity: 0 })],
    ["a read sees what nobody sent yet", "carts", (run) => (the(run, "cart.read").output = { quantity: 5 })],
    ["a saved cart is gone", "saved carts", ({ final }) => (final.savedCarts["cart-2"] = null)],
    ["a saved cart holds something else", "saved carts", ({ final }) => (final.savedCarts["cart-2"] = 2)],
    ["the cart of an order is not emptied", "saved carts", ({ final }) => (final.savedCarts["cart-1"] = 4)],
    ["a saved cart is read as something else", "saved carts", (run) => (the(run, "cart.get").output = { quantity: 3 })],
    ["a manual is not read", "manuals", ({ final }) => (final.manuals["batch-1"]!.status = "failed")],
    ["a manual's parts are found twice", "manuals", ({ final }) => (final.manuals["batch-1"]!.parts = 4)],
    ["a manual's job is gone", "manuals", ({ final }) => void delete final.manuals["batch-1"]],
    ["a saved cart is not found", "reads", (run) => notFound(the(run, "cart.get"))],
    ["an order is not found by its shopper", "reads", (run) => notFound(the(run, "order.read"))],
    ["a manual's job is not found at first", "reads", (run) => the(run, "manual.read").attempts.unshift({ ...the(run, "manual.read").attempts[0]!, status: 404 })],
  ];
  it.each(cases)("%s", (_name, check, change) => {
    const { ok, violations } = verdictAfter(change);
    expect(ok).toBe(false);
    expect(violations.map((violation) => violation.check)).toContain(check);
  });

  it("something has not ended", () => {
    expect(verdictAfter(({ final }) => final.unfinished.push("ord-1"))).toMatchObject({ ok: false, violations: [] });
  });
});
