import { createBackup, restore } from "@partline/durable";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, nanos, type JetStreamManager, type NatsConnection } from "nats";
import { createJetStreamChannels } from "../../packages/durable/src/channels/jetstream/jetstream-channels.ts";
import { createNames, type Names } from "../../packages/durable/src/channels/jetstream/names.ts";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import type { ChannelHandler, Channels } from "../../packages/durable/src/channels/port.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { awaitNoEvents, eventually } from "../support/eventually.ts";
import { keptReport, removeStreams, testNamespace } from "../support/jetstream.ts";
import { collector } from "../../packages/durable/test/channels.world.ts";

const outbox = createOutboxWrite<{ "test.happened": { n: number } }>();

(process.env.NATS_URL ? describe : describe.skip)("what is relayed to JetStream", () => {
  const servers = process.env.NATS_URL!;
  const members: Channels[] = [];
  let dataDir: string;
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

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "partline-channels-"));
    documents = await openDocumentStore({ dataDir });
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

  test("a warning reports another stream than before, which a recreated NATS has, and so has a wrong one", async () => {
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

  test("a restored store's groups get again what they handled after the backup, though NATS kept its data, and nothing else", async () => {
    const { handler: before } = collector();
    await member({ group: "one", handler: before });
    // JetStream knows an id for two minutes, by which a restore is older than its backup.
    await jsm.streams.update(names.events, { duplicate_window: nanos(100) });
    const one = members.at(-1)!;
    await write(1);
    one.wake();
    await awaitNoEvents(one);
    await one.stop();

    const relayer = await member();
    await write(2);
    relayer.wake();
    await eventually(async () => (await relayer.depth()).outbox === 0);
    await relayer.stop();
    const relayedAt = Date.now();
    await createBackup(dataDir, `${dataDir}-backup`, { partline: "1.0.0", compatibility: 1, leftOut: [] });
    const handled = collector();
    await member({ group: "one", handler: handled.handler });
    await eventually(() => handled.numbers().includes(2));
    await members.at(-1)!.stop();
    await documents.close();

    await restore(`${dataDir}-backup`, `${dataDir}-again`, { compatibility: 1, identityFile: "identity" });
    await eventually(() => Date.now() - relayedAt > 500);
    documents = await openDocumentStore({ dataDir: `${dataDir}-again` });
    const again = collector();
    const last = await member({ group: "one", handler: again.handler });
    await eventually(async () => again.numbers().length > 0 && (await last.depth()).pending === 0);
    expect(again.numbers()).toEqual([2]);
    expect(report.otherStreams).toEqual([]);
  });
});
