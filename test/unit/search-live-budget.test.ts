import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { createLiveBudget, MOST_LIVE_PARTS } from "../../services/search/live-budget.ts";

test("a client has the dealer asked about so many parts a minute, and others and keys as before", () => {
  const request = fc.record({
    client: fc.constantFrom("a", "b"),
    parts: fc.integer({ min: 1, max: 100 }),
    waitMs: fc.nat(8_000),
  });
  fc.assert(
    fc.property(fc.array(request, { minLength: 50, maxLength: 200 }), (requests) => {
      let time = 0;
      const budget = createLiveBudget(() => time);
      const granted: { client: string; parts: number; at: number }[] = [];
      for (const { client, parts, waitMs } of requests) {
        time += waitMs;
        if (budget.spend({ meta: { client } }, parts)) granted.push({ client, parts, at: time });
        else expect(granted.some((grant) => grant.client === client && grant.at > time - 60_000)).toBe(true);
        expect(budget.spend({ meta: { client, caller: { admin: true } } }, 100)).toBe(true);
        expect(budget.spend({ meta: {} }, 100)).toBe(true);
      }
      // A window begins with a request: two of them meet in any minute at most.
      for (const { client, at } of granted) {
        const within = granted.filter((grant) => grant.client === client && grant.at > at - 60_000 && grant.at <= at);
        expect(within.reduce((sum, { parts }) => sum + parts, 0)).toBeLessThanOrEqual(2 * MOST_LIVE_PARTS);
      }
    }),
  );
});
