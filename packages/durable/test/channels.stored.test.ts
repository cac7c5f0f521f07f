import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtempSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DELIVERIES, type DeliveryRow } from "../src/channels/deliveries.ts";
import { OUTBOX, createOutboxWrite } from "../src/channels/outbox.ts";
import type { ChannelHandler, Channels } from "../src/channels/port.ts";
import { GROUPS, type GroupRow } from "../src/channels/stored/relay.ts";
import { createStoredChannels } from "../src/channels/stored/stored-channels.ts";
import { openDocumentStore } from "../src/document-store/open.ts";
import type { DocumentStore } from "../src/document-store/port.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { keptReport } from "../../../test/support/jetstream.ts";
import { mongoTestUrl } from "../../../test/support/mongo.ts";
import { channelsContract } from "./channels.contract.ts";
import type { ChannelsUnderTest } from "./channels.world.ts";
import { quietReport } from "../../../test/support/quiet-report.ts";

function world(documents: DocumentStore): ChannelsUnderTest {
  const report = keptReport();
  return {
    documents,
    report,
    open: (options) => createStoredChannels({ documents, report, ...options }),
    close: () => documents.close(),
  };
}

channelsContract("over the embedded store", async () => {
  const documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-channels-")) });
  return world(documents);
});

(process.env.MONGO_URL ? describe : describe.skip)("with MongoDB", () => {
  channelsContract("over MongoDB", async () => {
    const mongoUrl = mongoTestUrl("channels");
    const documents = await openDocumentStore({ mongoUrl, dataDir: tmpdir() });
    return world(documents);
  });
});

describe("what a crash or a slow member leaves", () => {
  const outbox = createOutboxWrite<{ "test.happened": { n: number } }>();
  const members: Channels[] = [];
  let dataDir: string;
  let documents: DocumentStore;

  const member = (handler: ChannelHandler): Channels => {
    const channels = createStoredChannels({ documents, report: quietReport });
    channels.subscribe("test.happened", handler);
    members.push(channels);
    return channels;
  };

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "partline-channels-"));
    documents = await openDocumentStore({ dataDir });
  });
  afterEach(async () => {
    await Promise.all(members.splice(0).map((channels) => channels.stop()));
    await documents.close();
  });

  test("a group that is ended as docs/operations.md says is waited for no more, and others keep what waits", async () => {
    const write = (n: number) => documents.atomically([outbox("test.happened", { n })]);
    const failing = (group: string): ChannelHandler => ({ group, handler: () => Promise.reject(new Error("away")) });
    const ofOthers = member(failing("other"));
    await ofOthers.start();
    const gone = member(failing("webhook"));
    await gone.start();
    await write(1);
    await eventually(async () => (await gone.depth()).pending === 2);
    await Promise.all(members.splice(0).map((channels) => channels.stop()));
    await documents.close();

    const database = new DatabaseSync(join(dataDir, "documents.sqlite"));
    const statements = readFileSync("docs/operations.md", "utf8").match(/DELETE FROM channel_.*;/g)!;
    for (const statement of statements) database.exec(statement);
    database.close();
    documents = await openDocumentStore({ dataDir });
    const last = member(failing("other"));
    await last.start();
    await write(2);
    last.wake();
    await eventually(async () => (await last.depth()).outbox === 0);
    expect(statements).toHaveLength(2);
    expect(await last.queues()).toEqual([{ channel: "test.happened", group: "other", pending: 2 }]);
  });

  test("a group whose process died while it was registered gets the older events at the next start", async () => {
    await documents.atomically([outbox("test.happened", { n: 1 }, "older")]);
    await documents.collection(OUTBOX).updateOne({ _id: "older" }, { $set: { state: "relayed" } });
    await documents
      .collection<GroupRow>(GROUPS)
      .insertOne({ _id: "test.happened:cut-off", channel: "test.happened", group: "cut-off" });
    const seen: string[] = [];
    await member({ group: "cut-off", handler: async (event) => void seen.push(event.event_id) }).start();
    await eventually(() => seen.length > 0);
    expect(seen).toEqual(["older"]);
  });

  test("what waited too long behind a slow event is handled after it as if it came then", async () => {
    const attempts: number[] = [];
    const freed = Promise.withResolvers<void>();
    const channels = createStoredChannels({ documents, report: quietReport, ackWaitMs: 2_000 });
    members.push(channels);
    const begun = Promise.withResolvers<void>();
    channels.subscribe("test.happened", {
      group: "slow",
      concurrency: 1,
      handler: async ({ event_id }) => {
        attempts.push(
          (await documents.collection<DeliveryRow>(DELIVERIES).findOne({ _id: `slow:${event_id}` }))!.attempts,
        );
        begun.resolve();
        if (attempts.length === 1) await freed.promise;
      },
    });
    await channels.start();
    await documents.atomically([1, 2, 3].map((n) => outbox("test.happened", { n })));
    channels.wake();
    await begun.promise;
    // Longer than half of the lease.
    await eventually(async () => {
      const rows = await documents.collection<DeliveryRow>(DELIVERIES).find({ group: "slow" });
      return rows.some(({ dueAt }) => dueAt.getTime() - Date.now() < 800);
    });
    freed.resolve();
    await eventually(() => attempts.length === 3);
    expect(attempts).toEqual([1, 1, 1]);
  });

  test("a member that fails after another has done its work does not make a dead letter of it", async () => {
    const slow = Promise.withResolvers<void>();
    let runs = 0;
    const handler: ChannelHandler = {
      group: "one",
      maxRetries: 0,
      handler: () => (++runs === 1 ? slow.promise : Promise.resolve()),
    };
    const [first, second] = [member(handler), member(handler)];
    await first.start();
    await second.start();
    await documents.atomically([outbox("test.happened", { n: 1 })]);
    first.wake();
    await eventually(() => runs === 1);
    // Its time is up.
    await documents.collection<DeliveryRow>(DELIVERIES).updateMany({}, { $set: { dueAt: new Date() } });
    second.wake();
    await eventually(async () => (await second.depth()).pending === 0);
    slow.reject(new Error("too late"));
    await first.stop();
    expect(await second.deadLetters()).toEqual([]);
  });

  test("an event whose handling ends its process each time is a dead letter in the end", async () => {
    let handled = 0;
    const poisoned = { group: "one", maxRetries: 1, handler: async () => void handled++ };
    const first = member(poisoned);
    await first.start();
    await first.stop();
    await documents.collection<DeliveryRow>(DELIVERIES).insertOne({
      _id: "one:poison",
      channel: "test.happened",
      group: "one",
      eventId: "poison",
      occurredAt: new Date(),
      payload: {},
      state: "pending",
      attempts: 7,
      dueAt: new Date(),
    });
    const next = member(poisoned);
    await next.start();
    const [letter] = await eventually(async () => {
      const letters = await next.deadLetters();
      return letters.length > 0 && letters;
    });
    expect(letter).toMatchObject({
      id: "one:poison",
      reason: "Each time the process ended while it handled the event",
    });
    expect(handled).toBe(0);
  });

  test("at rest it asks for what is due once a turn, however many groups it has", async () => {
    let asked = 0;
    const deliveries = documents.collection<DeliveryRow>(DELIVERIES);
    const find = deliveries.find.bind(deliveries);
    deliveries.find = (...query) => {
      asked++;
      return find(...query);
    };
    const channels = member({ group: "one", handler: async () => undefined });
    for (let n = 0; n < 12; n++) channels.subscribe(`test.also-${n}`, { group: "one", handler: async () => undefined });
    await channels.start();
    // It ends the first turn.
    await channels.stop();
    expect(asked).toBe(1);
  });

  test("a long queue of one group keeps nothing from the others", async () => {
    const stuck = Promise.withResolvers<void>();
    const seen: string[] = [];
    const channels = member({ group: "slow", handler: () => stuck.promise });
    channels.subscribe("test.other", { group: "quick", handler: async (event) => void seen.push(event.event_id) });
    await channels.start();
    await documents.atomically(Array.from({ length: 150 }, (_, n) => outbox("test.happened", { n })));
    await documents.atomically([createOutboxWrite<Record<string, object>>()("test.other", {}, "other")]);
    channels.wake();
    await eventually(() => seen.length > 0);
    stuck.resolve();
    await eventually(async () => (await channels.depth()).pending === 0);
    expect(seen).toEqual(["other"]);
  });

  test("what is due has its turn while events keep coming faster than they are relayed", async () => {
    const noise = () =>
      Array.from({ length: 200 }, () => createOutboxWrite<Record<string, object>>()("test.noise", {}));
    const rows = documents.collection(OUTBOX);
    const marked = rows.bulkWrite.bind(rows);
    let rounds = 0;
    let handledIn = 0;
    rows.bulkWrite = async (writes) => {
      if (handledIn === 0 && ++rounds < 20) await documents.atomically(noise());
      return marked(writes);
    };
    await documents.atomically([outbox("test.happened", { n: 1 }), ...noise()]);
    // A group that is new gets what is there already through the store.
    await member({ group: "new", handler: async () => void (handledIn = rounds) }).start();
    await eventually(() => handledIn > 0);
    expect(handledIn).toBeLessThan(5);
  });

  test("a consumer that comes after the start gets its group's events", async () => {
    const channels = member({ group: "one", handler: async () => undefined });
    await channels.start();
    const seen: string[] = [];
    channels.subscribe("test.happened", { group: "late", handler: async (event) => void seen.push(event.event_id) });
    await documents.atomically([outbox("test.happened", { n: 1 }, "after")]);
    channels.wake();
    await eventually(() => seen.length > 0);
    expect(seen).toEqual(["after"]);
  });
});
