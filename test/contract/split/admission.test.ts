import { cpSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { startNode } from "../../../bin/node.ts";
import { attachFacts } from "@partline/moleculer-kit";
import { collectFacts, findDifferences, type NodeFacts } from "../../../broker/cluster/facts.ts";
import { COMPATIBILITY, type Speech } from "../../../broker/cluster/compatibility.ts";
import { NODE_SERVICE } from "../../../broker/cluster/node-service.ts";
import { createBrokerOptions } from "../../../broker/options.ts";
import { attachRuntime } from "../../../broker/runtime.ts";
import type { Settings } from "../../../broker/settings.ts";
import { openDocumentStore } from "../../../packages/durable/src/document-store/open.ts";
import { eventually } from "../../support/eventually.ts";
import { testSettings } from "../../support/test-settings.ts";

const warnings: string[] = [];
const running: { stop(): Promise<unknown> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((node) => node.stop()));
});

const facts = (uses: NodeFacts["uses"], startedAt = 1): NodeFacts => ({
  version: "1.0.0",
  speaks: COMPATIBILITY,
  startedAt,
  admitted: false,
  uses,
});
const ofVersion = (version: string, speaks: Speech): NodeFacts => ({ ...facts({}), version, speaks });

/** A node with a service that starts only when it is admitted. */
async function join(
  namespace: string,
  nodeID: string,
  own: NodeFacts,
  natsUrl?: string,
  service = "work",
): Promise<string> {
  const settings = testSettings(natsUrl === undefined ? {} : { NATS_URL: natsUrl });
  const broker = new ServiceBroker({
    ...createBrokerOptions(settings),
    namespace,
    nodeID,
    ...(natsUrl === undefined ? { transporter: "Fake" } : {}),
    logger: false,
  });
  broker.logger.warn = (message: unknown) => warnings.push(String(message));
  attachRuntime(broker, { settings });
  attachFacts(broker, own);
  let outcome = "";
  broker.createService({ name: service, started: () => void (outcome = "started") });
  try {
    await broker.start();
    running.push(broker);
  } catch (error) {
    outcome ||= (error as Error).message;
    await broker.stop();
  }
  return outcome;
}

describe("a node that joins others", () => {
  const namespace = (): string => `join-${process.pid}-${Math.random().toString(36).slice(2)}`;

  test("starts where what it uses fits, and where it uses other things", async () => {
    const name = namespace();
    expect(await join(name, "a", facts({ documents: "1", search: "x" }))).toBe("started");
    expect(await join(name, "b", facts({ documents: "1", search: "x" }))).toBe("started");
    expect(await join(name, "c", facts({ adminToken: "t" }))).toBe("started");
  });

  test("is known to the others with its services as soon as it has started", async () => {
    const name = namespace();
    await join(name, "a", facts({}));
    const [elder] = running as ServiceBroker[];
    await join(name, "b", facts({}), undefined, "late");
    const known = (): boolean => elder!.registry.services.has("late", "b");
    // Not when Moleculer gets to it, a second later.
    await eventually(known, 500);
  });

  test("warns of a node whose clock is seconds ahead, once, and of no other", async () => {
    const name = namespace();
    await join(name, "a", facts({}));
    await join(name, "ahead", facts({}));
    const { transit } = running[1] as unknown as {
      transit: { publish(packet: { payload: { arrived?: number } }): unknown };
    };
    const publish = transit.publish.bind(transit);
    transit.publish = (packet) => {
      if (packet.payload.arrived) packet.payload.arrived += 10_000;
      return publish(packet);
    };
    warnings.length = 0;
    await join(name, "b", facts({}));
    await eventually(() => warnings.length > 0);
    for (const other of ["a", "ahead"]) await (running[2] as ServiceBroker).ping(other);
    expect(warnings).toEqual([
      "The clock of the node ahead is 10 s ahead of this one's: work may run twice at once (docs/operations.md)",
    ]);
  });

  test("is refused before its services start, with what differs and from whom, however many differ", async () => {
    const name = namespace();
    await join(name, "a", facts({ documents: "1", search: "x" }));
    await join(name, "b", facts({ documents: "1", search: "x" }));
    // Its clock is behind: that makes it no elder of who runs already.
    expect(await join(name, "c", facts({ documents: "2", search: "y" }, 0))).toBe(
      "MONGO_URL: the node a of this system keeps its documents in another store\nELASTICSEARCH_URL: the node a of this system searches another index",
    );
  });

  test("of the next version starts beside the one before, and one of a version that cannot talk to it is refused with that reason alone", async () => {
    const name = namespace();
    expect(await join(name, "old", { ...ofVersion("1.0.0", { number: 1, oldest: 1 }), uses: { documents: "1" } })).toBe(
      "started",
    );
    expect(await join(name, "next", ofVersion("1.1.0", { number: 2, oldest: 1 }))).toBe("started");
    expect(await join(name, "far", { ...ofVersion("2.0.0", { number: 3, oldest: 2 }), uses: { documents: "2" } })).toBe(
      "Partline 2.0.0 cannot run beside 1.0.0, which the node old of this system is: stop all nodes of the one before the other starts (docs/operations.md)",
    );
    await running.shift()!.stop();
    expect(await join(name, "far again", ofVersion("2.0.0", { number: 3, oldest: 2 }))).toBe("started");
  });

  test("is held to that, too, where it brings nothing but its node service, as a REPL that joins", async () => {
    const name = namespace();
    await join(name, "old", ofVersion("1.0.0", { number: 1, oldest: 1 }));
    expect(await join(name, "repl", ofVersion("2.0.0", { number: 3, oldest: 2 }), undefined, NODE_SERVICE)).toMatch(
      /^Partline 2\.0\.0 cannot run beside 1\.0\.0/,
    );
    expect(await join(name, "repl again", ofVersion("1.1.0", { number: 2, oldest: 1 }), undefined, NODE_SERVICE)).toBe(
      "started",
    );
  });

  test("never runs beside one that it does not fit, though both start at the same moment", async () => {
    const race = async (apartMs: number): Promise<string[]> => {
      const name = namespace();
      const [first, second] = await Promise.all([
        join(name, "a", facts({ documents: "1" })),
        delay(apartMs).then(() => join(name, "b", facts({ documents: "2" }, apartMs % 2))),
      ]);
      return [first, second].map((outcome) => (outcome === "started" ? outcome : "refused")).sort();
    };
    const outcomes = await Promise.all([0, 1, 20, 101, 200, 299, 300, 301, 351, 400, 501].map(race));
    for (const outcome of outcomes) expect(outcome).toEqual(["refused", "started"]);
  });
});

describe("what a node announces of itself", () => {
  const SERVICES = "cart,payment,search,media,ai,http:cart";
  const tell = async (
    env: Record<string, string>,
    settings: Settings = testSettings({ SERVICES, ADMIN_TOKEN: "t", ...env }),
  ): Promise<NodeFacts> => collectFacts(settings, undefined);

  test("is the same for the same places, with any credentials, and names nothing", async () => {
    const s3 = { S3_BUCKET: "parts", S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "hunter2" };
    const first = await tell({
      ELASTICSEARCH_URL: "http://ada:hunter2@search:9200",
      S3_ENDPOINT: "http://objects:9000/",
      ...s3,
      REDIS_URL: "redis://:hunter2@cache:6379",
    });
    const second = await tell({
      ELASTICSEARCH_URL: "http://bob:hunter3@SEARCH:9200/",
      S3_ENDPOINT: "http://objects:9000",
      ...s3,
      REDIS_URL: "redis://cache:6379",
    });
    expect(findDifferences(first, second)).toEqual([]);
    expect(JSON.stringify(first)).not.toMatch(/hunter2|ada|search:9200|objects:9000|"t"|sk_test|whsec/);
    const third = await tell({
      ADMIN_TOKEN: "other",
      STRIPE_API_BASE: "http://p",
      IDENTITY_AUDIENCE: "other",
      EMBEDDINGS_BASE_URL: "http://e",
      EMBEDDINGS_MODEL: "m",
    });
    expect(findDifferences(first, third).map((line) => line.split(":")[0])).toEqual([
      "ELASTICSEARCH_URL",
      "S3_ENDPOINT and S3_BUCKET",
      "REDIS_URL",
      "EMBEDDINGS_MODEL",
      "STRIPE_SECRET_KEY or STRIPE_API_BASE",
      "IDENTITY_JWKS_URL, IDENTITY_ISSUER, IDENTITY_AUDIENCE or IDENTITY_AUTHORIZED_PARTIES",
      "ADMIN_TOKEN",
    ]);
  });

  test("of an embedded index and objects is whose they are: a directory's processes fit, also where they start at the same moment, those of two do not", async () => {
    const DATA_DIR = testSettings().dataDir;
    const [own, ...others] = await Promise.all(Array.from({ length: 8 }, () => tell({ DATA_DIR })));
    for (const other of others) expect(findDifferences(own!, other)).toEqual([]);
    expect(own!.uses.search).toMatch(/^embedded \S+$/);
    expect(findDifferences(own!, await tell({})).map((line) => line.split(":")[0])).toEqual([
      "ELASTICSEARCH_URL",
      "S3_ENDPOINT and S3_BUCKET",
    ]);
  });

  test("of embedded documents fits no other process, though it has a copy of them", async () => {
    const settings = testSettings({ SERVICES: "user,http:user", ADMIN_TOKEN: "t" });
    const documents = await openDocumentStore({ dataDir: settings.dataDir });
    const own = await collectFacts(settings, documents);
    await documents.close();
    const copied = `${testSettings().dataDir}/copy`;
    cpSync(settings.dataDir, copied, { recursive: true });
    const copy = await openDocumentStore({ dataDir: copied });
    expect(findDifferences(own, await collectFacts({ ...settings, dataDir: copied }, copy))).toEqual([
      "MONGO_URL: {node} keeps its documents in another store (not set here and there)",
    ]);
    await copy.close();
  });
});

(process.env.NATS_URL ? describe : describe.skip)("over NATS", () => {
  test("a second process with an embedded store of its own is refused with the reason", async () => {
    const shared = {
      NATS_URL: process.env.NATS_URL!,
      NATS_NAMESPACE: `admission-${process.pid}-${Date.now()}`,
      ADMIN_TOKEN: "t",
    };
    expect(
      await join(shared.NATS_NAMESPACE, "elsewhere", { ...facts({ documents: "1" }), admitted: true }, shared.NATS_URL),
    ).toBe("started");
    await expect(startNode(testSettings({ ...shared, SERVICES: "user" }))).rejects.toMatchObject({
      name: "SettingsError",
      message: expect.stringMatching(
        /^MONGO_URL: the node elsewhere of this system keeps its documents in another store \(not set here\)$/,
      ),
    });
    const { removeStreams } = await import("../../support/jetstream.ts");
    await removeStreams(shared.NATS_URL, shared.NATS_NAMESPACE);
  });
});
