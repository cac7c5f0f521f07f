import { describe, expect, it } from "@jest/globals";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { requestTurns } from "../../services/catalog/suppliers/open.ts";
import { useStores } from "./catalog.support.ts";

describe("turns to ask a supplier", () => {
  const open = useStores("turns");
  /**
   * When each of so many turns came that two processes took as fast as they could, in milliseconds since they began.
   */
  const take = async (documents: DocumentStore, turns: number, perSecond: number): Promise<number[]> => {
    const startedAt = Date.now();
    const at: number[] = [];
    const process = async (): Promise<void> => {
      const turn = requestTurns(documents, "supplier", perSecond);
      const all = Array.from({ length: turns / 2 }, async () => {
        await turn();
        at.push(Date.now() - startedAt);
      });
      await Promise.all(all);
    };
    await Promise.all([process(), process()]);
    return at.sort((a, b) => a - b);
  };

  it.each([
    [20, 20],
    // The last waits longer than for a wrong clock.
    [14, 5],
  ])("are one after another across processes, %i turns at %i a second", async (turns, perSecond) => {
    const times = await take(await open(), turns, perSecond);
    // A turn may be late, but never early; a timer may be, by a millisecond.
    for (const [n, time] of times.entries()) expect(time).toBeGreaterThanOrEqual((n * 1_000) / perSecond - 1);
    expect(times.at(-1)).toBeLessThan(5_000);
  });

  it("are not waited for for ever where another process's clock is ahead", async () => {
    const documents = await open();
    await requestTurns(documents, "supplier", 0.0001)();
    const startedAt = performance.now();
    await requestTurns(documents, "supplier", 20)();
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });
});
