import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, headers, nanos, type JetStreamManager, type NatsConnection } from "nats";
import { createJetStreamChannels } from "../src/channels/jetstream/jetstream-channels.ts";
import { purgeWhatAllHave } from "../src/channels/jetstream/retention.ts";
import { Link } from "../src/channels/jetstream/link.ts";
import { createNames, type Names } from "../src/channels/jetstream/names.ts";
import { createOutboxWrite, OUTBOX } from "../src/channels/outbox.ts";
import type { ChannelHandler, Channels } from "../src/channels/port.ts";
import { createStoredChannels } from "../src/channels/stored/stored-channels.ts";
import { createClusterSecret, UNSIGNED, type ClusterSecret } from "../src/cluster-secret.ts";
import { openDocumentStore } from "../src/document-store/open.ts";
import type { DocumentStore } from "../src/document-store/port.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { keptReport, removeStreams, testNamespace } from "../../../test/support/jetstream.ts";
import { startTcpProxy } from "../../../test/support/tcp-proxy.ts";
import { collector } from "./channels.world.ts";

const outbox = createOutboxWrite<{ "test.happened": { n: number }; "test.hinted": { n: number } }>();
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

(process.env.NATS_URL ? describe : describe.skip)("what JetStream refuses, forgets and repeats", () => {
  const servers = process.env.NATS_URL!;
  const members: Channels[] = [];
  let documents: DocumentStore;
  let report: ReturnType<typeof keptReport>;
  let namespace: string;
  let names: Names;
  let nc: NatsConnection;
  let jsm: JetStreamManager;

  const member = (handler?: ChannelHandler): Channels => {
    const channels = createJetStreamChannels({ documents, servers, namespace, clientName: "test", report });
    if (handler) channels.subscribe("test.happened", handler);
    members.push(channels);
    return channels;
  };
  const write = (n: number): Promise<unknown> => documents.atomically([outbox("test.happened", { n }, `event-${n}`)]);
  const settled = (channels: Channels) =>
    eventually(async () => {
      const { outbox: waiting, pending } = await channels.depth();
      return waiting + pending === 0;
    });

  beforeEach(async () => {
    documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-channels-")) });
    report = keptReport();
    namespace = testNamespace();
    names = createNames(namespace);
    nc = await connect({ servers });
    jsm = await nc.jetstreamManager();
  });
  afterEach(async () => {
    await Promise.all(members.splice(0).map((channels) => channels.stop()));
    await documents.close();
    await nc.close();
    await removeStreams(servers, namespace);
  });

  test("an event that is published again long after the server forgot its id is not handed out again", async () => {
    const { seen, handler } = collector();
    const channels = member({ group: "one", handler });
    await channels.start();
    await write(1);
    channels.wake();
    await settled(channels);
    const body = { v: 1, event_id: "event-1", channel: "test.happened", occurred_at: new Date(), payload: { n: 1 } };
    // Without an id of the message the server cannot know it.
    for (let time = 0; time < 3; time++)
      await nc.jetstream().publish(names.toEventSubject("test.happened"), JSON.stringify(body));
    await settled(channels);
    expect(seen).toHaveLength(1);
  });

  test("a server that lost its stream gets what the outbox keeps again; groups get what they have not acknowledged, dead letters are there", async () => {
    const [done, waiting] = [collector(), collector()];
    const refusing: ChannelHandler = {
      group: "refusing",
      maxRetries: 0,
      handler: () => Promise.reject(new Error("never")),
    };
    const before = member({ group: "done", handler: done.handler });
    before.subscribe("test.happened", refusing);
    await before.start();
    for (const n of [1, 2, 3]) await write(n);
    before.wake();
    await eventually(async () => done.seen.length === 3 && (await before.depth()).dead === 3);
    await before.drop("refusing:event-3");
    await before.stop();
    await jsm.streams.delete(names.events);

    const after = member({ group: "done", handler: done.handler });
    after.subscribe("test.happened", { group: "waiting", handler: waiting.handler });
    after.subscribe("test.happened", refusing);
    await after.start();
    await eventually(() => waiting.seen.length === 3);
    await settled(after);
    expect([done.numbers(), waiting.numbers()]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect((await after.deadLetters()).map(({ id }) => id).sort()).toEqual(["refusing:event-1", "refusing:event-2"]);
  });

  test.each([
    ["its newest events", [3, 4]],
    ["events before one that took the place of a lost one", [2, 3]],
  ])("a server that lost %s gets those again, though others were published meanwhile", async (_what, lost) => {
    const first = member();
    await first.start();
    for (const n of [1, 2, 3, 4]) await write(n);
    first.wake();
    await eventually(async () => (await first.depth()).outbox === 0);
    await first.stop();
    for (const seq of lost) await jsm.streams.deleteMessage(names.events, seq);
    // A server that lost messages has lost their ids too; this one forgets them by its clock alone.
    await jsm.streams.update(names.events, { duplicate_window: nanos(100) });
    await new Promise((resolve) => setTimeout(resolve, 500));
    for (let time = 0; time < 3; time++) await nc.jetstream().publish(names.toEventSubject("other"), "{}");

    const { seen, handler, numbers } = collector();
    const after = member({ group: "one", handler });
    await after.start();
    await eventually(() => seen.length === 4);
    expect(numbers()).toEqual([1, 2, 3, 4]);
  });

  test("a system that goes over to NATS does nothing twice and leaves nothing behind", async () => {
    const { handler, numbers } = collector();
    let isBroken = false;
    const failing: ChannelHandler = {
      group: "failing",
      maxRetries: 0,
      handler: async (event) => {
        if (isBroken) throw new Error("never");
        await handler(event);
      },
    };
    const stored = createStoredChannels({ documents, report });
    stored.subscribe("test.happened", failing);
    await stored.start();
    await write(1);
    stored.wake();
    await eventually(async () => numbers().length === 1 && (await stored.depth()).pending === 0);
    isBroken = true;
    for (const n of [2, 4]) await write(n);
    stored.wake();
    await eventually(async () => (await stored.depth()).dead === 2);
    expect(await stored.drop("failing:event-4")).toBe(true);
    expect(await stored.drop("failing:event-4")).toBe(false);
    await stored.stop();
    await write(3);
    isBroken = false;

    const channels = member(failing);
    await channels.start();
    await eventually(() => numbers().includes(3));
    await settled(channels);
    expect((await channels.deadLetters()).map(({ id }) => id)).toEqual(["failing:event-2"]);
    expect(await channels.replay("failing:event-2")).toBe(true);
    await eventually(() => numbers().length === 3);
    expect(numbers()).toEqual([1, 2, 3]);
  });

  test("deliveries that no handler was given use up no retries, also of a replay", async () => {
    const given: number[] = [];
    let failures = 2;
    const handler: ChannelHandler = {
      group: "one",
      maxRetries: 1,
      handler: async ({ payload }) => {
        given.push(payload.n as number);
        if (failures-- > 0) throw new Error("not yet");
      },
    };
    // As a member does that stops with messages in hand.
    const giveBackOften = async (): Promise<void> => {
      const consumer = await nc.jetstream().consumers.get(names.events, names.toConsumer("test.happened", "one"));
      for (let time = 0; time < 20; time++) (await consumer.next({ expires: 5_000 }))?.nak();
    };
    const before = member(handler);
    await before.start();
    await eventually(() =>
      jsm.consumers.info(names.events, names.toConsumer("test.happened", "one")).then(
        () => true,
        () => false,
      ),
    );
    await before.stop();
    const writer = member();
    await writer.start();
    await write(1);
    writer.wake();
    await giveBackOften();

    const first = member(handler);
    await first.start();
    await eventually(async () => (await first.deadLetters()).length === 1);
    expect([given, (await first.deadLetters())[0]!.attempts]).toEqual([[1, 1], 2]);
    await first.stop();
    failures = 1;
    expect(await writer.replay("one:event-1")).toBe(true);
    await giveBackOften();
    const second = member(handler);
    await second.start();
    await eventually(() => given.length === 4);
    await settled(second);
    expect(await second.depth()).toMatchObject({ pending: 0, dead: 0 });
  });

  test("events are removed after seven days or as their contract says, but not before every group has them", async () => {
    const channels = member({ group: "one", handler: collector().handler });
    await channels.start();
    await write(1);
    channels.wake();
    await settled(channels);
    await channels.stop();
    const writer = member();
    await writer.start();
    await write(2);
    await documents.atomically([outbox("test.hinted", { n: 3 })]);
    writer.wake();
    await eventually(async () => (await writer.depth()).outbox === 0);
    const kept = async () => (await jsm.streams.info(names.events)).state.messages;
    const link = await Link.open({ servers, clientName: "test", names, onLoss: () => undefined });
    const keptMs = (channel: string) => (channel === "test.hinted" ? HOUR_MS : 7 * DAY_MS);
    const purge = (now: number) => purgeWhatAllHave(link, keptMs, now);
    try {
      await purge(Date.now());
      expect(await kept()).toBe(3);
      await purge(Date.now() + 6 * DAY_MS);
      expect(await kept()).toBe(2);
      await purge(Date.now() + 8 * DAY_MS);
      expect(await kept()).toBe(1);
      const { seen, handler } = collector();
      const back = member({ group: "one", handler });
      await back.start();
      await eventually(() => seen.length === 1);
      await settled(back);
      await purge(Date.now() + 8 * DAY_MS);
      expect(await kept()).toBe(0);
    } finally {
      await link.close();
    }
  });

  test("a server that hangs is left within 15 s, as Moleculer's connection leaves it", async () => {
    const proxy = await startTcpProxy(servers);
    const link = await Link.open({ servers: proxy.url, clientName: "test", names, onLoss: () => undefined });
    try {
      const frozenAt = performance.now();
      proxy.freeze();
      await eventually(() => !link.isConnected, 20_000);
      expect(performance.now() - frozenAt).toBeLessThan(17_000);
    } finally {
      await link.close();
      await proxy.close();
    }
  }, 60_000);

  test("what another process wrote is left to it at first, and relayed if it does not", async () => {
    const { seen, handler } = collector();
    const channels = member({ group: "one", handler });
    await channels.start();
    await documents.atomically([
      outbox("test.happened", { n: 1 }, "event-1"),
      {
        collection: OUTBOX,
        updateOne: { filter: { _id: "event-1" }, update: { $set: { writer: "another" } } },
      },
    ]);
    await write(2);
    channels.wake();
    await eventually(() => seen.length === 2);
    expect(seen.map(({ event_id: id }) => id)).toEqual(["event-2", "event-1"]);
  });

  test("an event that is larger than the server takes waits in the outbox, with a warning, and keeps no other there", async () => {
    const { seen, handler } = collector();
    const channels = member({ group: "one", handler });
    await channels.start();
    const large = createOutboxWrite<{ "test.happened": { text: string } }>();
    await documents.atomically([large("test.happened", { text: "x".repeat(nc.info!.max_payload) }, "large")]);
    await write(1);
    channels.wake();
    await eventually(async () => seen.length === 1 && (await channels.depth()).outbox === 1);
    expect(report.troubles).toContainEqual(expect.objectContaining({ code: "MAX_PAYLOAD_EXCEEDED" }));
  });

  test("a consumer that another version made with other numbers gets ours", async () => {
    const { seen, handler } = collector();
    const other = createJetStreamChannels({
      documents,
      servers,
      namespace,
      clientName: "test",
      report,
      ackWaitMs: 60_000,
    });
    other.subscribe("test.happened", { group: "one", handler });
    members.push(other);
    await other.start();
    const ackWait = async () =>
      (await jsm.consumers.info(names.events, names.toConsumer("test.happened", "one"))).config.ack_wait;
    await eventually(async () => (await ackWait()) === nanos(60_000));
    await other.stop();
    await member({ group: "one", handler }).start();
    await eventually(async () => (await ackWait()) === nanos(15_000));
    await write(1);
    members.at(-1)!.wake();
    await eventually(() => seen.length === 1);
  });

  test("a message that is no event of ours is put aside, and the others come through", async () => {
    const { seen, handler } = collector();
    const channels = member({ group: "one", handler });
    await channels.start();
    await nc.jetstream().publish(names.toEventSubject("test.happened"), "not an event");
    await write(1);
    channels.wake();
    await settled(channels);
    expect(seen).toHaveLength(1);
    expect(report.strangers).toEqual([{ channel: "test.happened", group: "one", sequence: expect.any(Number) }]);
    expect(report.troubles).toEqual([]);
  });

  test("an event that no process of this system has signed is not handled, and waits for its secret", async () => {
    const { seen, handler } = collector();
    const secretOf = (...secrets: string[]) => createClusterSecret(secrets, namespace, "events");
    const open = async (secret: ClusterSecret | undefined, group?: string) => {
      const channels = createJetStreamChannels({ documents, servers, namespace, secret, clientName: "test", report });
      if (group) channels.subscribe("test.happened", { group, handler });
      members.push(channels);
      await channels.start();
      return channels;
    };
    const channels = await open(secretOf("new", "old"), "one");
    const subject = names.toEventSubject("test.happened");
    const forged = { v: 1, event_id: "forged", channel: "test.happened", occurred_at: new Date(), payload: { n: 9 } };
    await nc.jetstream().publish(subject, JSON.stringify(forged));
    const stolen = headers();
    const signature = secretOf("stranger's").sign!(`${subject}\0`, Buffer.from(JSON.stringify(forged)));
    stolen.set("Partline-Signature", signature.toString("base64url"));
    await nc.jetstream().publish(subject, JSON.stringify({ ...forged, event_id: "other" }), { headers: stolen });
    // What a process before a change of the secret has published is still known.
    const elder = await open(secretOf("old"));
    await write(1);
    elder.wake();
    await eventually(() => seen.length === 1 && report.forgeries.length === 2);
    expect(report.forgeries.map((error) => (error as Error).message)).toEqual([
      expect.stringMatching(/^It is unsigned \(/),
      expect.stringMatching(/^It is of another secret \(/),
    ]);
    await channels.stop();
    // A group of a process that takes unsigned events, as while nodes get their first secret.
    await open(secretOf("new", "old", UNSIGNED), "two");
    await eventually(() => seen.length === 3);
    expect(seen.map(({ event_id: id }) => id)).toEqual(["event-1", "forged", "event-1"]);
  });
});
