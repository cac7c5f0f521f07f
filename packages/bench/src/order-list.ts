/**
 * Lists of 100,000 orders, as the order service reads and presents them: the queue by each filter, far pages, and
 * searches by number, e-mail address and part. Over the embedded store, and MongoDB where MONGO_URL is set (in a
 * database of its own). `npm run bench -- order-list [ORDERS]`. Aim: p95 under 100 ms for every list from a cursor.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import type { DocumentStore } from "../../durable/src/document-store/port.ts";
import {
  ORDER_PARTS,
  ORDERS,
  type OrderDocument,
  type OrderPartDocument,
} from "../../../services/order/collections.ts";
import { createOrderListing } from "../../../services/order/listing.ts";
import { adminView } from "../../../services/order/views.ts";
import { generatedOrders } from "./support/orders.ts";
import { percentile } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const COUNT = Number(process.argv[2] ?? 100_000);
const ROUNDS = 40;
const BULK = 1_000;
const AIM_MS = 100;
const pageSize = 50;

async function fill(documents: DocumentStore): Promise<void> {
  let orders: OrderDocument[] = [];
  let parts: OrderPartDocument[] = [];
  const flush = async (): Promise<void> => {
    const insert = <T>(rows: T[]) => rows.map((row) => ({ insertOne: row }));
    await documents.collection<OrderDocument>(ORDERS).bulkWrite(insert(orders));
    await documents.collection<OrderPartDocument>(ORDER_PARTS).bulkWrite(insert(parts));
    [orders, parts] = [[], []];
  };
  for (const { order, rows } of generatedOrders(COUNT)) {
    orders.push(order);
    parts.push(...rows);
    if (orders.length === BULK) await flush();
  }
  await flush();
}

async function measure(documents: DocumentStore): Promise<boolean> {
  const list = createOrderListing(documents);
  const middle = await placeAfter(COUNT / 2);
  const sort = "newest" as const;
  const searches = {
    "the newest": { sort },
    "from the middle": { sort, cursor: middle },
    "by total": { sort: "total_desc" as const },
    "with open pieces, paid": { sort, lineState: "open" as const, paymentStatus: "paid" as const },
    "open, the oldest first": { sort: "oldest" as const, lineState: "open" as const },
    "with returned pieces": { sort, lineState: "returned" as const },
    cancelled: { sort, status: "cancelled" as const },
    "without an address": { sort, addressMissing: true },
    "of one day": { sort, from: "2026-05-05", to: "2026-05-05" },
    "of one day, cancelled": { sort, from: "2026-05-05", to: "2026-05-05", status: "cancelled" as const },
    "by number": { sort, q: "ORD-20260505-000007" },
    "by e-mail address": { sort, email: "Buyer77@example.com" },
    "of a part": { sort, q: "BNS-100077" },
    "of the part that most buy": { sort, q: "BNS-TOP" },
    "of nobody": { sort, email: "nobody@example.com" },
  };
  const rows: (string | number)[][] = [];
  let holds = true;
  for (const [name, query] of Object.entries(searches)) {
    const { p50, p95, count } = await times(
      async () => (await list.from({ ...query, pageSize }, (order) => order)).orders,
    );
    holds &&= p95 < AIM_MS;
    rows.push([name, count, p50, p95]);
  }
  for (const page of [1, 1_000]) {
    const { p50, p95, count } = await times(async () => (await list.findPage({ sort, page, pageSize })).found);
    rows.push([`page ${page}, counted (no aim)`, count, p50, p95]);
  }
  printTable(
    `${COUNT} orders, ${documents.backend}: pages of ${pageSize} (aim: p95 under ${AIM_MS} ms)`,
    ["", "found", "p50 ms", "p95 ms"],
    rows,
  );
  return holds;

  async function placeAfter(count: number): Promise<string> {
    let cursor: string | undefined;
    for (let offset = 0; offset < count; offset += 1_000)
      cursor = (await list.from({ sort: "newest", pageSize: 1_000, ...(cursor ? { cursor } : {}) }, ({ _id }) => _id))
        .nextCursor;
    return cursor!;
  }
}

/** As an answer over HTTP is made, up to its JSON. */
async function times(readPage: () => Promise<OrderDocument[]>) {
  const durations = new Float64Array(ROUNDS);
  let count = 0;
  for (let round = -2; round < ROUNDS; round += 1) {
    const began = performance.now();
    const orders = await readPage();
    JSON.stringify(orders.map(adminView));
    if (round >= 0) durations[round] = performance.now() - began;
    count = orders.length;
  }
  durations.sort();
  const inMs = (share: number): number => Math.round(percentile(durations, share) * 10) / 10;
  return { p50: inMs(0.5), p95: inMs(0.95), count };
}

const directory = await mkdtemp(join(tmpdir(), "orders-bench-"));
const mongoUrl = process.env.MONGO_URL?.replace(/\/[^/?]*(\?|$)/, `/bench_orders_${process.pid}$1`);
for (const url of [undefined, ...(mongoUrl ? [mongoUrl] : [])]) {
  const documents = await openDocumentStore({ mongoUrl: url, dataDir: join(directory, "store") });
  await fill(documents);
  if (!(await measure(documents))) process.exitCode = 1;
  await documents.close();
}
if (mongoUrl) {
  const { MongoClient } = await import("mongodb");
  const client = await MongoClient.connect(mongoUrl);
  await client.db().dropDatabase();
  await client.close();
}
await rm(directory, { recursive: true });
