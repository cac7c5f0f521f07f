import { afterEach, describe, expect, it } from "@jest/globals";
import type { ServiceBroker, ServiceSchema } from "moleculer";
import { outboxWrite } from "../../broker/channels/outbox.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";

const outbox = outboxWrite<{ "test.happened": { n: number } }>();

describe.each(["local", "fake"] as const)("dead letters as actions (%s)", (transport) => {
  let test: TestBroker | undefined;
  afterEach(() => test?.stop());

  /** A system with a consumer that gives everything up at once, until it is mended. */
  async function start() {
    const consumer = { isBroken: true, handled: [] as unknown[] };
    const handler = async ({ payload }: { payload: Record<string, unknown> }): Promise<void> => {
      if (consumer.isBroken) throw new Error("the printer is on fire");
      consumer.handled.push(payload.n);
    };
    const printing = (_broker: ServiceBroker) =>
      ({
        name: "printing",
        channels: { "test.happened": { group: "printing", maxRetries: 0, handler } },
      }) as ServiceSchema;
    const system = (test = await startTestBroker({ services: ["eventstore", printing], transport }));
    await system.documents.atomically([
      outbox("test.happened", { n: 1 }, "first"),
      outbox("test.happened", { n: 2 }, "second"),
    ]);
    system.channels.wake();
    await eventually(async () => (await call(system.broker, "eventstore.deadLetters", {})).dead_letters.length === 2);
    return { broker: system.broker, documents: system.documents, consumer };
  }

  it("are listed with what happened, to whom and why", async () => {
    const { broker } = await start();
    const { dead_letters } = await call(broker, "eventstore.deadLetters", {});
    expect(dead_letters).toContainEqual({
      id: "printing:first",
      channel: "test.happened",
      group: "printing",
      event_id: "first",
      occurred_at: expect.any(Date),
      payload: { n: 1 },
      attempts: 1,
      reason: "the printer is on fire",
      died_at: expect.any(Date),
    });
    expect((await call(broker, "eventstore.deadLetters", { limit: 1 })).dead_letters).toHaveLength(1);
  });

  it("are listed as far as a message holds them", async () => {
    const { broker, documents } = await start();
    await documents.atomically(
      Array.from({ length: 4 }, (_, n) =>
        outboxWrite<{ "test.happened": { text: string } }>()(
          "test.happened",
          { text: "x".repeat(200_000) },
          `large-${n}`,
        ),
      ),
    );
    await eventually(async () => (await test!.channels.depth()).dead === 6);
    const { dead_letters } = await call(broker, "eventstore.deadLetters", {});
    expect(dead_letters.length).toBeGreaterThan(1);
    expect(JSON.stringify(dead_letters).length).toBeLessThan(600_000);
  });

  it("are handed to their group again, or dropped", async () => {
    const { broker, consumer } = await start();
    consumer.isBroken = false;
    expect(await call(broker, "eventstore.dropDeadLetter", { id: "printing:second" })).toEqual({
      id: "printing:second",
      dropped: true,
    });
    expect(await call(broker, "eventstore.replayDeadLetter", { id: "printing:first" })).toEqual({
      id: "printing:first",
      replayed: true,
    });
    await eventually(() => consumer.handled.length > 0);
    expect(consumer.handled).toEqual([1]);
    expect(await call(broker, "eventstore.deadLetters", {})).toEqual({ dead_letters: [] });
  });

  it("that are not there are not found", async () => {
    const { broker } = await start();
    await expect(call(broker, "eventstore.replayDeadLetter", { id: "printing:third" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(call(broker, "eventstore.dropDeadLetter", { id: "printing:third" })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
