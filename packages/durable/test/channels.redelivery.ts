import { describe, expect, test } from "@jest/globals";
import { GivenUp } from "../src/channels/port.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { collector, type ChannelsWorld } from "./channels.world.ts";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How often, how soon and to how many at once an event is handed out. */
export function redeliveryContract({ open, publish, current }: ChannelsWorld): void {
  describe("redelivery", () => {
    test("ends after the retries, each with a longer pause before it", async () => {
      const handedOutAt: number[] = [];
      const member = open();
      member.subscribe("test.happened", {
        group: "one",
        maxRetries: 4,
        handler: async () => {
          handedOutAt.push(performance.now());
          throw new Error("never");
        },
      });
      await member.start();
      await publish(1);
      await eventually(async () => (await member.deadLetters()).length === 1);
      expect(handedOutAt).toHaveLength(5);
      const pauses = handedOutAt.slice(1).map((at, index) => at - handedOutAt[index]!);
      // Half of 100, 200, 400 and 800 ms at least; a timer may be a millisecond early.
      pauses.forEach((waited, index) => expect(waited).toBeGreaterThanOrEqual(50 * 2 ** index - 2));
      // A server takes an acknowledgement in a moment after it was sent.
      await eventually(async () => (await member.depth()).pending === 0);
      expect(await member.depth()).toMatchObject({ outbox: 0, pending: 0, dead: 1 });
      expect(current().report.failures.map(({ attempts, outcome }) => [attempts, outcome])).toEqual([
        [1, "comes back"],
        [2, "comes back"],
        [3, "comes back"],
        [4, "comes back"],
        [5, "dead letter"],
      ]);
    });

    test("ends at once where the handler gives the event up, however many retries there are", async () => {
      let attempts = 0;
      const member = open();
      member.subscribe("test.happened", {
        group: "one",
        maxRetries: Infinity,
        handler: async () => {
          attempts++;
          throw attempts === 3 ? new GivenUp("no use") : new Error("not yet");
        },
      });
      await member.start();
      await publish(1);
      expect(await eventually(async () => (await member.deadLetters())[0])).toMatchObject({
        attempts: 3,
        reason: "no use",
      });
      expect(attempts).toBe(3);
    });

    test("of a replayed dead letter counts from nothing, and reaches its group alone", async () => {
      let attempts = 0;
      const other = collector();
      const member = open();
      member.subscribe("test.happened", {
        group: "one",
        maxRetries: 1,
        handler: async () => {
          attempts++;
          throw new Error("never");
        },
      });
      member.subscribe("test.happened", { group: "two", handler: other.handler });
      await member.start();
      await publish(1);
      const dead = () => eventually(async () => (await member.deadLetters())[0]);
      expect(await member.replay((await dead()).id)).toBe(true);
      await eventually(() => attempts >= 3);
      expect(await dead()).toMatchObject({ group: "one", attempts: 2 });
      expect(attempts).toBe(4);
      expect(other.seen).toHaveLength(1);
    });

    test("waits for a handler that is at work, however long it takes", async () => {
      let runs = 0;
      const slow = { group: "one", handler: () => (runs++, pause(7_000)) };
      const [first, second] = [open({ ackWaitMs: 3_000 }), open({ ackWaitMs: 3_000 })];
      for (const member of [first, second]) {
        member.subscribe("test.happened", slow);
        await member.start();
      }
      await publish(1);
      await eventually(() => runs > 0);
      await eventually(async () => (await first.depth()).pending === 0, 30_000);
      expect(runs).toBe(1);
    });

    test("goes on with no more at once than the handler takes, and with no fewer", async () => {
      const inside = { now: 0, most: 0, done: 0 };
      const gate = Promise.withResolvers<void>();
      const member = open();
      member.subscribe("test.happened", {
        group: "one",
        concurrency: 3,
        handler: async () => {
          inside.now++;
          inside.most = Math.max(inside.most, inside.now);
          await gate.promise;
          await pause(5);
          inside.now--;
          inside.done++;
        },
      });
      for (let n = 0; n < 12; n++) await publish(n);
      await member.start();
      await eventually(() => inside.now === 3);
      gate.resolve();
      await eventually(() => inside.done === 12);
      expect(inside.most).toBe(3);
    });
  });
}
