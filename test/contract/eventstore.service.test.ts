import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { createSequences } from "../../mixins/sequence.ts";
import { call, outbox } from "../../services/contracts.ts";
import { createEventLog, type NewEvent } from "../../services/eventstore/event-log.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";

describe.each(["local", "fake"] as const)("The event store (%s)", (transport) => {
  let test: TestBroker;
  beforeAll(async () => {
    test = await startTestBroker({ services: transport === "fake" ? ["eventstore", "eventstore"] : ["eventstore"], transport });
  });
  afterAll(() => test.stop());

  const event = (aggregate_id: string, event_id: string = ulid()) => ({
    event_id, aggregate_id, aggregate_type: "thing", event_type: "THING_CHANGED", data: { nested: { n: 1 }, list: [1, 2] }, occurred_at: new Date("2026-11-21T10:00:00Z"),
  });
  /** Each time as another process would. */
  const append = (fields: NewEvent) => createEventLog(test.documents, createSequences(test.documents)).append(fields);
  const read = async (aggregate_id: string, more: object = {}) => (await call(test.broker, "eventstore.readStream", { aggregate_id, ...more })).events;

  it("gives back what was appended", async () => {
    const appended = event(`a_${ulid()}`);
    const { version, position } = await append(appended);
    const { occurred_at, ...fields } = appended;
    expect(await read(appended.aggregate_id)).toEqual([{ ...fields, timestamp: occurred_at, version, position }]);
  });

  it("numbers each stream without gaps and all events ascending, when many are appended at once", async () => {
    const streams = [ulid(), ulid(), ulid()];
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => append(event(streams[n % 3]!))));
    for (const stream of streams) {
      const events = await read(stream);
      expect(events.map(({ version }) => version)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1));
      const positions = events.map(({ position }) => position);
      expect(positions).toEqual([...positions].sort((one, other) => one - other));
    }
    const positions = answers.map(({ position }) => position).sort((one, other) => one - other);
    expect(positions).toEqual(Array.from({ length: 60 }, (_, n) => positions[0]! + n));
  });

  it("records an event id once, and gives the first answer again", async () => {
    const same = event(ulid());
    const answers = await Promise.all(Array.from({ length: 10 }, () => append(same)));
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(answers.map(({ version, position }) => `${version}/${position}`)).size).toBe(1);
    expect(await append({ ...same, aggregate_id: "another" })).toMatchObject({ duplicate: true, version: 1 });
    expect(await read(same.aggregate_id)).toHaveLength(1);
  });

  it("is read on from a version, a few at a time, and lists all streams by position", async () => {
    const stream = ulid();
    for (let n = 0; n < 5; n++) await append(event(stream));
    expect((await read(stream, { after_version: 2, limit: 2 })).map(({ version }) => version)).toEqual([3, 4]);
    expect(await read("unknown")).toEqual([]);
    const { events } = await call(test.broker, "eventstore.list", { limit: 1_000 });
    expect(events.map(({ position }) => position)).toEqual(Array.from({ length: events.length }, (_, n) => n + 1));
    expect((await call(test.broker, "eventstore.list", { aggregate_id: stream })).events).toHaveLength(5);
  });

  it("keeps what happens to orders, each once, however often it is delivered", async () => {
    const orderId = `ord_${ulid()}`;
    const states = { status: "pending", paymentStatus: "paid" } as const;
    const eventId = ulid();
    const payload = { orderId, version: 2, actor: "admin", from: states, to: states, changed: ["carrier"] };
    await test.documents.atomically([outbox("order.updated", payload, eventId)]);
    test.channels.wake();
    const [kept] = await eventually(async () => {
      const events = await read(orderId);
      return events.length > 0 && events;
    });
    expect(kept).toMatchObject({ event_id: eventId, aggregate_type: "order", event_type: "ORDER_UPDATED", version: 1, data: payload });
  });

  it("keeps each full sync of a vendor's listing in the vendor's own stream", async () => {
    const vendor = `T${ulid()}`;
    const synced = (written: number) => ({ vendor, syncId: ulid(), written, unchanged: 2, discontinued: 1, refused: 0 });
    const [first, second] = [synced(420), synced(0)];
    for (const payload of [first, second]) {
      await test.documents.atomically([outbox("catalog.synced", payload, payload.syncId)]);
      test.channels.wake();
      await eventually(async () => (await read(`vendor_${vendor}`)).some(({ event_id }) => event_id === payload.syncId));
    }
    expect(await read(`vendor_${vendor}`)).toMatchObject(
      [first, second].map((payload, index) => ({ event_id: payload.syncId, aggregate_type: "vendor", event_type: "CATALOG_SYNCED", version: index + 1, data: payload })),
    );
  });
});
