import { afterEach, describe, expect, test } from "@jest/globals";
import { startNode } from "../../bin/node.ts";
import { OUTBOX, createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import { assertNamespaceFits, claimNamespace, IDENTITY, type Identity } from "../../broker/cluster/store-identity.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { CollectionDefinition, Document, DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { eventually } from "../support/eventually.ts";
import { removeStreams, testNamespace } from "../support/jetstream.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";

const { MONGO_URL, NATS_URL } = process.env;

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const over = (namespace: string) => ({ natsUrl: "nats://127.0.0.1:4222", namespace });
const WITHOUT_NATS = { natsUrl: undefined, namespace: "partline" };

async function open(mongoUrl?: string): Promise<DocumentStore> {
  const documents = await openDocumentStore({ mongoUrl, dataDir: testSettings().dataDir });
  ends.push(() => documents.close());
  return documents;
}

const TARGETS = { name: "channel_targets" };
const rowsOf = (documents: DocumentStore, definition: CollectionDefinition) =>
  documents.collection<Document & Record<string, unknown>>(definition).find({});

test("an embedded store, which is one process's, goes from one namespace to another, and from NATS to none", async () => {
  const documents = await open();
  for (const transport of [over("one"), over("other"), WITHOUT_NATS]) {
    await assertNamespaceFits(documents, transport);
    await claimNamespace(documents, transport);
  }
  expect(await rowsOf(documents, IDENTITY)).toEqual([]);
});

(MONGO_URL ? describe : describe.skip)("a store on MongoDB", () => {
  test("is anybody's until a process over NATS has claimed it, also one of before there were claims", async () => {
    const documents = await open(mongoTestUrl("namespace"));
    await documents.collection<Identity>(IDENTITY).insertOne({ _id: "store", id: "of before" });
    for (const transport of [over("one"), over("other"), WITHOUT_NATS]) await assertNamespaceFits(documents, transport);
    await claimNamespace(documents, WITHOUT_NATS);
    await claimNamespace(documents, over("one"));
    expect(await rowsOf(documents, IDENTITY)).toEqual([{ _id: "store", id: "of before", namespace: "one" }]);
  });

  test("lets in those of its namespace, and refuses others by the setting that differs", async () => {
    const documents = await open(mongoTestUrl("namespace"));
    await claimNamespace(documents, over("one"));
    for (const check of [assertNamespaceFits, claimNamespace]) {
      await check(documents, over("one"));
      await expect(check(documents, over("other"))).rejects.toMatchObject({
        name: "SettingsError",
        message:
          'NATS_NAMESPACE is "other", but the store that MONGO_URL names belongs to the system over NATS whose NATS_NAMESPACE is "one": set NATS_NAMESPACE to "one", or MONGO_URL to a database of this system\'s own (docs/operations.md, "Another namespace")',
      });
      await expect(check(documents, WITHOUT_NATS)).rejects.toMatchObject({
        name: "SettingsError",
        message: expect.stringMatching(/^NATS_URL is not set, but .* set NATS_URL as its other processes have it/),
      });
    }
    expect(await rowsOf(documents, IDENTITY)).toMatchObject([{ namespace: "one" }]);
  });

  test("is one's of many that claim it at once", async () => {
    const documents = await open(mongoTestUrl("namespace"));
    const names = ["a", "b", "c", "d", "a", "b", "c", "d"];
    const claims = await Promise.allSettled(names.map((name) => claimNamespace(documents, over(name))));
    const winners = names.filter((_, index) => claims[index]!.status === "fulfilled");
    expect(new Set(winners).size).toBe(1);
    expect(await rowsOf(documents, IDENTITY)).toMatchObject([{ namespace: winners[0] }]);
  });

  test("whose identity an operator removed is the next one's", async () => {
    const documents = await open(mongoTestUrl("namespace"));
    await claimNamespace(documents, over("one"));
    await documents.collection<Identity>(IDENTITY).deleteOne({ _id: "store" });
    await claimNamespace(documents, over("other"));
    expect(await rowsOf(documents, IDENTITY)).toMatchObject([{ namespace: "other" }]);
  });
});

(MONGO_URL && NATS_URL ? describe : describe.skip)("a process over a store of others", () => {
  test("is refused with another namespace, or without NATS, and relays nothing; one of the same is let in", async () => {
    const [namespace, other] = [testNamespace(), testNamespace()];
    const mongoUrl = mongoTestUrl("namespace");
    ends.push(() => Promise.all([namespace, other].map((name) => removeStreams(NATS_URL!, name))));
    const start = async (env: Record<string, string>) => {
      const node = await startNode(
        testSettings({
          MONGO_URL: mongoUrl,
          SERVICES: "cart,http:cart",
          CART_PORT: String(await freePorts(1)),
          ADMIN_TOKEN: "t",
          ...env,
        }),
      );
      ends.push(() => node.stop());
      return node;
    };
    const first = await start({ NATS_URL: NATS_URL!, NATS_NAMESPACE: namespace });
    await first.stop();
    const documents = await open(mongoUrl);
    const [target] = await rowsOf(documents, TARGETS);
    await documents.atomically([createOutboxWrite<{ "test.happened": object }>()("test.happened", {})]);

    await expect(start({ NATS_URL: NATS_URL!, NATS_NAMESPACE: other })).rejects.toMatchObject({
      name: "SettingsError",
      message: expect.stringContaining(`set NATS_NAMESPACE to "${namespace}"`),
    });
    await expect(start({})).rejects.toMatchObject({
      name: "SettingsError",
      message: expect.stringMatching(/^NATS_URL is not set/),
    });
    expect(await rowsOf(documents, TARGETS)).toEqual([target]);
    expect(await rowsOf(documents, OUTBOX)).toMatchObject([{ state: "new" }]);

    await start({ NATS_URL: NATS_URL!, NATS_NAMESPACE: namespace });
    await eventually(async () => (await rowsOf(documents, OUTBOX)).every(({ state }) => state === "relayed"));
  });
});
