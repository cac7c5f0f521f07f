import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Context, ServiceSchema } from "moleculer";
import { getRemainingMs } from "@partline/moleculer-kit";
import { startTestBroker, type TestBroker } from "../../support/test-broker.ts";

/** What each action had left when it began, and in which order they began. */
let began: [action: string, left: number][];
const told = (ctx: Context): void => void began.push([ctx.action!.name!, getRemainingMs(ctx)]);

const first = (): ServiceSchema => ({
  name: "first",
  actions: {
    ask: async (ctx: Context) => {
      told(ctx);
      await delay(100);
      return ctx.call("second.ask");
    },
    askBriefly: (ctx: Context) => ctx.call("second.brief", {}, { timeout: 5_000 }),
  },
});

const second = () =>
  ({
    name: "second",
    actions: {
      ask: async (ctx: Context) => {
        told(ctx);
        await delay(100);
        await ctx.call("third.hang").catch(() => undefined);
        // A timer may fire a millisecond early: there would be time left.
        await delay(20);
        return ctx.call("third.after");
      },
      brief: { timeout: 150, handler: (ctx: Context) => ctx.call("third.hang") },
    },
  }) as ServiceSchema;

const third = () =>
  ({
    name: "third",
    actions: {
      hang: async (ctx: Context) => {
        told(ctx);
        await delay(2_500);
      },
      after: (ctx: Context) => told(ctx),
      queued: {
        bulkhead: { enabled: true, concurrency: 1, maxQueueSize: 10 },
        handler: async (ctx: Context) => {
          told(ctx);
          await delay(200);
        },
      },
    },
  }) as unknown as ServiceSchema;

describe.each(["local", "fake"] as const)("deadlines, %s", (transport) => {
  let system: TestBroker;
  beforeEach(async () => {
    began = [];
    system = await startTestBroker({ services: [first, second, third], transport });
    await system.broker.waitForServices(["first", "second", "third"], 30_000, 10);
  });
  afterEach(() => system.stop());
  const ask = (action: string, timeout?: number): Promise<string> =>
    system.broker
      .call(action, {}, timeout === undefined ? {} : { timeout })
      .then(String, ({ type }: { type: string }) => type);

  test("shrink along a chain, and nothing begins when the first caller has given up", async () => {
    expect(await ask("first.ask", 2_000)).toBe("REQUEST_TIMEOUT");
    // What hangs has ended by then, and what would come after it would have begun.
    await delay(1_500);
    expect(began.map(([action]) => action)).toEqual(["first.ask", "second.ask", "third.hang"]);
    const left = began.map(([, ms]) => ms);
    expect(left[0]).toBeLessThanOrEqual(2_000);
    expect(left[1]).toBeLessThanOrEqual(left[0]! - 95);
    expect(left[2]).toBeLessThanOrEqual(left[1]! - 95);
  });

  test("are the callee's own where those are shorter than what the caller has", async () => {
    const startedAt = performance.now();
    expect(await ask("first.askBriefly")).toBe("REQUEST_TIMEOUT");
    expect(performance.now() - startedAt).toBeLessThan(6_000);
  });

  test("end what waits in a bulkhead before it begins", async () => {
    const outcomes = await Promise.all([
      ask("third.queued"),
      ask("third.queued", 100),
      ask("third.queued", 100),
      ask("third.queued"),
    ]);
    expect(outcomes).toEqual(["undefined", "REQUEST_TIMEOUT", "REQUEST_TIMEOUT", "undefined"]);
    expect(began).toHaveLength(2);
  });
});
