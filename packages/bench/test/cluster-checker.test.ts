import { describe, expect, it } from "@jest/globals";
import type { FinalState } from "../src/support/cluster/final-state.ts";
import type { FaultRecord, Operation, Operations, OperationType, Result } from "../src/support/cluster/history.ts";
import { timeoutsIn } from "../src/support/cluster/timeouts.ts";
import { judge } from "../src/support/cluster/verdict.ts";

/** An hour of a shop in which all went well: what clients were answered, and what there is. */
function wholeRun() {
  let clock = 1_000;
  const operations: Operation[] = [];
  const did = <T extends OperationType>(
    type: T,
    input: Operations[T]["input"],
    output?: Operations[T]["output"],
    result: Result = "ok",
  ): void => {
    const invokedAt = (clock += 1_000);
    const answeredAt = (clock += 500);
    const outcome = result === "ok" ? { status: 200 } : { error: "ECONNRESET" };
    const done: Operation<T> = {
      ...{ kind: "operation", client: "one", type, requestId: String(clock), input, invokedAt, answeredAt },
      ...{ result, output, attempts: [{ gateway: "edge-1", at: invokedAt, answeredAt, ...outcome }] },
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
  did("ship", { orderId: "ord-1", tracking: "1Z1" }, {});
  did("pay", { sessionId: "cs-2", cartId: "cart-3", difference: 500 }, {});
  did("order.readdress", { orderId: "ord-2", state: "AK", difference: 300 }, { difference: 300 });
  did("return", { orderId: "ord-2", pieces: 3 }, { returnId: "ret-1" });
  did("dispute.open", { orderId: "ord-2", amount: 300 }, { disputeId: "du-1" });
  did("dispute.open", { orderId: "ord-2", amount: 250 }, { disputeId: "du-2" });
  did("refund.disputed", { orderId: "ord-2", amount: 701 }, {});
  did("return.receive", { orderId: "ord-2", returnId: "ret-1", pieces: 2 }, {});
  did("return.cancel", { orderId: "ord-2", returnId: "ret-1" }, {});
  did("dispute.close", { orderId: "ord-2", disputeId: "du-2", status: "won" }, {});
  const event = (position: number, eventId: string, aggregateId: string, version: number, orderVersion?: number) => ({
    eventId,
    position,
    aggregateId,
    aggregateType: aggregateId.startsWith("ord-") ? "order" : "any",
    version,
    eventType: "ANY",
    ...(orderVersion === undefined ? {} : { orderVersion }),
  });
  const order = {
    ...{
      status: "processing",
      paymentStatus: "partially_refunded",
      total: 1_000,
      shipping: 0,
      disputed: 0,
      version: 3,
    },
    ...{ underpaid: null, shipsTo: null, disputes: [], shipments: [], returns: [], returned: 0 },
  };
  const final: FinalState = {
    orders: [
      {
        ...order,
        ...{ orderId: "ord-1", orderNumber: "ORD-1", sessionId: "cs-1", cartId: "cart-1", quantity: 4, refunded: 100 },
        refunds: [{ refundId: "ref-1", amount: 100, status: "succeeded" }],
        shipments: [{ tracking: "1Z1", quantity: 1 }],
      },
      {
        ...order,
        ...{ orderId: "ord-2", orderNumber: "ORD-2", sessionId: "cs-2", cartId: "cart-3", quantity: 3, refunded: 600 },
        ...{ version: 1, shipping: 100, disputed: 300, underpaid: 500, shipsTo: "TX", returned: 2 },
        refunds: [{ refundId: "ref-2", amount: 600, status: "succeeded", returnId: "ret-1" }],
        disputes: [
          { disputeId: "du-1", amount: 300, status: "needs_response" },
          { disputeId: "du-2", amount: 250, status: "won" },
        ],
        returns: [{ returnId: "ret-1", announced: 3, received: 2, awaited: 0, isCalledOff: true }],
      },
    ],
    // Channels promise delivery and not its order.
    events: [
      event(1, "o-1", "ord-1", 1),
      event(2, "o-3", "ord-1", 2, 3),
      event(3, "o-2", "ord-1", 3, 2),
      event(4, "e-1", "machine", 1),
      event(5, "d-1", "note", 1),
      { ...event(6, "p-1", "ord-2", 1), underpaid: 500 },
    ],
    payments: [
      { sessionId: "cs-1", cartId: "cart-1", received: 1_000, refunded: 100, disputed: 0 },
      { sessionId: "cs-9", cartId: "cart-9", received: 0, refunded: 0, disputed: 0 },
      { sessionId: "cs-2", cartId: "cart-3", received: 1_000, refunded: 600, disputed: 300 },
    ],
    revenue: { gross: 2_000, refunded: 700, disputed: 300, net: 1_000 },
    ownCarts: { guest: 5 },
    savedCarts: { "cart-1": 0, "cart-2": 1 },
    mails: {
      "ord-1": [
        { kind: "confirmation", state: "sent" },
        { kind: "shipped", state: "sent" },
      ],
      "ord-2": [
        { kind: "confirmation", state: "sent" },
        { kind: "shipping-underpaid", state: "sent" },
      ],
    },
    // The first request was not answered, so it came again.
    webhooks: {
      received: [
        { webhookId: "msg_1", type: "order.created", orderId: "ord-1" },
        { webhookId: "msg_1", type: "order.created", orderId: "ord-1" },
        { webhookId: "msg_2", type: "order.created", orderId: "ord-2" },
      ],
      refused: [],
    },
    manuals: { "batch-1": { status: "completed", sha256: "aa", parts: 2 } },
    unfinished: [],
  };
  // What failed was in flight on one of them, or of the log.
  const faults: FaultRecord[] = [
    { kind: "fault", name: "kill -9", target: "edge-1", node: "n-1", at: 5_200, until: 9_000 },
    { kind: "fault", name: "kill -9", target: "edge-1", node: "n-2", at: 22_500, until: 26_000 },
  ];
  return { operations, final, faults, printed: "" };
}

type Run = ReturnType<typeof wholeRun>;

function verdictAfter(change: (run: Run) => void) {
  const run = wholeRun();
  change(run);
  return judge(
    [...run.operations, ...run.faults],
    run.final,
    timeoutsIn({ gateways: ["Partline is ready after 2.2 s (node gateway, pid 1)\n"], others: [run.printed] }),
  );
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
      final.revenue.net = 800;
      final.events.push({ ...final.events[3]!, eventId: "e-2", position: 7, version: 2 });
    });
    expect(done.violations).toEqual([]);
  });

  it("is whole where a mail was not true any more", () => {
    const late = ({ final }: Run): void => {
      final.orders[1]!.status = "cancelled";
      final.orders[1]!.underpaid = null;
      for (const mail of final.mails["ord-2"]!) mail.state = "skipped";
    };
    expect(verdictAfter(late).violations).toEqual([]);
  });

  it("is whole where a try that was not answered came late", () => {
    const late = (run: Run): void => {
      run.final.events.push({ ...run.final.events[4]!, eventId: "d-2", position: 7, version: 2 });
      the(run, "document.store").attempts.unshift({ gateway: "edge-2", at: 0, answeredAt: 1, status: 504 });
    };
    expect(verdictAfter(late).violations).toEqual([]);
  });

  it("reports what failed while something was away, and what failed without", () => {
    const { faults, failedOutsideFaults } = verdictAfter(() => undefined);
    expect(faults).toMatchObject([
      { target: "edge-1", lasted: 3_800, failed: 1, failedInFlight: 1, broken: [] },
      { target: "edge-1", lasted: 3_500, failed: 3, failedInFlight: 2, broken: [] },
    ]);
    expect(failedOutsideFaults).toEqual({});
    expect(verdictAfter((run) => (run.faults.length = 0))).toMatchObject({
      ok: false,
      failedOutsideFaults: { "cart.add ECONNRESET": 1, "refund ECONNRESET": 2, "event.append ECONNRESET": 1 },
      broken: expect.arrayContaining(["without a fault: cart.add of guest: ECONNRESET by edge-1"]),
    });
  });
});

type Blame = "it" | "no fault" | "nobody";
const ONES = ["kill -9", "SIGSTOP", "no NATS"] as const;
type Failure = [
  second: number,
  seconds: number,
  type: OperationType,
  answer: number | "ECONNRESET",
  Blame,
  from?: string,
];

/** One operation that fails, beside those of a run in which nothing else does, during a fault from 50 to 60 s. */
function blame(
  [name, target]: readonly [FaultRecord["name"], string],
  [second, seconds, type, answer, , from = ""]: Failure,
): string[] {
  const at = second * 1_000;
  const answeredAt = at + seconds * 1_000;
  const gateway = from.startsWith("edge") ? from : "edge-1";
  return verdictAfter((run) => {
    run.operations = run.operations.filter(({ result }) => result === "ok");
    const node = target === "mongo" ? undefined : "n-1";
    run.faults = [{ kind: "fault", name, target, node, at: 50_000, until: 60_000 }];
    const attempt = {
      gateway,
      at,
      answeredAt,
      ...(typeof answer === "number" ? { status: answer } : { error: answer }),
    };
    const input = { cartId: "fresh" };
    run.operations.push({
      ...{ kind: "operation", client: "one", type, requestId: "fails", input, invokedAt: at, answeredAt },
      ...{ result: "unknown", attempts: [attempt] },
    });
    const timeout = { level: "warn", request_id: "fails", nodeID: from, msg: "Request 'cart.save' is timed out." };
    if (from === "gateway" || from.startsWith("n-"))
      run.printed = `ready\n${JSON.stringify({ ...timeout, timeout: 10_000 })}\n{"level":"warn","msg":"Reques`;
  }).broken;
}

describe("What a fault is blamed for", () => {
  const stopped: Failure[] = [
    [49, 2, "cart.save", "ECONNRESET", "it"],
    [59, 0.1, "cart.save", 503, "it"],
    // It loses what waits for it in vain, and not what waits for another that is slow.
    [51, 5, "cart.save", 504, "it"],
    [51, 5, "cart.save", 504, "it", "n-1"],
    [51, 5, "cart.save", 504, "nobody", "n-2"],
  ];
  const stoppedGateway: Failure[] = [
    [51, 0.1, "cart.save", 503, "it"],
    [51, 0.1, "cart.save", 503, "nobody", "edge-2"],
    // The log of the process that was called names who called.
    [51, 5, "cart.save", 504, "it", "gateway"],
  ];
  /** It is felt by what was in flight alone, and by no read. */
  const oneOfTwo: Failure[] = [
    [52, 6, "cart.save", 504, "nobody"],
    [54, 0.1, "cart.save", 503, "it"],
    [52, 0.1, "cart.get", 504, "it"],
    [54, 0.1, "cart.save", 504, "nobody", "n-2"],
    [54, 0.1, "cart.save", 504, "it", "n-1"],
    [170, 0.1, "event.append", 503, "no fault"],
  ];
  // It may leave locked what it was writing and the log, where it may hold a transaction.
  const locked = (blamed: Blame): Failure => [54, 0.1, "event.append", 503, blamed];
  type Case = [FaultRecord["name"], string, Failure[]];
  const faults: Case[] = [
    ["SIGTERM", "shop-1", stopped],
    ["SIGTERM", "edge-1", stoppedGateway],
    ...ONES.map((name): Case => [name, "shop-1", [...oneOfTwo, locked(name === "no NATS" ? "it" : "nobody")]]),
    ["cut off", "mongo", [[52, 0.1, "cart.get", 503, "nobody"]]],
  ];

  it.each(faults)("%s of %s", (name, target, failures) => {
    for (const failure of failures) {
      const [, , type, answer, blamed, from = ""] = failure;
      const what = `${type} of fresh: ${answer} by ${from.startsWith("edge") ? from : "edge-1"}`;
      const expected = { it: [`${name} of ${target}: ${what}`], "no fault": [`without a fault: ${what}`], nobody: [] };
      expect([failure, blame([name, target], failure)]).toEqual([failure, expected[blamed]]);
    }
  });

  it("is one also where its client's next try went well", () => {
    const { broken, failedRequests } = verdictAfter((run) => {
      run.faults = [{ kind: "fault", name: "SIGTERM", target: "edge-2", node: "n-1", at: 50_000, until: 60_000 }];
      const operation = the(run, "cart.read");
      operation.attempts = [
        { gateway: "edge-2", at: 51_000, answeredAt: 51_100, status: 500 },
        { gateway: "edge-1", at: 51_400, answeredAt: 51_500, status: 200 },
      ];
    });
    expect([failedRequests["cart.read 500"], broken.filter((what) => what.startsWith("SIGTERM"))]).toEqual([
      1,
      ["SIGTERM of edge-2: cart.read of guest: 500 by edge-2"],
    ]);
  });

  it("is the next fault's once that has begun", () => {
    const { broken } = verdictAfter((run) => {
      run.faults.push({ kind: "fault", name: "cut off", target: "redis", at: 26_000, until: 27_000 });
      Object.assign(the(run, "event.append", 1), { type: "cart.save" });
    });
    expect(broken).toEqual([]);
  });

  it("counts requests that were slow without a fault", () => {
    const slow = verdictAfter((run) => {
      run.faults.length = 0;
      for (const { attempts, requestId } of run.operations.filter(({ result }) => result !== "ok")) {
        attempts[0] = { gateway: "edge-1", at: attempts[0]!.at, answeredAt: attempts[0]!.answeredAt, status: 504 };
        run.printed += `${JSON.stringify({ request_id: requestId, nodeID: "n-2", msg: "Request 'cart.addItem' is timed out." })}\n`;
      }
    });
    expect(slow).toMatchObject({
      ok: true,
      broken: [],
      slowRequests: 4,
      requests: 32,
      failedOutsideFaults: { "refund 504": 2 },
    });
  });
});

describe("A run that went wrong is found out:", () => {
  const cases: Record<string, Record<string, (run: Run) => unknown>> = {
    orders: {
      "a paid session has no order": ({ final }) => (final.orders.length = 0),
      "an order is there twice": ({ final }) => final.orders.push({ ...final.orders[0]! }),
      "two orders of one payment": ({ final }) =>
        final.orders.push({ ...final.orders[0]!, orderId: "ord-3", orderNumber: "ORD-3" }),
      "two orders have one number": ({ final }) =>
        final.orders.push({ ...final.orders[0]!, orderId: "ord-3", sessionId: "cs-3" }),
      "an order that nobody paid": ({ final }) =>
        final.orders.push({ ...final.orders[0]!, orderId: "ord-3", orderNumber: "ORD-3", sessionId: "cs-9" }),
      "a shown order is gone": (run) => (the(run, "order.find", 1).output = { orderId: "ord-7" }),
    },
    checkout: {
      "one cart got two sessions": (run) => (the(run, "checkout").output!.sessionId = "cs-0"),
      "one cart was paid twice": ({ final }) => final.payments.push({ ...final.payments[0]!, sessionId: "cs-3" }),
    },
    money: {
      "less was received than the order says": ({ final }) => (final.payments[0]!.received = 900),
      "the provider paid back more than the order says": ({ final }) => (final.payments[0]!.refunded = 200),
      "the order's refunds do not add up": ({ final }) => (final.orders[0]!.refunds[0]!.amount = 101),
      "more was paid back than paid": ({ final }) => (final.orders[0]!.refunded = 1_100),
      "the provider's dispute has more than the order says": ({ final }) => (final.payments[2]!.disputed = 400),
      "disputes and refunds are more than was paid": ({ final }) => (final.orders[1]!.disputed = 500),
      "what is still the shop's does not add up": ({ final }) => (final.revenue.net = 1_300),
    },
    refunds: {
      "an acknowledged refund is not there": ({ final }) => (final.orders[0]!.refunds.length = 0),
      "a refund was made twice": ({ final }) => final.orders[0]!.refunds.push({ ...final.orders[0]!.refunds[0]! }),
      "a refused refund was made": ({ final }) =>
        final.orders[0]!.refunds.push({ refundId: "ref-3", amount: 300, status: "succeeded" }),
      "a cancelled order is not": (run) =>
        Object.assign(the(run, "order.move"), { type: "cancel", input: { orderId: "ord-1" } }),
      "a refund was refused for a dispute, and made": ({ final }) =>
        final.orders[1]!.refunds.push({ refundId: "ref-4", amount: 701, status: "succeeded" }),
      "a cancelled order keeps more than its dispute has": (run) =>
        Object.assign(the(run, "order.move"), { type: "cancel", input: { orderId: "ord-2" } }) &&
        (run.final.orders[1]!.status = "cancelled"),
    },
    shipments: {
      "an acknowledged shipment is gone": ({ final }) => (final.orders[0]!.shipments[0]!.tracking = "1Z0"),
      "a refused shipment was made": (run) => (the(run, "ship").result = "refused"),
      "a shipment was made twice": ({ final }) =>
        final.orders[0]!.shipments.push({ ...final.orders[0]!.shipments[0]! }),
      "a piece left twice": ({ final }) => (final.orders[0]!.quantity = 0),
    },
    returns: {
      "an acknowledged return is gone": ({ final }) => (final.orders[1]!.returns.length = 0),
      "a return is of fewer pieces": ({ final }) => (final.orders[1]!.returns[0]!.announced = 2),
      "a return that came is not there": ({ final }) => (final.orders[1]!.returned = 0),
      "an acknowledged receipt is lost": ({ final }) => (final.orders[1]!.returns[0]!.received = 1),
      "what is called off is awaited": ({ final }) => (final.orders[1]!.returns[0]!.awaited = 1),
      "what has come and is awaited is not all": (run) => {
        the(run, "return.cancel").result = "unknown";
        run.final.orders[1]!.returns[0]!.isCalledOff = false;
      },
      "a return that was called off is not": ({ final }) =>
        Object.assign(final.orders[1]!.returns[0]!, { awaited: 1, isCalledOff: false }),
      "a receipt was refunded twice": ({ final }) => final.orders[1]!.refunds.push({ ...final.orders[1]!.refunds[0]! }),
      "too little is refunded of what came back": ({ final }) =>
        (final.orders[1]!.refunded = final.orders[1]!.refunds[0]!.amount = 500),
    },
    disputes: {
      "a dispute is lost": ({ final }) => final.orders[1]!.disputes.shift(),
      "a dispute is not as it was decided": ({ final }) => (final.orders[1]!.disputes[1]!.status = "lost"),
      "a dispute is there twice": ({ final }) => final.orders[1]!.disputes.push({ ...final.orders[1]!.disputes[0]! }),
      "money that a dispute holds is refunded": ({ final }) => (final.orders[1]!.refunded = 701),
    },
    shipping: {
      "an order does not say that its shipping is underpaid": ({ final }) => (final.orders[1]!.underpaid = null),
      "an order says so of shipping that is paid": (run) =>
        delete (the(run, "pay", 1).input as { difference?: number }).difference,
      "what is underpaid was decided again": ({ final }) => (final.events[0]!.underpaid = 500),
      "the shop was notified twice": ({ final }) => final.mails["ord-2"]!.push(final.mails["ord-2"]![1]!),
      "an address was refused for another difference": (run) =>
        (the(run, "order.readdress").output = { difference: 200 }),
      "a refused address was set": ({ final }) => (final.orders[1]!.shipsTo = "AK"),
    },
    mails: {
      "an order has no confirmation": ({ final }) => final.mails["ord-1"]!.shift(),
      "a shipment has two mails": ({ final }) => final.mails["ord-1"]!.push({ kind: "shipped", state: "sent" }),
      "a mail is not sent": ({ final }) => (final.mails["ord-1"]![0]!.state = "refused"),
      "a mail is skipped that is true": ({ final }) => (final.mails["ord-1"]![0]!.state = "skipped"),
    },
    webhooks: {
      "the receiver has an order not": ({ final }) => (final.webhooks.received.length = 0),
      "the receiver has an order under two ids": ({ final }) => (final.webhooks.received[1]!.webhookId = "msg_4"),
      "the receiver has an order that is none": ({ final }) =>
        final.webhooks.received.push({ webhookId: "msg_3", type: "order.created", orderId: "ord-9" }),
      "a signature does not hold": ({ final }) => final.webhooks.refused.push("No matching signature"),
    },
    moves: {
      "an order went back": ({ final }) => (final.orders[0]!.status = "pending"),
    },
    versions: {
      "an event is recorded twice": ({ final }) => final.events.push({ ...final.events[3]!, position: 7, version: 2 }),
      "two events have one position": ({ final }) => (final.events[4]!.position = 4),
      "an aggregate's versions have a gap": ({ final }) => (final.events[4]!.version = 2),
    },
    events: {
      "an acknowledged event is lost": ({ final }) => final.events.splice(3, 1),
      "an event has another version than was answered": (run) => (the(run, "event.append").output!.version = 2),
      "an acknowledged document is lost": ({ final }) => final.events.splice(4, 1),
      "a document was recorded twice": ({ final }) =>
        final.events.push({ ...final.events[4]!, eventId: "d-2", position: 7, version: 2 }),
      "a refused event is recorded": (run) => (the(run, "event.append").result = "refused"),
    },
    "order events": {
      "an order's change has no event": ({ final }) => (final.orders[0]!.version = 4),
      "an order's change has two events": ({ final }) =>
        final.events.push({ ...final.events[1]!, eventId: "o-9", position: 7, version: 4 }),
    },
    carts: {
      "an acknowledged add is lost": ({ final }) => (final.ownCarts.guest = 1),
      "an add is there twice": ({ final }) => (final.ownCarts.guest = 7),
      "a read does not see what was acknowledged": (run) => (the(run, "cart.read").output = { quantity: 0 }),
      "a read sees what nobody sent yet": (run) => (the(run, "cart.read").output = { quantity: 5 }),
    },
    "saved carts": {
      "a saved cart is gone": ({ final }) => (final.savedCarts["cart-2"] = null),
      "a saved cart holds something else": ({ final }) => (final.savedCarts["cart-2"] = 2),
      "the cart of an order is not emptied": ({ final }) => (final.savedCarts["cart-1"] = 4),
      "a saved cart is read as something else": (run) => (the(run, "cart.get").output = { quantity: 3 }),
    },
    manuals: {
      "a manual is not read": ({ final }) => (final.manuals["batch-1"]!.status = "failed"),
      "a manual's parts are found twice": ({ final }) => (final.manuals["batch-1"]!.parts = 4),
      "a manual's job is gone": ({ final }) => void delete final.manuals["batch-1"],
    },
    reads: {
      "a saved cart is not found": (run) => notFound(the(run, "cart.get")),
      "an order is not found by its shopper": (run) => notFound(the(run, "order.read")),
      "a manual's job is not found at first": (run) =>
        the(run, "manual.read").attempts.unshift({ ...the(run, "manual.read").attempts[0]!, status: 404 }),
    },
  };
  const listed = Object.entries(cases).flatMap(([check, changes]) =>
    Object.entries(changes).map(([name, change]) => ({ check, name, change })),
  );
  it.each(listed)("$check: $name", ({ check, change }) => {
    const { ok, violations } = verdictAfter(change);
    expect(ok).toBe(false);
    expect(violations.map((violation) => violation.check)).toContain(check);
  });

  it("something has not ended", () => {
    expect(verdictAfter(({ final }) => final.unfinished.push("ord-1"))).toMatchObject({ ok: false, violations: [] });
  });
});
