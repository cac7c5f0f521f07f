import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { connect } from "nats";
import { createJetStreamChannels } from "../../packages/durable/src/channels/jetstream/jetstream-channels.ts";
import { createNames } from "../../packages/durable/src/channels/jetstream/names.ts";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import { ChannelsUnavailable } from "../../packages/durable/src/channels/port.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { buy } from "../support/buy.ts";
import { newCartId } from "../contract/payment.shop.ts";
import { CHILD_ENVIRONMENT } from "../support/children.ts";
import { eventually } from "../support/eventually.ts";
import { keptReport, testNamespace } from "../support/jetstream.ts";
import { NATS_SERVER, startOwnNats, type OwnNats } from "../support/nats-server.ts";
import { freePorts } from "../support/ports.ts";
import { startSystem, type System } from "../support/system.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const OUTAGE_MS = 20_000;

(NATS_SERVER ? describe : describe.skip)("NATS is away for a while", () => {
  const namespace = testNamespace();
  let nats: OwnNats;
  let system: System;
  beforeAll(async () => {
    nats = await startOwnNats();
    system = await startSystem({ env: { NATS_URL: nats.url, NATS_NAMESPACE: namespace } });
  });
  afterAll(async () => {
    await system?.stop();
    await nats?.stop();
  });

  /** A paid order, and its id. */
  async function buyOne(): Promise<string> {
    const { body: found } = await system.request("search", "GET", "/api/search?limit=1&minPrice=1");
    const [{ productId, partNumber, title, unitPrice }] = found.parts;
    const body = { cartId: newCartId(), items: [{ productId, partNumber, title, unitPrice, quantity: 1 }] };
    expect((await system.request("payment", "POST", "/api/cart", { body })).status).toBe(201);
    return (await buy(system, body)).orderId;
  }

  it("while orders come in: each is answered, and its event is recorded once when NATS is back", async () => {
    const orders = [await buyOne(), await buyOne()];
    await nats.kill();
    const killedAt = performance.now();
    for (; performance.now() - killedAt < OUTAGE_MS; await pause(500)) orders.push(await buyOne());
    const recordedOf = async (orderId: string): Promise<string[]> => {
      const { status, body } = await system.request("eventstore", "GET", `/events?aggregate_id=${orderId}`);
      expect(status).toBe(200);
      return body.events.map((event: { event_type: string }) => event.event_type);
    };
    expect(await recordedOf(orders.at(-1)!)).toEqual([]);
    await nats.start();
    const backAt = performance.now();
    const recorded = await eventually(async () => {
      const all = await Promise.all(orders.map(recordedOf));
      return all.every((types) => types.length > 0) && all;
    }, 30_000);
    const tookMs = performance.now() - backAt;
    expect(recorded.every((types) => types.filter((type) => type === "ORDER_CREATED").length === 1)).toBe(true);
    process.stdout.write(
      `NATS away for ${OUTAGE_MS / 1000} s: ${orders.length} orders, all recorded ${Math.round(tookMs)} ms after it was back, ${await deliveries()} deliveries in all groups\n`,
    );
  }, 120_000);

  /** Of order.created, to every group that listens to it. */
  async function deliveries(): Promise<number> {
    const nc = await connect({ servers: nats.url });
    const { consumers } = await nc.jetstreamManager();
    const { events, toEventSubject: eventSubject } = createNames(namespace);
    let sum = 0;
    for await (const { config, delivered } of consumers.list(events)) {
      if (config.filter_subjects?.includes(eventSubject("order.created"))) sum += delivered.consumer_seq;
    }
    await nc.close();
    return sum;
  }
});

(NATS_SERVER ? describe : describe.skip)("A NATS server without JetStream", () => {
  it("stops the start with one line that names the setting", async () => {
    const nats = await startOwnNats({ jetStream: false });
    try {
      const first = await freePorts(1);
      const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "bin/start.ts"], {
        cwd: ROOT,
        env: {
          ...CHILD_ENVIRONMENT,
          DATA_DIR: mkdtempSync(join(tmpdir(), "partline-refused-")),
          NATS_URL: nats.url,
          SERVICES: "eventstore,http:eventstore",
          EVENT_STORE_PORT: String(first),
        },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let printed = "";
      child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
      const [code] = (await once(child, "close")) as [number];
      expect([code, printed]).toEqual([
        1,
        "Partline did not start.\nNATS_URL: the server has no JetStream, which durable events need (nats-server: -js)\n",
      ]);
    } finally {
      await nats.stop();
    }
  }, 60_000);
});

(NATS_SERVER ? describe : describe.skip)("Channels whose NATS is away", () => {
  it("say so at once when they are asked, and stop without waiting for it", async () => {
    const nats = await startOwnNats();
    const documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-away-")) });
    const channels = createJetStreamChannels({
      documents,
      servers: nats.url,
      namespace: testNamespace(),
      clientName: "test",
      report: keptReport(),
    });
    channels.subscribe("test.happened", { group: "one", handler: () => Promise.resolve() });
    await channels.start();
    await nats.kill();
    await eventually(async () => {
      const from = performance.now();
      const refusal = await channels.depth().then(
        () => undefined,
        (error: unknown) => error,
      );
      return refusal instanceof ChannelsUnavailable && performance.now() - from < 100;
    });
    await documents.atomically([createOutboxWrite<{ "test.happened": object }>()("test.happened", {})]);
    channels.wake();
    const from = performance.now();
    await channels.stop();
    expect(performance.now() - from).toBeLessThan(8_000);
    await documents.close();
    await nats.stop();
  });
});
