import { afterEach, describe, expect, it } from "@jest/globals";
import { createOutboxWrite } from "../../packages/durable/src/channels/outbox.ts";
import { scrape } from "@partline/moleculer-kit";
import { enqueueWrite } from "../../packages/durable/src/tasks/task.ts";
import { call } from "../../services/contracts.ts";
import { operatorActions } from "../../services/eventstore/operators/contract.ts";
import { consumerService } from "../support/consumer-service.ts";
import { eventually } from "../support/eventually.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";

const outbox = createOutboxWrite<{ "test.happened": { n: number } }>();

describe("dead letters as actions", () => {
  let test: TestBroker | undefined;
  afterEach(() => test?.stop());

  /** A system with a consumer that gives everything up at once, until it is mended. */
  async function start() {
    const consumer = { isBroken: true, handled: [] as unknown[] };
    const handler = async ({ payload }: { payload: Record<string, unknown> }): Promise<void> => {
      if (consumer.isBroken) throw new Error("the printer is on fire");
      consumer.handled.push(payload.n);
    };
    const printing = consumerService("printing", { "test.happened": { group: "printing", maxRetries: 0, handler } });
    const system = (test = await startTestBroker({ services: ["eventstore", printing], transport: "fake" }));
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
        createOutboxWrite<{ "test.happened": { text: string } }>()(
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

  it("have dead tasks among them, which run again or are dropped as well", async () => {
    const { broker, consumer, documents } = await start();
    const enqueue = enqueueWrite<{ "test.print": { n: number } }>();
    const print = {
      maxRetries: 0,
      run: () => (consumer.isBroken ? Promise.reject(new Error("no ink")) : Promise.resolve()),
    };
    test!.tasks.handle("test.print", print);
    await documents.atomically([
      enqueue("test.print", "a", { n: 1 }, { lane: "left" }),
      enqueue("test.print", "b", { n: 2 }),
    ]);
    test!.tasks.wake();
    await eventually(async () => (await test!.tasks.depth()).dead === 2);
    const { dead_letters } = await call(broker, "eventstore.deadLetters", {});
    expect(dead_letters).toHaveLength(4);
    expect(dead_letters).toContainEqual({
      id: "test.print:a",
      channel: "test.print",
      group: "tasks",
      event_id: "a",
      occurred_at: expect.any(Date),
      payload: { n: 1 },
      attempts: 1,
      reason: "no ink",
      died_at: expect.any(Date),
    });
    const { tasks } = await call(broker, "eventstore.tasks", { kind: "test.print", state: "dead" });
    expect(tasks.map(({ id, lane }) => [id, lane]).sort()).toEqual([
      ["test.print:a", "left"],
      ["test.print:b", undefined],
    ]);
    const documented = Object.keys(operatorActions.task.result.props);
    for (const task of tasks) expect(documented).toEqual(expect.arrayContaining(Object.keys(task)));
    await eventually(async () => {
      const lines = (await scrape(broker)).split("\n");
      return [
        'partline_tasks_dead{kind="test.print"} 2',
        'partline_task_runs_total{kind="test.print",outcome="dead"} 2',
      ].every((line) => lines.includes(line));
    });
    consumer.isBroken = false;
    await call(broker, "eventstore.replayDeadLetter", { id: "test.print:a" });
    await call(broker, "eventstore.dropDeadLetter", { id: "test.print:b" });
    await eventually(async () => (await test!.tasks.list({ limit: 1 })).length === 0);
  });
});
