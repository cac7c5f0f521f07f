import { describe, expect, test } from "@jest/globals";
import { OUTBOX, createOutboxWrite, type OutboxRow } from "../src/channels/outbox.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { channelsProperties } from "./channels.properties.ts";
import { redeliveryContract } from "./channels.redelivery.ts";
import { collector, useChannels, type ChannelsUnderTest } from "./channels.world.ts";

const outbox = createOutboxWrite<{ "test.happened": { n: number; of?: object } }>();

/** The promises of packages/durable/src/channels/port.ts, which every adapter keeps. */
export function channelsContract(name: string, setUp: () => Promise<ChannelsUnderTest>): void {
  describe(`durable channels: ${name}`, () => {
    const world = useChannels(setUp);
    const { open, publish, current } = world;
    redeliveryContract(world);
    channelsProperties(world);

    test("each group gets every event, once among its members", async () => {
      const [first, second, other] = [collector(), collector(), collector()];
      const a = open();
      a.subscribe("test.happened", { group: "one", handler: first.handler });
      a.subscribe("test.happened", { group: "two", handler: other.handler });
      const b = open();
      b.subscribe("test.happened", { group: "one", handler: second.handler });
      await a.start();
      await b.start();
      for (let n = 0; n < 20; n++) await publish(n);
      const all = Array.from({ length: 20 }, (_, n) => n);
      await eventually(() => other.seen.length >= 20 && first.seen.length + second.seen.length >= 20);
      await eventually(async () => (await a.depth()).pending === 0);
      expect(other.numbers()).toEqual(all);
      expect([...first.numbers(), ...second.numbers()].sort((x, y) => x - y)).toEqual(all);
      expect(other.seen[0]).toMatchObject({
        v: 1,
        channel: "test.happened",
        event_id: expect.any(String),
        occurred_at: expect.any(Date),
      });
    });

    test("a relayed event is kept for later groups as long as its channel says", async () => {
      const member = open({ keptMs: (channel) => (channel === "test.hinted" ? 60_000 : 600_000) });
      await member.start();
      const publishedAt = Date.now();
      await publish(1, "lasting");
      await publish(2, "brief", "test.hinted");
      const rows = current().documents.collection<OutboxRow>(OUTBOX);
      const relayed = await eventually(async () => {
        const found = await rows.find({ state: "relayed" });
        return found.length === 2 && found;
      });
      const minutes = relayed.map(({ _id, expiresAt }) => [_id, Math.floor((+expiresAt! - publishedAt) / 60_000)]);
      expect(Object.fromEntries(minutes)).toEqual({ brief: 1, lasting: 10 });
    });

    test("an event is handed out when no failover of the store takes it back any more", async () => {
      const { seen, handler } = collector();
      const member = open();
      member.subscribe("test.happened", { group: "one", handler });
      await member.start();
      const rows = current().documents.collection<OutboxRow>(OUTBOX);
      const find = rows.find.bind(rows);
      let [looks, isDurable] = [0, false];
      // A primary whose newest writes no other member has yet.
      rows.find = (filter, options) => {
        looks++;
        return options?.durable && !isDurable ? Promise.resolve([]) : find(filter, options);
      };
      // A turn has ended when the next one looks: none of those that began before may find the event.
      await eventually(() => looks > 0);
      await publish(1);
      const before = looks;
      await eventually(() => looks >= before + 2);
      expect([(await member.outboxDepth()).outbox, seen]).toEqual([1, []]);
      isDurable = true;
      member.wake();
      await eventually(() => seen.length === 1);
    });

    test("an event that is written again under its id is handed out once", async () => {
      const { seen, handler } = collector();
      const member = open();
      member.subscribe("test.happened", { group: "one", handler });
      await member.start();
      await publish(1, "the-event");
      await eventually(async () => seen.length === 1 && (await member.depth()).pending === 0);
      await publish(1, "the-event");
      await publish(2, "another");
      await eventually(() => seen.some((event) => event.event_id === "another"));
      expect(seen.filter((event) => event.event_id === "the-event")).toHaveLength(1);
    });

    test("a handler that throws gets the event again until it resolves", async () => {
      let attempts = 0;
      const member = open();
      member.subscribe("test.happened", {
        group: "one",
        handler: async () => {
          attempts++;
          if (attempts < 3) throw new Error("not yet");
        },
      });
      await member.start();
      await publish(1);
      await eventually(async () => attempts === 3 && (await member.depth()).pending === 0);
      expect((await member.depth()).dead).toBe(0);
    });

    test("after its retries an event is a dead letter with the reason, which can be replayed or dropped", async () => {
      let broken = true;
      const done: number[] = [];
      const member = open();
      member.subscribe("test.happened", {
        group: "one",
        maxRetries: 1,
        handler: async (event) => {
          if (broken) throw new Error("the printer is on fire");
          done.push(event.payload.n as number);
        },
      });
      await member.start();
      await publish(1, "first");
      await publish(2, "second");
      const dead = await eventually(async () => {
        const letters = await member.deadLetters();
        return letters.length === 2 && letters;
      });
      expect(dead[0]).toMatchObject({
        channel: "test.happened",
        group: "one",
        attempts: 2,
        reason: "the printer is on fire",
      });
      broken = false;
      const letterOf = (eventId: string) => dead.find((letter) => letter.event.event_id === eventId)!.id;
      expect(await member.drop(letterOf("second"))).toBe(true);
      expect(await member.replay(letterOf("first"))).toBe(true);
      await eventually(() => done.length === 1);
      expect(done).toEqual([1]);
      expect(await member.deadLetters()).toEqual([]);
      expect(await member.replay("nothing")).toBe(false);
    });

    test("what is written while no member runs waits, for known groups and for new ones", async () => {
      const before = open();
      before.subscribe("test.happened", { group: "old", handler: collector().handler });
      await before.start();
      await before.stop();
      await publish(1);
      const [old, fresh] = [collector(), collector()];
      const after = open();
      after.subscribe("test.happened", { group: "old", handler: old.handler });
      await after.start();
      await eventually(() => old.seen.length === 1);
      const late = open();
      late.subscribe("test.happened", { group: "new", handler: fresh.handler });
      await late.start();
      await eventually(() => fresh.seen.length === 1);
      expect([old.numbers(), fresh.numbers()]).toEqual([[1], [1]]);
    });

    test("members that start at the same moment for the first time all start, and share their groups' events", async () => {
      const seen = collector();
      const together = Array.from({ length: 4 }, () => open());
      for (const member of together) {
        for (const group of ["one", "two"]) member.subscribe("test.happened", { group, handler: seen.handler });
      }
      await Promise.all(together.map((member) => member.start()));
      for (let n = 0; n < 10; n++) await publish(n);
      await eventually(async () => seen.seen.length >= 20 && (await together[0]!.depth()).pending === 0);
      expect(seen.numbers()).toEqual(Array.from({ length: 20 }, (_, index) => Math.floor(index / 2)));
    });

    test("what waits has its turn, however many events keep coming", async () => {
      const first = Array.from({ length: 12 }, (_, n) => n);
      const most = 400;
      const handled: number[] = [];
      const waiting = () => first.filter((n) => !handled.includes(n));
      const member = open();
      member.subscribe("test.happened", {
        group: "busy",
        concurrency: 1,
        handler: async ({ payload }) => {
          handled.push(payload.n as number);
          if (waiting().length > 0 && handled.length < most) await publish(first.length + handled.length);
        },
      });
      await current().documents.atomically(first.map((n) => outbox("test.happened", { n })));
      await member.start();
      await eventually(() => waiting().length === 0 || handled.length >= most, 60_000);
      expect(waiting()).toEqual([]);
      await eventually(async () => (await member.depth()).pending === 0, 60_000);
    });

    test("a group cannot change what another is handed", async () => {
      const member = open();
      const seen: unknown[] = [];
      for (const group of ["one", "two", "three"])
        member.subscribe("test.happened", {
          group,
          handler: async ({ payload }) => {
            seen.push(structuredClone(payload));
            Reflect.set(payload, "n", "changed");
            Reflect.set(payload.of as object, "n", "changed");
          },
        });
      await member.start();
      await current().documents.atomically([outbox("test.happened", { n: 1, of: { n: 2 } })]);
      member.wake();
      await eventually(() => seen.length === 3);
      expect(seen).toEqual(Array.from({ length: 3 }, () => ({ n: 1, of: { n: 2 } })));
    });

    test("an event whose batch fails is not sent", async () => {
      const { seen, handler } = collector();
      const member = open();
      member.subscribe("test.happened", { group: "one", handler });
      await member.start();
      const state = {
        collection: { name: "test_state" },
        require: true,
        updateOne: { filter: { _id: "absent" }, update: { $set: { a: 1 } } },
      };
      await expect(
        world.current().documents.atomically([outbox("test.happened", { n: 1 }), state]),
      ).rejects.toMatchObject({ code: "CONDITION_FAILED" });
      await publish(2);
      await eventually(() => seen.length === 1);
      expect(seen[0]!.payload).toEqual({ n: 2 });
    });

    test("stop waits for what is in a handler", async () => {
      let finished = false;
      let entered: () => void;
      const inside = new Promise<void>((resolve) => (entered = resolve));
      const member = open();
      member.subscribe("test.happened", {
        group: "one",
        handler: async () => {
          entered();
          await new Promise((resolve) => setTimeout(resolve, 50));
          finished = true;
        },
      });
      await member.start();
      await publish(1);
      await inside;
      await member.stop();
      expect(finished).toBe(true);
    });
  });
}
