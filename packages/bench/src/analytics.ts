/**
 * How fast projections catch up, and what their answers cost: N events of thirty days (half of them searches, the rest
 * carts, checkouts and the lives of orders) in an embedded event store, counted from the first on in one process; and
 * what that leaves to a client that writes meanwhile. `npm run bench -- analytics [EVENTS]`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import { openEventLog } from "../../durable/src/event-log/open.ts";
import type { NewEvent } from "../../durable/src/event-log/port.ts";
import { ROWS } from "../../../services/analytics/collections.ts";
import { createProjector, PROJECTIONS } from "../../../services/analytics/projector.ts";
import { createReports } from "../../../services/analytics/reports.ts";
import type { StoredEvent } from "../../../services/contracts.ts";
import { median } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const AIM_PER_SECOND = 20_000;
const EVENTS = Number(process.argv[2] ?? 100_000);
const DAY_MS = 86_400_000;
const APPENDED_AT_ONCE = 2_000;

const directory = await mkdtemp(join(tmpdir(), "analytics-bench-"));
const logger = { error: console.error, warn: console.error };
const documents = await openDocumentStore({ dataDir: join(directory, "documents") });
const log = await openEventLog({ dataDir: join(directory, "events"), logger });
try {
  await fill();
  const projector = createProjector(
    documents,
    async (after, limit) => (await log.readAll({}, { after, limit })) as StoredEvent[],
  );
  const utilizationBefore = performance.eventLoopUtilization();
  const started = performance.now();
  while (await projector.turn());
  const seconds = (performance.now() - started) / 1_000;
  const busy = performance.eventLoopUtilization(utilizationBefore).utilization;

  const rebuild = async (): Promise<number> => {
    await projector.rebuild(PROJECTIONS.map(({ name }) => name));
    const rebuildStarted = performance.now();
    while ((await projector.checkpoints()).some(({ building }) => building)) await projector.turn();
    return (performance.now() - rebuildStarted) / 1_000;
  };
  const rebuildSeconds = await rebuild();

  const rows = await documents.collection(ROWS).count({});
  printTable(
    "Projections (three, of the same events)",
    ["events", "rows", "events/s", "loop busy", "rebuild, events/s", "resident MB"],
    [
      [
        EVENTS,
        rows,
        Math.round(EVENTS / seconds),
        `${Math.round(busy * 100)} %`,
        Math.round(EVENTS / rebuildSeconds),
        Math.round(process.memoryUsage.rss() / 1e6),
      ],
    ],
  );
  const alone = await writesDuring(() => delay(2_000));
  const appendTimes = await writesDuring(rebuild);
  printTable(
    "One document, changed again and again",
    ["", "writes/s", "median ms", "longest ms"],
    [
      ["while nothing is counted", ...alone],
      ["during a rebuild", ...appendTimes],
    ],
  );
  await printReports();
  const holds = EVENTS / seconds >= AIM_PER_SECOND;
  console.log(`\nThe aim of more than ${AIM_PER_SECOND} events/s ${holds ? "holds" : "does not hold"}.`);
} finally {
  await documents.close();
  await log.close();
  await rm(directory, { recursive: true });
}

/** Writes a second, and what they take, of somebody who changes one document as soon as the change before is kept. */
async function writesDuring(work: () => Promise<unknown>): Promise<number[]> {
  const changedRows = documents.collection({ name: "changed", fields: {} });
  await changedRows.updateOne({ _id: "one" }, { $set: { changes: 0 } }, { upsert: true });
  const times: number[] = [];
  const started = performance.now();
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  while (!isOver) {
    const startedAt = performance.now();
    await changedRows.updateOne({ _id: "one" }, { $inc: { changes: 1 } });
    times.push(performance.now() - startedAt);
  }
  const seconds = (performance.now() - started) / 1_000;
  await working;
  return [times.length / seconds, median(times), Math.max(...times)];
}

async function printReports(): Promise<void> {
  const reports = createReports({ documents, head: () => log.head() });
  const reads: [name: string, ask: () => Promise<unknown>][] = [
    ["overview, 30 days", () => reports.overview({ params: {} })],
    ["revenue, 30 days by day", () => reports.revenue({ params: { interval: "day" } })],
    ["revenue, 30 days by hour", () => reports.revenue({ params: { interval: "hour" } })],
    ["parts, 30 days", () => reports.parts({ params: { sort: "revenue", limit: 20 } })],
    ["searches, 30 days by day", () => reports.searches({ params: { interval: "day", limit: 20 } })],
  ];
  const rows: (string | number)[][] = [];
  for (const [name, ask] of reads) {
    const times: number[] = [];
    for (let n = 0; n < 10; n++) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
    rows.push([name, median(times), Math.max(...times)]);
  }
  printTable("Answers", ["", "median ms", "longest ms"], rows);
}

async function fill(): Promise<void> {
  let batch: NewEvent[] = [];
  let eventCount = 0;
  for (let visit = 0; eventCount < EVENTS; visit++) {
    const events = createVisit(visit, new Date(Date.now() - (1 - eventCount / EVENTS) * 29 * DAY_MS)).slice(
      0,
      EVENTS - eventCount,
    );
    eventCount += events.length;
    batch.push(...events);
    if (batch.length < APPENDED_AT_ONCE && eventCount < EVENTS) continue;
    await Promise.all(batch.map((event) => log.appendToStream(event)));
    batch = [];
  }
}

/**
 * What a visit leaves: five searches and two carts; every second one a checkout, every third an order that is paid late
 * and refunded in part.
 */
function createVisit(n: number, time: Date): NewEvent[] {
  const event = (
    aggregate_type: string,
    event_type: string,
    aggregate_id: string,
    data: Record<string, unknown>,
  ): NewEvent => ({
    event_id: `${event_type}-${aggregate_id}-${String(data.version ?? 0)}`,
    aggregate_type,
    event_type,
    aggregate_id,
    data,
    timestamp: time,
  });
  const searches = Array.from({ length: 5 }, (_, index) => {
    // Few texts are searched for often, most seldom.
    const text = Math.floor(20_000 ** Math.random());
    return event("search", "SEARCH_PERFORMED", `search_${n}_${index}`, {
      query: `part number ${text}`,
      results_count: text % 7,
      filters: {},
      took_ms: 3,
    });
  });
  const carts = [0, 1].map((index) =>
    event("cart", "CART_SAVED", `cart_${n}_${index}`, { cartId: `cart_${n}_${index}`, items: 3, subtotal: 9_000 }),
  );
  const cartId = `cart_${n}_0`;
  const sessionId = `cs_${n}`;
  const checkouts =
    n % 2 === 0
      ? [
          event("checkout", "CHECKOUT_STARTED", sessionId, {
            sessionId,
            paymentIntentId: null,
            cartId,
            total: 10_000,
            currency: "usd",
          }),
        ]
      : [];
  return [
    ...searches,
    ...carts,
    ...checkouts,
    ...(n % 3 === 0 ? orderLife(`ord_${n}`, { cartId, sessionId, createdAt: time.toISOString() }, event) : []),
  ];
}

function orderLife(
  orderId: string,
  refs: object,
  event: (type: string, name: string, id: string, data: Record<string, unknown>) => NewEvent,
): NewEvent[] {
  const number = Number(orderId.slice(4));
  const items = [0, 1, 2].map((index) => ({
    productId: `part-${(number * 7 + index * 13) % 3_000}`,
    partNumber: `P${index}`,
    quantity: 1 + index,
    price: 1_500,
  }));
  const eventCount = {
    orderId,
    orderNumber: orderId,
    userId: "guest",
    items,
    subtotal: 9_000,
    tax: 500,
    shipping: 500,
    total: 10_000,
    currency: "usd",
    paymentStatus: "pending",
    ...refs,
  };
  const state = (status: string, paymentStatus: string) => ({ status, paymentStatus });
  return [
    event("order", "ORDER_CREATED", orderId, eventCount),
    event("order", "ORDER_UPDATED", orderId, {
      orderId,
      version: 2,
      actor: "payment-provider",
      from: state("pending", "pending"),
      to: state("pending", "paid"),
      changed: ["paymentStatus"],
    }),
    event("order", "ORDER_UPDATED", orderId, {
      orderId,
      version: 3,
      actor: "admin",
      from: state("pending", "paid"),
      to: state("processing", "paid"),
      changed: ["status"],
    }),
    event("order", "ORDER_REFUNDED", orderId, {
      orderId,
      version: 4,
      actor: "admin",
      from: state("processing", "paid"),
      to: state("processing", "partially_refunded"),
      amount: 1_000,
      refundId: "r",
      reason: "other",
    }),
  ];
}
