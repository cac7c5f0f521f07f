import { AckPolicy, connect, JSONCodec } from "nats";
import { describe, expect, it } from "@jest/globals";
import { outbox } from "../../services/contracts.ts";
import { removeStreams, testNamespace } from "../support/jetstream.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";

const { NATS_URL } = process.env;

interface OrderUpdated {
  v: number;
  event_id: string;
  payload: { orderId: string; version: number };
}

/** What docs/guides/events.md tells readers of the bus to do. */
(NATS_URL === undefined ? describe.skip : describe)("the bus, read with the client of NATS", () => {
  it("has each event once for a durable consumer, also what came while it was away", async () => {
    const namespace = testNamespace();
    const settings = testSettings({ NATS_URL: NATS_URL!, NATS_NAMESPACE: namespace });
    const running = await startTestBroker({ services: [], settings });
    const states = { status: "processing", paymentStatus: "paid" } as const;
    const update = async (version: number): Promise<void> => {
      const payload = { orderId: "ord_1", version, actor: "admin", from: states, to: states, changed: ["status"] };
      await running.documents.atomically([outbox("order.updated", payload)]);
      running.channels.wake();
    };
    const nc = await connect({ servers: NATS_URL! });
    const stream = `${namespace}-events`;
    const jsm = await nc.jetstreamManager();
    await jsm.consumers.add(stream, {
      durable_name: "erp",
      ack_policy: AckPolicy.Explicit,
      filter_subject: `${namespace}.event.order.>`,
    });
    const codec = JSONCodec<OrderUpdated>();
    const read = async (count: number): Promise<OrderUpdated[]> => {
      const consumer = await nc.jetstream().consumers.get(stream, "erp");
      const messages = await consumer.fetch({ max_messages: count, expires: 10_000 });
      const events: OrderUpdated[] = [];
      for await (const message of messages) {
        events.push(codec.decode(message.data));
        message.ack();
      }
      return events;
    };
    await update(2);
    expect(await read(1)).toMatchObject([{ v: 1, payload: { orderId: "ord_1", version: 2 } }]);
    await update(3);
    await update(4);
    const later = await read(2);
    expect(later.map(({ payload }) => payload.version)).toEqual([3, 4]);
    expect(new Set(later.map(({ event_id }) => event_id)).size).toBe(2);
    await nc.drain();
    await running.stop();
    await removeStreams(NATS_URL!, namespace);
  });
});
