import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, DiscardPolicy, type JetStreamManager, type NatsConnection } from "nats";
import { DELIVERIES, type DeliveryRow } from "../../broker/channels/deliveries.ts";
import { createJetStreamChannels } from "../../broker/channels/jetstream/jetstream-channels.ts";
import { namesFor, type Names } from "../../broker/channels/jetstream/names.ts";
import { outboxWrite } from "../../broker/channels/outbox.ts";
import type { ChannelHandler, Channels } from "../../broker/channels/port.ts";
import { createStoredChannels } from "../../broker/channels/stored/stored-channels.ts";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { eventually } from "../support/eventually.ts";
import { keptReport, removeStreams, testNamespace } from "../support/jetstream.ts";
import { collector } from "./channels.world.ts";

const outbox = outboxWrite<{ "test.happened": { n: number } }>();

(process.env.NATS_URL ? describe : describe.skip)("what is relayed to JetStream", () => {
  const servers = process.env.NATS_URL!;
  const members: Channels[] = [];
  let documents: DocumentStore;
  let report: ReturnType<typeof keptReport>;
  let namespace: string;
  let names: Names;
  let nc: NatsConnection;
  let jsm: JetStreamManager;

  const member = async (handler?: ChannelHandler): Promise<Channels> => {
    const channels = createJetStreamChannels({ documents, servers, namespace, clientName: "test", report });
    if (handler) channels.subscribe("test.happened", handler);
    members.push(channels);
    await channels.start();
    return channels;
  };
  const write = (n: number): Promise<unknown> => documents.atomically([outbox("test.happened", { n }, `event-${n}`)]);
  const letters = async (channels: Channels): Promise<string[]> =>
    (await channels.deadLetters()).map(({ id }) => id).sort();
  /** Dead letters of a system that had its channels over the store. */
  const die = async (...numbers: number[]): Promise<void> => {
    const stored = createStoredChannels({ documents, report });
    stored.subscribe("test.happened", {
      group: "one",
      maxRetries: 0,
      handler: () => Promise.reject(new Error("never")),
    });
    await stored.start();
    for (const n of numbers) await write(n);
    stored.wake();
    await eventually(async () => (await stored.depth()).dead === numbers.length);
    await stored.stop();
  };

  beforeEach(async () => {
    documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-channels-")) });
    report = keptReport();
    namespace = testNamespace();
    names = namesFor(namespace);
    nc = await connect({ servers });
    jsm = await nc.jetstreamManager();
  });
  afterEach(async () => {
    await Promise.all(members.splice(0).map((channels) => channels.stop()));
    await documents.close();
    await nc.close();
    await removeStreams(servers, namespace);
  });

  test("is told of where it goes to another stream than before, which a NATS that was made anew has, and so has a wrong one", async () => {
    await write(1);
    const { handler, numbers } = collector();
    await (await member({ group: "one", handler })).stop();
    await (await member({ group: "one", handler })).stop();
    expect(report.otherStreams).toEqual([]);
    await jsm.streams.delete(names.events);
    await write(2);
    await member({ group: "one", handler });
    await eventually(() => numbers().includes(2));
    expect(report.otherStreams).toEqual([names.events]);
  });

  test("has every dead letter that the store knows of, though a process was cut off while it took them along to a new stream", async () => {
    await die(1, 2);
    const deliveries = documents.collection<DeliveryRow>(DELIVERIES);
    const iterate = deliveries.iterate.bind(deliveries);
    let isCutOff = true;
    deliveries.iterate = async function* (...query) {
      for await (const row of iterate(...query)) {
        yield row;
        if (isCutOff) throw new Error("cut off");
      }
    };
    const first = await member();
    await eventually(() => report.troubles.some((trouble) => String(trouble).includes("cut off")));
    expect(await letters(first)).toHaveLength(1);
    await first.stop();
    isCutOff = false;
    const second = await member();
    await eventually(async () => (await letters(second)).length === 2);
  });

  test("goes on where the stream of dead letters is full, which is told, and the letters follow at a start when there is room", async () => {
    await die(1, 2);
    await jsm.streams.add({
      name: names.dead,
      subjects: [names.allDead],
      max_msgs_per_subject: 1,
      max_msgs: 1,
      discard: DiscardPolicy.New,
    });
    await write(3);
    const { handler, numbers } = collector();
    const first = await member({ group: "one", handler });
    await eventually(() => numbers().includes(3));
    expect(report.troubles).toContainEqual(
      expect.objectContaining({
        cause: expect.objectContaining({
          api_error: expect.objectContaining({ description: "maximum messages exceeded" }),
        }),
      }),
    );
    expect(await letters(first)).toHaveLength(1);
    await first.stop();
    // The next to start tries the letters again, and relays no event a second time.
    const relayed: string[] = [];
    nc.subscribe(names.eventSubject("test.happened"), {
      callback: (_, message) => void relayed.push(message.headers?.get("Nats-Msg-Id") ?? ""),
    });
    const told = report.troubles.length;
    const between = await member({ group: "one", handler });
    await eventually(() => report.troubles.length > told);
    await write(4);
    await eventually(() => numbers().includes(4));
    expect(relayed).toEqual(["event-4"]);
    await between.stop();
    await jsm.streams.update(names.dead, { max_msgs: -1 });
    const second = await member({ group: "one", handler });
    await eventually(async () => (await letters(second)).length === 2);
    expect(await letters(second)).toEqual(["one:event-1", "one:event-2"]);
  });
});
