import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NodeSample } from "../../broker/telemetry/sample.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import { DocumentStoreError, type DocumentStore } from "../../mixins/document-store/port.ts";
import { HOURS, INCIDENTS, MINUTES, RUNS, type Account, type IncidentDocument, type NodeRun } from "../../services/health-analytics/collections.ts";
import { createHistory } from "../../services/health-analytics/history.ts";
import { createRecorder } from "../../services/health-analytics/recorder.ts";
import { createWatch } from "../../services/health-analytics/watch.ts";
import { sampleOf } from "../unit/health-analytics.support.ts";
import { mongoTestUrl } from "../support/mongo.ts";

const MINUTE = 60_000;

// Expiry is by the real clock, so the days of these tests are today's.
describe.each(process.env.MONGO_URL ? ["embedded", "mongo"] : ["embedded"])("The watch (%s)", (backend) => {
  let documents: DocumentStore;
  let t0: number;
  beforeEach(async () => {
    documents = await openDocumentStore({
      dataDir: mkdtempSync(join(tmpdir(), "partline-watch-")), ...(backend === "mongo" ? { mongoUrl: mongoTestUrl("watch") } : {}),
    });
    t0 = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3 * 3_600_000;
  });
  afterEach(() => documents.close());

  const at = (seconds: number): Date => new Date(t0 + seconds * 1_000);
  const recorder = (store = documents, errors: unknown[] = []) => createRecorder(store, (error) => errors.push(error));
  const tell = (seconds: number, over: Partial<NodeSample> = {}, by = recorder()) => by.hear(sampleOf({ startedAt: at(0), at: at(seconds), ...over }), at(seconds));
  const turn = (seconds: number) => createWatch(documents).turn(at(seconds));
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
    // The watcher itself was away.
    await turn(100);
    for (let seconds = 105; seconds <= 140; seconds += 5) await turn(seconds);
    expect(await incidents()).toEqual([]);
    expect((await documents.collection<NodeRun>(RUNS).findOne({ node: "shop-1" }))?.leftAt).toEqual(at(3));
  });

  it("keeps each sample once when several hear it at once", async () => {
    const three = [recorder(), recorder(), recorder()];
    for (const seconds of [1, 2, 3, 4]) await Promise.all(three.map((each) => tell(seconds, {}, each)));
    await tell(2);
    expect(total(await documents.collection<Account>(MINUTES).find({}))).toBe(4);
  });

  it("keeps what came while the store was away, in order, when it is back", async () => {
    let isAway = false;
    const errors: unknown[] = [];
    const sometimes = { ...documents, collection: documents.collection.bind(documents), atomically: (writes: Parameters<DocumentStore["atomically"]>[0]) =>
      isAway ? Promise.reject(new DocumentStoreError("UNAVAILABLE", "away")) : documents.atomically(writes) } as DocumentStore;
    const waiting = recorder(sometimes, errors);
    await tell(0, {}, waiting);
    isAway = true;
    for (const seconds of [5, 10]) await tell(seconds, { failing: ["documents"] }, waiting);
    expect(errors).toHaveLength(2);
    isAway = false;
    await tell(15, {}, waiting);
    expect(total(await documents.collection<Account>(MINUTES).find({}))).toBe(4);
    const run = await documents.collection<NodeRun>(RUNS).findOne({ node: "shop-1" });
    expect(run?.troubles).toMatchObject([{ kind: "dependency", subject: "documents", since: at(5).getTime(), until: at(15).getTime() }]);
  });

  it("adds settled minutes up to hours, and histories are the same from either", async () => {
    const traffic = (count: number): NodeSample["traffic"] => [{ entry: "payment", method: "GET", route: "/api/x", count, errors: 0, sum: count, buckets: [count, ...Array<number>(14).fill(0)] }];
    for (const minute of [0, 1, 59, 60, 61, 119, 121]) await tell(minute * 60, { traffic: traffic(minute + 1) });
    const history = createHistory(documents);
    const whole = { from: at(0), to: new Date(t0 + 180 * MINUTE) };
    const part = { from: at(60), to: new Date(t0 + 120 * MINUTE) };
    const requests = (accounts: Account[]) => accounts.flatMap((account) => account.traffic).reduce((sum, { count }) => sum + count, 0);
    const read = async () => [requests(await history.read(whole)), requests(await history.read(part))];
    const before = await read();
    expect(before).toEqual([1 + 2 + 60 + 61 + 62 + 120 + 122, 2 + 60 + 61 + 62 + 120]);
    await turn(69 * 60);
    expect(await documents.collection<Account>(HOURS).count({})).toBe(0);
    for (const minute of [130, 131, 132]) await turn(minute * 60);
    const hours = await documents.collection<Account>(HOURS).find({}, { sort: { at: 1 } });
    expect(hours.map(({ at: begin, samples }) => [begin, samples])).toEqual([[at(0), 3], [at(3_600), 3]]);
    // Minutes of what is added up are not needed any more.
    await documents.collection<Account>(MINUTES).deleteMany({ at: { $gt: at(3_600), $lt: at(7_000) } });
    expect(await read()).toEqual(before);
  });

  it("moves the ends of a period outwards to whole hours where minutes are not kept any more", () => {
    const { whole } = createHistory(documents);
    const now = at(0);
    const ago = (days: number, seconds: number): Date => new Date(now.getTime() - days * 86_400_000 + seconds * 1_000);
    expect(whole({ from: ago(9, 61), to: ago(8, 61) }, now)).toEqual({ from: ago(9, 0), to: ago(8, 3_600) });
    expect(whole({ from: ago(6, 60), to: ago(5, 60) }, now)).toEqual({ from: ago(6, 60), to: ago(5, 60) });
  });
});
