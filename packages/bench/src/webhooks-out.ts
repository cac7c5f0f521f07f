/**
 * Webhooks to a sink in a process of its own: events are committed at a fixed rate, and the time from each commit to
 * its arrival is taken; alone, then beside an endpoint that hangs, and one that is dead. `npm run bench -- webhooks-out
 * [A_SECOND] [SECONDS]`, 500 for 20 s unless given. Over MONGO_URL and NATS_URL if they are set. Aims: all arrive once,
 * p95 under 2 s.
 */
import { setTimeout as delay } from "node:timers/promises";
import { call, outbox } from "../../../services/contracts.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { mongoTestUrl } from "../../../test/support/mongo.ts";
import { startTestBroker } from "../../../test/support/test-broker.ts";
import { testSettings } from "../../../test/support/test-settings.ts";
import { startServer, stopServers } from "./support/child.ts";
import { percentile } from "./support/statistics.ts";
import { printTable } from "./support/table.ts";

const A_SECOND = Number(process.argv[2] ?? 500);
const SECONDS = Number(process.argv[3] ?? 20);
const TICK_MS = 20;

const { MONGO_URL, NATS_URL } = process.env;
const settings = testSettings({
  ...(MONGO_URL ? { MONGO_URL: mongoTestUrl("bench") } : {}),
  ...(NATS_URL ? { NATS_URL } : {}),
});
const running = await startTestBroker({ services: ["webhook"], settings });
const admin = running.as({ admin: true });
const sink = `http://127.0.0.1:${(await startServer("webhook-sink")).port}`;
const create = (url: string) => call(admin, "webhook.createEndpoint", { url, eventTypes: ["order.updated"] });
const states = { status: "processing", paymentStatus: "paid" } as const;

interface Notes {
  arrivals: Record<string, number>;
  repeats: number;
}
const notes = async (): Promise<Notes> => (await (await fetch(sink)).json()) as Notes;

async function measure(name: string): Promise<(string | number)[]> {
  const committed = new Map<string, number>();
  const writes: Promise<void>[] = [];
  const write = async (orderId: string): Promise<void> => {
    const payload = { orderId, version: 2, actor: "system", from: states, to: states, changed: ["status"] };
    await running.documents.atomically([outbox("order.updated", payload)]);
    committed.set(orderId, Date.now());
    running.channels.wake();
  };
  const startedAt = performance.now();
  const usageBefore = process.cpuUsage();
  const total = A_SECOND * SECONDS;
  while (writes.length < total) {
    const dueCount = Math.min(total, Math.ceil(((performance.now() - startedAt) / 1_000) * A_SECOND));
    while (writes.length < dueCount) writes.push(write(`${name}-${writes.length}`));
    await delay(TICK_MS);
  }
  await Promise.all(writes);
  const arrived = await eventually(async () => {
    const { arrivals } = await notes();
    const arrived = Object.entries(arrivals).filter(([id]) => id.startsWith(`${name}-`));
    return arrived.length === total && arrived;
  }, 120_000);
  const { user, system } = process.cpuUsage(usageBefore);
  const lastAt = Math.max(...arrived.map(([, arrivedAt]) => arrivedAt));
  const perSecond = total / ((lastAt - Math.min(...committed.values())) / 1_000);
  const took = Float64Array.from(arrived, ([id, arrivedAt]) => Math.max(0, arrivedAt - committed.get(id)!)).sort();
  const quantiles = [0.5, 0.95, 0.99].map((share) => percentile(took, share));
  return [name, total, perSecond, ...quantiles, (user + system) / 1_000 / total];
}

await create(`${sink}/hook`);
await measure("warm up");
const alone = await measure("one endpoint");
const hungDeliveries = [];
for (const [name, url] of [
  ["beside one that hangs", `${sink}/hang`],
  ["beside one that refuses connections", "http://127.0.0.1:9/"],
] as const) {
  const { endpointId } = await create(url);
  hungDeliveries.push(await measure(name));
  await call(admin, "webhook.deleteEndpoint", { endpointId });
}
const { repeats } = await notes();
printTable(
  `${A_SECOND} events a second for ${SECONDS} s to a webhook (aims: p95 under 2,000 ms; arrived twice: ${repeats})`,
  ["", "events", "delivered a second", "p50 ms", "p95 ms", "p99 ms", "processor ms each"],
  [alone, ...hungDeliveries],
);
stopServers();
await running.stop();
