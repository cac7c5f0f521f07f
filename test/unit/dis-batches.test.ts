import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { createHttpError } from "@partline/http-client";
import { type DisClient, type DisPart, type DisValue, toDisKey } from "../../services/dis-router/dis-client.ts";
import { createBatches, type Outcome } from "../../services/dis-router/inquiries.ts";

const part = (number: number): DisPart => ({ code: "HON", partNumber: `P${number}` });
const parts = (from: number, count: number): DisPart[] =>
  Array.from({ length: count }, (_, index) => part(from + index));
/** The value that the supplier has for a part, derived from its number. */
const valueOf = ({ partNumber }: DisPart): DisValue => ({
  found: true,
  price: Number(partNumber.slice(1)) + 1,
  available: true,
  quantity: 1,
});

/** A supplier whose requests end when the test says so. */
function heldSupplier() {
  const open: { asked: readonly DisPart[]; answer(): void; fail(error: unknown): void }[] = [];
  const requests: number[] = [];
  let mostOpen = 0;
  const client: DisClient = {
    inquire: (asked) =>
      new Promise((resolve, reject) => {
        requests.push(asked.length);
        const request = {
          asked,
          answer: () => (end(), resolve(new Map(asked.map((one) => [toDisKey(one), valueOf(one)])))),
          fail: (error: unknown) => (end(), reject(error)),
        };
        const end = (): void => void open.splice(open.indexOf(request), 1);
        open.push(request);
        mostOpen = Math.max(mostOpen, open.length);
      }),
  };
  return { client, open, requests, mostOpen: () => mostOpen };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));
const prices = async (outcomes: Promise<Outcome>[]) =>
  (await Promise.all(outcomes)).map((outcome) =>
    "value" in outcome && outcome.value.found ? outcome.value.price : outcome,
  );

describe("inquiries in batches", () => {
  it("give everybody their own parts' values, asked once at a time, never more than fifty and four at once", async () => {
    const call = fc.array(fc.nat(150).map(part), { minLength: 1, maxLength: 120 });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 12 }), fc.array(fc.nat()), async (calls, order) => {
        const { client, open, requests, mostOpen } = heldSupplier();
        const ask = createBatches(client, () => undefined);
        const asked = calls.map((wanted) => ask(wanted));
        for (let step = 0; open.length > 0; step++) {
          const together = open.flatMap((request) => request.asked.map(toDisKey));
          expect(new Set(together).size).toBe(together.length);
          open[(order[step % order.length] ?? 0) % open.length]!.answer();
          await turn();
        }
        for (const [index, wanted] of calls.entries())
          expect(await prices(asked[index]!)).toEqual(
            wanted.map((one) => {
              const value = valueOf(one);
              return value.found && value.price;
            }),
          );
        expect(Math.max(...requests)).toBeLessThanOrEqual(50);
        expect(mostOpen()).toBeLessThanOrEqual(4);
        expect(requests.reduce((sum, size) => sum + size, 0)).toBe(new Set(calls.flat().map(toDisKey)).size);
      }),
      { numRuns: 60 },
    );
  });

  it("turn away what a slow supplier cannot be asked any more, and take it again later", async () => {
    const { client, open } = heldSupplier();
    const ask = createBatches(client, () => undefined);
    // Four requests of fifty are under way, and five thousand wait.
    const taken = ask(parts(0, 200));
    const waiting = ask(parts(200, 5_000));
    expect(await Promise.all(ask([part(9_000), part(9_001)]))).toEqual([{ error: "busy" }, { error: "busy" }]);
    expect(ask([part(0), part(5_199)])).toHaveLength(2);
    open[0]!.answer();
    await turn();
    const later = ask([part(9_000)]);
    for (; open.length > 0; await turn()) for (const request of [...open]) request.answer();
    expect(await prices([...taken, ...waiting])).toEqual(parts(0, 5_200).map((_, index) => index + 1));
    expect(await prices(later)).toEqual([9_001]);
  });

  it("report for every part of a failed request why, and go on", async () => {
    const { client, open } = heldSupplier();
    const told: unknown[] = [];
    const ask = createBatches(client, (error) => told.push(error));
    const failed = ask(parts(0, 2));
    open[0]!.fail(createHttpError({ provider: "dealer inventory system", reason: "unreachable" }));
    expect(await Promise.all(failed)).toEqual([{ error: "unavailable" }, { error: "unavailable" }]);
    const fine = ask(parts(0, 2));
    open[0]!.answer();
    expect(await prices(fine)).toEqual([1, 2]);
    expect(told).toEqual(["unavailable", null]);
  });

  it("hide no fault of ours, and go on after it", async () => {
    const { client, open } = heldSupplier();
    const ask = createBatches(client, () => undefined);
    const [broken] = ask([part(1)]);
    open[0]!.fail(new TypeError("a bug"));
    await expect(broken).rejects.toThrow("a bug");
    const [fine] = ask([part(1)]);
    open[0]!.answer();
    expect(await prices([fine!])).toEqual([2]);
  });
});
