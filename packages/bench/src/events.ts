import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEventLog } from "../../durable/src/event-log/open.ts";
import { call } from "../../../services/contracts.ts";
import { Snapshots } from "../../../services/eventstore/snapshots.ts";
import { foldAggregate } from "../../../services/eventstore/state.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { startSystem } from "../../../test/support/system.ts";
import { startTestBroker } from "../../../test/support/test-broker.ts";
import { testSettings } from "../../../test/support/test-settings.ts";
import { untilAtRest } from "./support/at-rest.ts";
import {
  measureJetStream,
  measureLog,
  measurePlain,
  openEmbedded,
  openMongo,
  type Rate,
} from "./support/events/appends.ts";
import { fill } from "./support/events/fill.ts";
import { FIRST_MOMENT, generateEvents, generateStream, LAST_MOMENT } from "./support/events/generated.ts";
import { toPath, generateReads } from "./support/events/reads.ts";
import { askAll } from "./support/search/http.ts";
import { latencyRows, percentiles, type Timed } from "./support/search/latencies.ts";
import { printTable } from "./support/table.ts";

/**
 * The event store: durable appends beside plain node:sqlite that commits each on its own, MongoDB (MONGO_URL) and raw
 * publishes to JetStream (NATS_URL); then states, filtered reads, statistics and catching up over a log of many events.
 * Arguments: events in the log (1,000,000), seconds of each row of appends (5), reads of each row (3,000).
 */
const [events = 1_000_000, seconds = 5, reads = 3_000] = process.argv.slice(2).map(Number);
const { MONGO_URL, NATS_URL } = process.env;
const LIMIT = 100;
const STREAM = "bench-stream";
const VERSIONS = 1_000;

const directory = await mkdtemp(join(tmpdir(), "events-bench-"));
const timed = async (kind: string, count: number, work: (n: number) => Promise<unknown>): Promise<Timed[]> => {
  const timings: Timed[] = [];
  for (let n = -Math.ceil(count / 10); n < count; n++) {
    const startedAt = performance.now();
    await work(Math.abs(n));
    // What comes before nought is the warm-up.
    if (n >= 0) timings.push({ kind, milliseconds: performance.now() - startedAt });
  }
  return timings;
};

try {
  const rows: (string | number)[][] = [];
  const add = (name: string, writers: number, { perSecond, p99, busy }: Rate): void =>
    void rows.push([name, writers, Math.round(perSecond), p99, `${Math.round(busy * 100)} %`]);
  for (const writers of [1, 64]) {
    add(
      "event log, embedded",
      writers,
      await measureLog(openEmbedded(join(directory, `log-${writers}`)), writers, seconds),
    );
    add(
      "plain node:sqlite, a commit each",
      writers,
      await measurePlain(await mkdtemp(join(directory, "plain-")), writers, seconds),
    );
    if (MONGO_URL) add("event log, MongoDB", writers, await measureLog(openMongo(MONGO_URL), writers, seconds));
    if (NATS_URL)
      add("JetStream publish, no version check", writers, await measureJetStream(NATS_URL, writers, seconds));
  }
  printTable(
    "Durable appends of one event with a version check",
    ["", "writers", "events/s", "p99 ms", "loop busy"],
    rows,
  );

  const filled = join(directory, "filled");
  const settings = testSettings({ DATA_DIR: filled });
  const fillingSince = performance.now();
  await openEventLog({ dataDir: filled }).then((log) => log.close());
  fill(filled, generateStream(STREAM, VERSIONS));
  fill(filled, generateEvents(events));
  console.log(
    `\nA log of ${(events + VERSIONS).toLocaleString("en-US")} events, filled in ${Math.round((performance.now() - fillingSince) / 1_000)} s`,
  );

  const readList = generateReads(reads, events);
  const log = await openEventLog({ dataDir: filled });
  const moment = (n: number): Date => new Date(FIRST_MOMENT + ((n * 7_919) % VERSIONS) * 1_000);
  const since = (n: number): Date =>
    new Date(FIRST_MOMENT + ((n * 7_919) % 1_000) * ((LAST_MOMENT - FIRST_MOMENT) / 1_000));
  const snapshots = new Snapshots();
  const atPort = {
    states: [
      ...(await timed(`state of ${VERSIONS} events, the first time`, reads, () =>
        foldAggregate(log, new Snapshots(), STREAM),
      )),
      ...(await timed(`state of ${VERSIONS} events`, reads, () => foldAggregate(log, snapshots, STREAM))),
      ...(await timed("state at a time", reads, (n) => foldAggregate(log, snapshots, STREAM, moment(n)))),
    ],
    lists: [] as Timed[],
    stats: [
      ...(await timed("stats", reads, () => log.stats({}))),
      ...(await timed("stats since", reads, (n) => log.stats({ since: since(n) }))),
    ],
  };
  for (const { kind, filter, after } of [...readList.slice(0, reads / 10), ...readList]) {
    const startedAt = performance.now();
    await log.readAll(filter, { after, limit: LIMIT });
    atPort.lists.push({ kind, milliseconds: performance.now() - startedAt });
  }
  atPort.lists.splice(0, Math.ceil(reads / 10));
  await log.close();
  printTable(
    "At the port",
    ["", "asked", "p50 ms", "p99 ms"],
    [
      ...latencyRows(atPort.lists),
      ...[...Map.groupBy([...atPort.states, ...atPort.stats], ({ kind }) => kind)].map(([kind, group]) => {
        const { p50, p99 } = percentiles(group);
        return [kind, group.length, p50, p99];
      }),
    ],
  );

  const test = await startTestBroker({ services: ["eventstore"], settings });
  const catchingUpSince = performance.now();
  let readCount = 0;
  for (let after = 0; ;) {
    const page = (await call(test.broker, "eventstore.list", { after, limit: 1_000 })).events;
    if (page.length === 0) break;
    readCount += page.length;
    after = page.at(-1)!.position;
  }
  const catchUp = readCount / ((performance.now() - catchingUpSince) / 1_000);
  await test.stop();
  printTable(
    "A reader that catches up through eventstore.list, 1,000 at a time",
    ["", "events", "events/s"],
    [["from the beginning", readCount, Math.round(catchUp)]],
  );

  const system = await startSystem({ env: { DATA_DIR: filled } });
  try {
    // A new system counts the whole log; that is measured by `analytics`.
    await eventually(async () => {
      const { body } = await system.request("analytics", "GET", "/api/analytics/projections");
      return (body as { projections: { state: string }[] }).projections.every(({ state }) => state === "current");
    }, 300_000);
    const url = system.url("eventstore");
    await untilAtRest(url);
    const requests = [
      ...readList.map((reading) => ({
        kind: reading.kind,
        requests: [{ method: "GET", url: `${url}${toPath(reading, LIMIT)}` }],
      })),
      ...Array.from({ length: reads }, (_, n) => ({
        kind: "state at a time",
        requests: [{ method: "GET", url: `${url}/events/${STREAM}/state?at_time=${moment(n).toISOString()}` }],
      })),
      ...Array.from({ length: reads }, (_, n) => ({
        kind: "stats since",
        requests: [{ method: "GET", url: `${url}/events/stats?since=${since(n).toISOString()}` }],
      })),
    ];
    await askAll(
      requests.filter((_, n) => n % 10 === 0),
      1,
    );
    const answered = await askAll(requests, 1);
    printTable(
      `Through HTTP, 1 connection, limit ${LIMIT} (${answered.failed} failed)`,
      ["", "asked", "p50 ms", "p99 ms"],
      latencyRows(answered.timed).slice(1),
    );
  } finally {
    await system.stop();
  }
} finally {
  await rm(directory, { recursive: true, force: true });
}
