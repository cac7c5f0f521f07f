import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { ChannelEvent, Channels } from "../src/channels/port.ts";
import { hasStoreCode, type CollectionDefinition, type Document } from "../src/document-store/port.ts";
import { eventually } from "../../../test/support/eventually.ts";
import type { ChannelsWorld } from "./channels.world.ts";

const RUNS = 5;
const GROUPS = ["one", "two"];
const EFFECTS: CollectionDefinition = { name: "test_effects" };

/** What befalls an event on its way through one group: how often the handler fails before and after its effect. */
const fate = fc.record({ before: fc.integer({ min: 0, max: 2 }), after: fc.integer({ min: 0, max: 2 }) });
const scenario = fc.record({
  fates: fc.array(fc.tuple(fate, fate), { minLength: 1, maxLength: 12 }),
  /** A member leaves and another comes when so many events are published. */
  changesAt: fc.integer({ min: 0, max: 12 }),
  repeats: fc.array(fc.nat({ max: 11 }), { maxLength: 4 }),
});

export function channelsProperties({ open, publish, current }: ChannelsWorld): void {
  test("under any faults, every group sees every event, and its effect is there once", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ fates, changesAt, repeats }) => {
        const channel = `test.run-${++run}`;
        const effects = current().documents.collection<Document>(EFFECTS);
        const id = (n: number): string => `event-${run}-${n}`;
        const failures = new Map<string, number>();
        const acknowledged: string[] = [];
        const handlerOf =
          (group: string) =>
          async ({ event_id, payload }: ChannelEvent): Promise<void> => {
            const { before, after } = fates[payload.n as number]![GROUPS.indexOf(group)]!;
            const key = `${group}:${event_id}`;
            const failed = failures.get(key) ?? 0;
            const fail = (): never => {
              failures.set(key, failed + 1);
              throw new Error("as it was fated");
            };
            if (failed < before) fail();
            await effects.insertOne({ _id: key }).catch((error: unknown) => {
              if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
            });
            if (failed < before + after) fail();
            acknowledged.push(key);
          };
        const join = async (): Promise<Channels> => {
          const member = open();
          for (const group of GROUPS) member.subscribe(channel, { group, handler: handlerOf(group) });
          await member.start();
          return member;
        };

        const [leaving, staying] = [await join(), await join()];
        for (const [n] of fates.entries()) {
          if (n === changesAt) await Promise.all([leaving.stop(), join()]);
          await publish(n, id(n), channel);
        }
        for (const n of repeats.filter((repeat) => repeat < fates.length)) await publish(n, id(n), channel);
        const expected = fates.flatMap((_, n) => GROUPS.map((group) => `${group}:${id(n)}`)).sort();
        await eventually(
          async () => acknowledged.length >= expected.length && (await staying.depth()).pending === 0,
          30_000,
        );
        expect([...acknowledged].sort()).toEqual(expected);
        expect(await effects.count({ _id: { $in: expected } })).toBe(expected.length);
        expect(await staying.deadLetters()).toEqual([]);
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });
}
