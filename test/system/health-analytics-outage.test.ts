import { afterEach, describe, expect, it } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { call } from "../../services/contracts.ts";
import { createEntryPointService } from "../../gateway/http/entry-point.ts";
import { eventually } from "../support/eventually.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { freePorts } from "../support/ports.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp-proxy.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

if (!process.env.MONGO_URL) console.warn("Skipped: a MongoDB that goes away needs MONGO_URL");

(process.env.MONGO_URL ? describe : describe.skip)("Health analytics while MongoDB is away", () => {
  const open: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close();
  });

  async function start(): Promise<{ test: TestBroker; proxy: TcpProxy }> {
    const proxy = await startTcpProxy(mongoTestUrl("outage"));
    open.push(() => proxy.close());
    const settings = testSettings({ MONGO_URL: proxy.url, CART_PORT: String(await freePorts(1)) });
    const documents = await openDocumentStore({ dataDir: settings.dataDir, mongoUrl: proxy.url });
    open.push(() => documents.close());
    const test = await startTestBroker({
      services: ["health-analytics", "cart", (broker: ServiceBroker) => createEntryPointService(broker, "cart")],
      settings,
      documents,
    });
    open.push(() => test.stop());
    return { test, proxy };
  }

  async function goThrough(way: "cut" | "freeze"): Promise<void> {
    const { test, proxy } = await start();
    const overview = () => call(test.broker, "health-analytics.overview", {});
    await eventually(async () => (await overview()).state === "up", 30_000);
    const cutAt = Date.now();
    await proxy[way]();
    await eventually(() => Date.now() - cutAt > 22_000, 30_000);
    await expect(overview()).rejects.toThrow();
    await proxy.restore();
    const backAt = Date.now();
    const incident = await eventually(async () => {
      const { incidents } = await call(test.broker, "health-analytics.incidents", {});
      return incidents.find(({ open: isOpen }) => !isOpen);
    }, 60_000);
    expect([way, incident]).toMatchObject([
      way,
      {
        kind: "dependency",
        subject: "documents",
        entryPoints: ["cart"],
        spells: 1,
        cause: "The dependency documents is not ok",
      },
    ]);
    // A sample every five seconds, and two for a look that gets no answer.
    expect(Math.abs(incident.startedAt.getTime() - cutAt)).toBeLessThan(10_000);
    expect(Math.abs(incident.endedAt!.getTime() - backAt)).toBeLessThan(20_000);
    await eventually(async () => (await overview()).state === "up", 30_000);
    expect((await call(test.broker, "health-analytics.incidents", {})).incidents).toHaveLength(1);
  }

  // Both at once, each on a store and a node of its own: they wait for half a minute.
  it("reports the outage when it is over: one incident, as long as it lasted, and nobody was gone", async () => {
    await Promise.all([goThrough("cut"), goThrough("freeze")]);
  }, 150_000);
});
