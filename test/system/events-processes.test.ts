import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { eventsSystem, expectEffectsOf, writeUntil, type EventsSystem } from "./events.support.ts";

(process.env.NATS_URL ? describe : describe.skip)("Durable events over NATS, when a process is killed", () => {
  const servers = process.env.NATS_URL!;
  let system: EventsSystem;
  beforeEach(() => {
    system = eventsSystem(servers);
  });
  afterEach(() => system.stop());

  it("the writer: what it acknowledged is handed out", async () => {
    const [writer, consumer] = await Promise.all([system.start(), system.start({ group: "one" })]);
    const writing = writeUntil(writer, 10_000);
    await eventually(() => consumer.handedOut().size > 100);
    await writer.kill();
    const acknowledged = await writing;
    expect(acknowledged.length).toBeGreaterThan(100);
    await writer.again();
    await expectEffectsOf(consumer, acknowledged, "writer killed");
  });

  it("the relay, after it published and before it wrote that down: JetStream knows the events again", async () => {
    const consumer = await system.start({ group: "one" });
    const writer = await system.start({ dies: "before it marks what it relayed" });
    const acknowledged = await writeUntil(writer, 1_000);
    expect(acknowledged.length).toBeLessThan(1_000);
    expect(await writer.ended).toBe("SIGKILL");
    await eventually(() => consumer.handedOut().size > 0);
    await writer.again();
    await expectEffectsOf(consumer, acknowledged, "relay killed");
    // One more may come that the killed writer could not acknowledge.
    expect(Math.max(...consumer.handedOut().values())).toBe(1);
  });

  it.each(["before its work", "after its work", "after its acknowledgement"] as const)(
    "a consumer, %s: the event comes back",
    async (dies) => {
      const writer = await system.start();
      const mortal = await system.start({ group: "one", dies });
      const acknowledged = [await writer.write(0, true), ...(await writeUntil(writer, 30, 1))];
      expect(acknowledged).toHaveLength(31);
      expect(await mortal.ended).toBe("SIGKILL");
      const next = await mortal.again();
      const deliveries = await expectEffectsOf(next, acknowledged, `consumer killed ${dies}`);
      const again = [...next.handedOut().values()].filter((times) => times > 1).length;
      if (dies === "after its acknowledgement") expect(again).toBeLessThan(8);
      else expect(again).toBeGreaterThan(0);
      // What was in the hands of the process when it died, and no more: eight at a time.
      expect(deliveries - acknowledged.length).toBeLessThanOrEqual(8);
    },
  );

  it("nobody: a consumer that always fails has dead letters, and keeps no other from its events", async () => {
    const [writer, fine, broken] = await Promise.all([
      system.start(),
      system.start({ group: "fine" }),
      system.start({ group: "broken", isBroken: true, maxRetries: 2 }),
    ]);
    const acknowledged = await writeUntil(writer, 20);
    await expectEffectsOf(fine, acknowledged, "beside a consumer that always fails");
    const { deadLetters, effects } = await eventually(async () => {
      const state = await broken.state();
      return state.deadLetters.length === acknowledged.length && state;
    }, 30_000);
    expect(effects).toEqual([]);
    expect(deadLetters.map(({ eventId }) => eventId).sort()).toEqual([...acknowledged].sort());
    expect(new Set(deadLetters.map(({ attempts }) => attempts))).toEqual(new Set([3]));
    expect([...broken.handedOut().values()].every((times) => times === 3)).toBe(true);
  });

  it("nobody: processes that start at the same moment for the first time share the work", async () => {
    const members = await Promise.all(Array.from({ length: 4 }, () => system.start({ group: "one" })));
    const acknowledged = await writeUntil(members[0]!, 60);
    await eventually(async () => {
      const { depth } = await members[0]!.state();
      return depth.pending === 0 && depth.outbox === 0;
    }, 30_000);
    const effects = (await Promise.all(members.map((member) => member.state()))).flatMap((state) => state.effects);
    expect([...effects].sort()).toEqual([...acknowledged].sort());
    process.stdout.write(
      `started together: ${acknowledged.length} events acknowledged, ${effects.length} effects in four processes\n`,
    );
  });
});
