import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeSample } from "../../broker/telemetry/sample.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { type DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import {
  DAY_MS,
  INCIDENTS,
  LEVELS,
  RUNS,
  type Account,
  type IncidentDocument,
  type NodeRun,
  type TrafficAccount,
} from "../../services/health-analytics/collections.ts";
import { createHistory } from "../../services/health-analytics/history.ts";
import { createRecorder } from "../../services/health-analytics/recorder.ts";
import { createWatch } from "../../services/health-analytics/watch.ts";
import { sampleOf } from "../unit/health-analytics.support.ts";
import { eventually } from "../support/eventually.ts";
import { mongoSetting } from "../support/mongo.ts";
import { storeAway } from "../support/store-away.ts";

// Expiry is by the real clock, so the days of these tests are today's.
describe("The watch", () => {
  let documents: DocumentStore;
  let t0: number;
  beforeEach(async () => {
    documents = await openDocumentStore({
      dataDir: mkdtempSync(join(tmpdir(), "partline-watch-")),
      mongoUrl: mongoSetting("watch").MONGO_URL,
    });
    t0 = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * 3_600_000;
  });
  afterEach(() => documents.close());

  const at = (seconds: number): Date => new Date(t0 + seconds * 1_000);
  const recorder = (store = documents, errors: unknown[] = []) => createRecorder(store, (error) => errors.push(error));
  const tell = (seconds: number, over: Partial<NodeSample> = {}, by = recorder()) =>
    by.hear(sampleOf({ startedAt: at(0), at: at(seconds), ...over }), at(seconds));
  /** Of a process that listens from `listening` on. */
  const turn = (seconds: number, listening = -3_600, by = recorder()) =>
    createWatch(documents, at(listening), by.lastHeard).turn(at(seconds));
  const incidents = () => documents.collection<IncidentDocument>(INCIDENTS).find({}, { sort: { startedAt: 1 } });
  const total = (accounts: readonly Account[]) => accounts.reduce((sum, { samples }) => sum + samples, 0);

  it("finds a node that was killed within 20 seconds, once though several look, and ends the incident when its successor is there", async () => {
    for (const seconds of [0, 5, 10]) {
      await tell(seconds);
      await turn(seconds);
    }
    await turn(15);
    await turn(20);
    await turn(25);
    expect(await incidents()).toEqual([]);
    await Promise.all([turn(30), turn(30), turn(30)]);
    expect(await incidents()).toMatchObject([{ kind: "node", nodes: ["shop-1"], startedAt: at(10), isOpen: true }]);
    await turn(35);
    await tell(41, { node: "shop-9", startedAt: at(38) });
    await turn(41);
    expect(await incidents()).toMatchObject([{ endedAt: at(38), isOpen: false, spells: 1 }]);
  });

  it("takes nobody for lost who said goodbye, nor those whom it could not hear", async () => {
    await turn(0);
    await tell(0);
    await tell(0, { node: "shop-2", services: ["cart"] });
    await tell(3, { leaving: true, entryPoints: [] });
    // The watcher was away, and another process is the next.
    for (let seconds = 100; seconds <= 140; seconds += 5) await turn(seconds, 98);
    expect(await incidents()).toEqual([]);
    expect((await documents.collection<NodeRun>(RUNS).findOne({ node: "shop-1" }))?.leftAt).toEqual(at(3));
  });

  it("finds who was lost while the store was away, and takes nobody for lost of whom samples wait", async () => {
    await turn(0);
    await tell(0);
    await tell(0, { node: "shop-2", services: ["cart"] });
    // No turn could be made until now.
    await turn(60);
    for (let seconds = 65; seconds <= 80; seconds += 5) {
      await tell(seconds, { node: "shop-2", services: ["cart"] });
      await turn(seconds);
    }
    expect(await incidents()).toMatchObject([{ kind: "node", nodes: ["shop-1"], startedAt: at(0), isOpen: true }]);
  });

  it("takes nobody for lost whom this process hears, though the store takes the watch's writes and no samples", async () => {
    const slow = recorder(storeAway(documents, (operation) => operation === "atomically"));
    await turn(0);
    await tell(0);
    await tell(0, { node: "shop-2", services: ["cart"] });
    for (let seconds = 5; seconds <= 40; seconds += 5) {
      await tell(seconds, {}, slow);
      await turn(seconds, -3_600, slow);
    }
    expect(await incidents()).toMatchObject([{ kind: "node", nodes: ["shop-2"], startedAt: at(0) }]);
  });

  it("keeps what came while the store was away, in order, when it is back", async () => {
    let isAway = false;
    const errors: unknown[] = [];
    const sometimes = storeAway(documents, (operation) => isAway && operation === "atomically");
    const waiting = recorder(sometimes, errors);
    await tell(0, {}, waiting);
    isAway = true;
    for (const seconds of [5, 10]) await tell(seconds, { failing: ["documents"] }, waiting);
    expect(errors).toHaveLength(2);
    isAway = false;
    await tell(15, {}, waiting);
    expect(total(await documents.collection<Account>(LEVELS.minute.accounts).find({}))).toBe(4);
    const run = await documents.collection<NodeRun>(RUNS).findOne({ node: "shop-1" });
    expect(run?.troubles).toMatchObject([
      { kind: "dependency", subject: "documents", since: at(5).getTime(), until: at(15).getTime() },
    ]);
  });

  it("keeps the goodbye of who left while the store was away as soon as it keeps anything", async () => {
    let isAway = false;
    const sometimes = storeAway(documents, (operation) => isAway && operation === "atomically");
    const waiting = recorder(sometimes);
    await tell(0, {}, waiting);
    await tell(0, { node: "shop-2" }, waiting);
    isAway = true;
    await tell(3, { leaving: true, entryPoints: [] }, waiting);
    isAway = false;
    await tell(5, { node: "shop-2" }, waiting);
    const left = await eventually(
      async () => (await documents.collection<NodeRun>(RUNS).findOne({ node: "shop-1" }))?.leftAt,
    );
    expect(left).toEqual(at(3));
  });

  it("keeps the latest five minutes of what came while the store did not answer, beside what it was given then", async () => {
    const away = Promise.withResolvers<void>();
    const isKept = async (seconds: number): Promise<boolean> => {
      const [minute] = await documents.collection<Account>(LEVELS.minute.accounts).find({ at: at(seconds) });
      return minute !== undefined;
    };
    const slow = {
      ...documents,
      collection: documents.collection.bind(documents),
      atomically: async (writes: Parameters<DocumentStore["atomically"]>[0]) => {
        await away.promise;
        return documents.atomically(writes);
      },
    };
    const errors: unknown[] = [];
    const waiting = recorder(slow, errors);
    // One a minute: the first is with the store, of the others sixty wait.
    const told = Array.from({ length: 63 }, (_, minute) => tell(minute * 60, {}, waiting));
    away.resolve();
    await Promise.all(told);
    const kept = await Promise.all(told.map(async (_, minute) => ((await isKept(minute * 60)) ? [] : [minute])));
    expect({ lost: kept.flat(), errors }).toEqual({ lost: [1, 2], errors: [] });
  });

  it("adds settled minutes up to hours and these to days, and histories are the same from either", async () => {
    const traffic = (count: number): NodeSample["traffic"] => [
      {
        entry: "payment",
        method: "GET",
        route: "/api/x",
        count,
        errors: 0,
        sum: count,
        buckets: [count, ...Array<number>(14).fill(0)],
      },
    ];
    // Of the day before yesterday, beginning at midnight; a node that ran twice, beside another.
    t0 = Math.floor(Date.now() / DAY_MS) * DAY_MS - 2 * DAY_MS;
    const told = [0, 1, 59, 60, 61, 119, 121, 1_439, 1_440];
    for (const minute of told) await tell(minute * 60, { traffic: traffic(minute + 1) });
    await tell(60, { node: "shop-2", traffic: traffic(5) });
    const history = createHistory(documents);
    const read = async (fromMinute: number, toMinute: number) => {
      const span = { from: at(fromMinute * 60), to: at(toMinute * 60) };
      const [routes, accounts] = [await history.readTraffic(span), await history.read(span, "day")];
      expect(accounts.reduce((sum, { answers }) => sum + answers.count, 0)).toBe(
        routes.reduce((sum, { count }) => sum + count, 0),
      );
      return [routes.reduce((sum, { count }) => sum + count, 0), total(accounts)];
    };
    const periods = [
      [0, 2_880],
      [0, 1_440],
      [1, 180],
      [59, 61],
      [60, 1_441],
    ] as const;
    const expected = periods.map(([from, to]) => {
      const within = told.filter((minute) => minute >= from && minute < to);
      const other = from <= 1 && to > 1;
      return [within.reduce((sum, minute) => sum + minute + 1, 0) + (other ? 5 : 0), within.length + (other ? 1 : 0)];
    });
    const readAll = async () => {
      const found: number[][] = [];
      for (const [from, to] of periods) found.push(await read(from, to));
      return found;
    };
    expect(await readAll()).toEqual(expected);

    const kept = (level: "hour" | "day") =>
      documents.collection<Account>(LEVELS[level].accounts).find({}, { sort: { at: 1 } });
    await turn(69 * 60);
    expect(await kept("hour")).toEqual([]);
    // One hour or day at a turn.
    for (let minute = 1_520; minute < 1_530; minute += 1) await turn(minute * 60);
    expect((await kept("hour")).map(({ at: begin, node, samples }) => [begin, node, samples])).toEqual([
      [at(0), "shop-1", 3],
      [at(0), "shop-2", 1],
      [at(3_600), "shop-1", 3],
      [at(7_200), "shop-1", 1],
      [at(82_800), "shop-1", 1],
      [at(86_400), "shop-1", 1],
    ]);
    expect((await kept("day")).map(({ at: begin, node, samples }) => [begin, node, samples])).toEqual([
      [at(0), "shop-1", 8],
      [at(0), "shop-2", 1],
    ]);
    expect(await readAll()).toEqual(expected);
    // The day is read whole: what it was made of is not asked again.
    await documents.collection<TrafficAccount>(LEVELS.hour.traffic).deleteMany({ at: { $lt: at(86_400) } });
    await documents.collection<Account>(LEVELS.hour.accounts).deleteMany({ at: { $lt: at(86_400) } });
    expect(await read(0, 1_440)).toEqual(expected[1]);
  });
});
