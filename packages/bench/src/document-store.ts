import { mkdtemp, rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import { printTable } from "./support/table.ts";

/**
 * Acknowledged writes and reads by id a second: the embedded document store beside plain node:sqlite that commits each
 * write on its own, in the same process, with the same durability (WAL, synchronous=FULL) and the same document. The
 * figures depend on the disk: the slower a commit, the more grouping brings. "Loop busy" is the share of the time in
 * which the process can serve nothing else; a synchronous commit takes all of it.
 */
const SECONDS = 2;
const DOCUMENTS = 10_000;

const cart = (id: string) => ({
  _id: id,
  userId: "user-1",
  items: [1, 2, 3, 4, 5].map((n) => ({
    productId: `p${n}`,
    title: `Oil filter number ${n}`,
    partNumber: `AB-100${n}`,
    quantity: n,
    unitPrice: 1_299,
  })),
  subtotal: 19_485,
  createdAt: new Date(),
  expiresAt: new Date(Date.now() + 86_400_000),
});

interface Rate {
  perSecond: number;
  /** Share of the time in which the event loop could do nothing else. */
  busy: number;
}

/** Lets `workers` do `work` again and again for a while; counts how often. */
async function measure(workers: number, work: (n: number) => Promise<unknown> | void): Promise<Rate> {
  let done = 0;
  const utilizationBefore = performance.eventLoopUtilization();
  const started = performance.now();
  const runWriter = async (): Promise<void> => {
    while (performance.now() - started < SECONDS * 1_000) await work(done++);
  };
  await Promise.all(Array.from({ length: workers }, runWriter));
  const seconds = (performance.now() - started) / 1_000;
  return { perSecond: done / seconds, busy: performance.eventLoopUtilization(utilizationBefore).utilization };
}

const directory = await mkdtemp(join(tmpdir(), "document-store-bench-"));
const store = await openDocumentStore({ dataDir: join(directory, "store") });
const carts = store.collection<ReturnType<typeof cart>>({
  name: "carts",
  fields: { userId: "string", createdAt: "date", expiresAt: "date" },
  indexes: [{ keys: { userId: 1 } }],
  expires: "expiresAt",
});

const plain = new DatabaseSync(join(directory, "plain.sqlite"));
plain.exec(
  "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE carts (id TEXT PRIMARY KEY NOT NULL, doc TEXT NOT NULL)",
);
plain.exec(
  "CREATE INDEX by_user ON carts (json_extract(doc, '$.userId')); CREATE INDEX by_expiry ON carts (json_extract(doc, '$.expiresAt'))",
);
const insert = plain.prepare("INSERT INTO carts (id, doc) VALUES (?, ?)");
const select = plain.prepare("SELECT doc FROM carts WHERE id = ?");

const rows: (string | number)[][] = [];
const percent = (share: number): string => `${Math.round(share * 100)} %`;

let next = 0;
for (const writers of [1, 16, 64]) {
  const ours = await measure(writers, () => carts.insertOne(cart(`cart-${next++}`)));
  const theirs = await measure(writers, () => {
    const document = cart(`cart-${next++}`);
    insert.run(document._id, JSON.stringify(document));
  });
  rows.push([
    `writes, ${writers} at once`,
    Math.round(ours.perSecond),
    Math.round(theirs.perSecond),
    (ours.perSecond / theirs.perSecond).toFixed(2),
    percent(ours.busy),
    percent(theirs.busy),
  ]);
}

const ids = Array.from({ length: DOCUMENTS }, (_, n) => `read-${n}`);
await carts.bulkWrite(ids.map((id) => ({ insertOne: cart(id) })));
plain.exec("BEGIN");
for (const id of ids) insert.run(id, JSON.stringify(cart(id)));
plain.exec("COMMIT");
const pick = (n: number): string => ids[(n * 7_919) % DOCUMENTS]!;
const ours = await measure(1, (n) => carts.findOne({ _id: pick(n) }));
const theirs = await measure(1, (n) => void JSON.parse(String(select.get(pick(n))?.["doc"])));
rows.push([
  "reads by id",
  Math.round(ours.perSecond),
  Math.round(theirs.perSecond),
  (ours.perSecond / theirs.perSecond).toFixed(2),
  percent(ours.busy),
  percent(theirs.busy),
]);
printTable(
  "Embedded document store beside plain node:sqlite that commits each write on its own (acknowledged operations a second)",
  ["", "store", "plain", "ratio", "loop busy, store", "loop busy, plain"],
  rows,
);

await store.close();
plain.close();
await rm(directory, { recursive: true });
