import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "nats";
import { createJetStreamChannels } from "../../durable/src/channels/jetstream/jetstream-channels.ts";
import { createNames } from "../../durable/src/channels/jetstream/names.ts";
import { createOutboxWrite } from "../../durable/src/channels/outbox.ts";
import type { Channels } from "../../durable/src/channels/port.ts";
import { createStoredChannels } from "../../durable/src/channels/stored/stored-channels.ts";
import { openDocumentStore } from "../../durable/src/document-store/open.ts";
import type { DocumentStore } from "../../durable/src/document-store/port.ts";
import { percentile } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

/**
 * Durable events from the write that causes them to the end of the handler, `npm run bench -- channels [EVENTS]`: as
 * many as go a second with 64 writers, and how long a single one takes. Over the embedded store alone, and with
 * NATS_URL over JetStream, beside plain publishes to a JetStream stream of the same server, which have no outbox, no
 * consumer and no acknowledgement of the work.
 */
const EVENTS = Number(process.argv[2] ?? 10_000);
const SINGLE = Math.max(20, Math.round(EVENTS / 20));
const WRITERS = 64;
const IN_FLIGHT = 200;
const CHANNEL = "bench.happened";

const payload = {
  orderId: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A",
  items: [1, 2, 3].map((n) => ({ partNumber: `AB-100${n}`, quantity: n, price: 1_299 })),
  total: 7_794,
  currency: "usd",
};
const outbox = createOutboxWrite<{ [CHANNEL]: typeof payload }>();
const report = {
  stuck: (error: unknown) => console.error(error),
  onOtherStream: () => undefined,
  onUnreadable: () => undefined,
  unsigned: () => undefined,
  onFailed: (_: unknown, error: unknown) => console.error(error),
};

type Row = (string | number)[];

async function inParallel(count: number, lanes: number, work: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

async function measure(name: string, documents: DocumentStore, channels: Channels): Promise<Row> {
  const arrivals = new Map<string, () => void>();
  let handled = 0;
  let resolveAll: (() => void) | undefined;
  channels.subscribe(CHANNEL, {
    group: "bench",
    concurrency: WRITERS,
    handler: async ({ event_id }) => {
      arrivals.get(event_id)?.();
      if (++handled === EVENTS) resolveAll?.();
    },
  });
  await channels.start();
  const everything = new Promise<void>((resolve) => (resolveAll = resolve));
  const write = async (id: string): Promise<void> => {
    await documents.atomically([outbox(CHANNEL, payload, id)]);
    channels.wake();
  };
  const started = performance.now();
  await inParallel(EVENTS, WRITERS, (n) => write(`many-${n}`));
  const writtenMs = performance.now() - started;
  await everything;
  const handledMs = performance.now() - started;

  const took = new Float64Array(SINGLE);
  for (let n = 0; n < SINGLE; n++) {
    const arrived = new Promise<void>((resolve) => arrivals.set(`single-${n}`, resolve));
    const from = performance.now();
    await write(`single-${n}`);
    await arrived;
    took[n] = performance.now() - from;
  }
  took.sort();
  await channels.stop();
  await documents.close();
  return [
    name,
    EVENTS / (writtenMs / 1_000),
    EVENTS / (handledMs / 1_000),
    percentile(took, 0.5),
    percentile(took, 0.99),
  ];
}

async function publishes(servers: string, namespace: string): Promise<Row[]> {
  const nc = await connect({ servers: servers.split(",") });
  const jsm = await nc.jetstreamManager();
  const js = nc.jetstream();
  const body = Buffer.from(JSON.stringify(payload));
  const subject = `${namespace}.plain`;
  await jsm.streams.add({ name: `${namespace}-plain`, subjects: [subject] });
  const rows: Row[] = [];
  for (const [name, lanes] of [
    [`plain publishes, ${IN_FLIGHT} in flight`, IN_FLIGHT],
    ["plain publishes, one after another", 1],
  ] as const) {
    const count = lanes === 1 ? SINGLE * 5 : EVENTS;
    const took = new Float64Array(count);
    const started = performance.now();
    await inParallel(count, lanes, async (n) => {
      const from = performance.now();
      await js.publish(subject, body, { msgID: `${lanes}-${n}` });
      took[n] = performance.now() - from;
    });
    const perSecond = count / ((performance.now() - started) / 1_000);
    took.sort();
    rows.push([name, perSecond, "", percentile(took, 0.5), percentile(took, 0.99)]);
  }
  for (const stream of [`${namespace}-plain`, createNames(namespace).events]) await jsm.streams.delete(stream);
  await nc.close();
  return rows;
}

const directory = await mkdtemp(join(tmpdir(), "channels-bench-"));
const stored = await openDocumentStore({ dataDir: join(directory, "stored") });
const rows = [await measure("over the embedded store", stored, createStoredChannels({ documents: stored, report }))];
const servers = process.env.NATS_URL;
if (servers) {
  const namespace = `bench-${process.pid}-${Date.now()}`;
  const documents = await openDocumentStore({ dataDir: join(directory, "jetstream") });
  rows.push(
    await measure(
      "over JetStream",
      documents,
      createJetStreamChannels({ documents, servers, namespace, clientName: "bench", report }),
    ),
  );
  rows.push(...(await publishes(servers, namespace)));
}
printTable(`${EVENTS} events, ${WRITERS} writers`, ["", "written/s", "handled/s", "one, p50 ms", "p99 ms"], rows);
if (!servers) console.log("NATS_URL is not set: JetStream was not measured.");
await rm(directory, { recursive: true });
