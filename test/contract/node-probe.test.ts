import { afterEach, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { startNode, type RunningNode } from "../../bin/node.ts";
import { createLoggerOptions } from "@partline/moleculer-kit";
import { createBrokerOptions } from "../../broker/options.ts";
import { createNodeHealth } from "../../gateway/http/health.ts";
import { DocumentStoreError } from "../../packages/durable/src/document-store/port.ts";
import { contracts } from "../../services/all-contracts.ts";
import { eventually } from "../support/eventually.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";

let node: RunningNode | undefined;
afterEach(async () => {
  await node?.stop();
  node = undefined;
});

const look = async (port: number, path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  const text = await response.text();
  return {
    status: response.status,
    text,
    json: text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
};

test("a process reports on HEALTH_PORT its own state: its store and its services, not what it calls elsewhere", async () => {
  const port = await freePorts(2);
  node = await startNode(
    testSettings({ SERVICES: "cart,catalog,search,http:cart", CART_PORT: String(port), HEALTH_PORT: String(port + 1) }),
  );
  const ready = await eventually(async () => {
    const answer = await look(port + 1, "/health/ready");
    return answer.status === 200 && answer;
  }, 60_000);
  expect(ready.json).toMatchObject({ ready: true, status: "ok", version: "0.0.0-test" });
  expect(Object.keys(ready.json.dependencies as object)).toEqual(["broker", "documents", "search"]);
  expect(await look(port + 1, "/health/live")).toMatchObject({ status: 200, json: { status: "ok" } });
  expect((await look(port + 1, "/metrics")).text).toContain("process_resident_memory_bytes");
  expect((await look(port + 1, "/api/cart/x")).status).toBe(404);

  const { documents } = node.runtime.stores!;
  const { ping } = documents;
  documents.ping = () => Promise.reject(new DocumentStoreError("UNAVAILABLE", "mongodb://user:hunter2@db"));
  const unready = await look(port + 1, "/health/ready");
  expect([unready.status, unready.json.status]).toEqual([503, "degraded"]);
  expect(unready.text).not.toContain("hunter2");
  documents.ping = ping;
});

test("it is not ready while the services start", async () => {
  const { broker, runtime } = (node = await startNode(
    testSettings({ SERVICES: "cart,http:cart", CART_PORT: String(await freePorts(1)) }),
  ));
  const starting = { registry: broker.registry, started: false, call: broker.call } as unknown as typeof broker;
  const { ready, report } = await createNodeHealth({ broker: starting, runtime, contracts: [] }).getReadiness();
  expect([ready, report.status]).toEqual([false, "starting"]);
});

test("a service that has not started yet is unready without a line in the log", async () => {
  const { broker, runtime } = (node = await startNode(
    testSettings({ SERVICES: "media,http:media", MEDIA_PORT: String(await freePorts(1)) }),
  ));
  const lines: string[] = [];
  const logger = createLoggerOptions({ logLevel: "warn" }, { write: (line) => void lines.push(line) });
  const starting = new ServiceBroker({ ...createBrokerOptions(runtime.settings), logger });
  await starting.start();
  try {
    const health = createNodeHealth({ broker: starting, runtime, contracts });
    expect((await health.look()).dependencies?.["media"]).toMatchObject({ status: "error" });
    expect(lines).toEqual([]);
    expect((await createNodeHealth({ broker, runtime, contracts }).look()).dependencies?.["media"]).toMatchObject({
      status: "ok",
    });
  } finally {
    await starting.stop();
  }
});

test("it is live and not ready while the process stops, and gone after that", async () => {
  const port = await freePorts(2);
  const { broker, stop } = await startNode(
    testSettings({ SERVICES: "cart,http:cart", CART_PORT: String(port), HEALTH_PORT: String(port + 1) }),
  );
  const held = Promise.withResolvers<void>();
  broker.createService({ name: "held", stopped: () => held.promise });
  const stopping = stop();
  await eventually(async () => (await look(port + 1, "/health/ready")).json.status === "draining");
  expect((await look(port + 1, "/health/ready")).status).toBe(503);
  expect((await look(port + 1, "/health/live")).status).toBe(200);
  held.resolve();
  await stopping;
  await expect(look(port + 1, "/health/live")).rejects.toThrow();
});

test("in production its metrics are for admins", async () => {
  const port = await freePorts(2);
  node = await startNode({
    ...testSettings({
      SERVICES: "cart,http:cart",
      ADMIN_TOKEN: "t",
      CART_PORT: String(port),
      HEALTH_PORT: String(port + 1),
    }),
    production: true,
  });
  expect((await look(port + 1, "/metrics")).status).toBe(401);
  expect((await look(port + 1, "/metrics", { "X-Admin-Token": "t" })).status).toBe(200);
  expect((await look(port + 1, "/health/ready")).status).toBe(200);
});
