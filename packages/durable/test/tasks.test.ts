import { describe, expect, it } from "@jest/globals";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { GivenUp } from "../src/channels/port.ts";
import type { TaskHandler, TaskRun } from "../src/tasks/port.ts";
import type { Tasks } from "../src/tasks/tasks.ts";
import { TASKS, type TaskDocument } from "../src/tasks/task.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { STORES, useTasks } from "./tasks.world.ts";

const quickly = { pauseMs: () => 1 };
const in_ = (ms: number): Date => new Date(Date.now() + ms);

/** Keeps what it was given. */
function collector(more: Partial<TaskHandler> = {}) {
  const seen: number[] = [];
  return { seen, handler: { ...more, run: async ({ n }: Record<string, unknown>) => void seen.push(n as number) } };
}

/** Runs that wait until the test lets them end. */
function gate(more: Partial<TaskHandler> = {}) {
  const runs: { n: number; task: TaskRun; end: () => void }[] = [];
  const handler: TaskHandler = {
    ...more,
    run: async ({ n }, task) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      task.signal.addEventListener("abort", () => reject(task.signal.reason as Error));
      runs.push({ n: n as number, task, end: resolve });
      await promise;
    },
  };
  return { runs, handler };
}

describe.each(STORES)("durable tasks over the %s store", (backend) => {
  const world = useTasks(backend);
  const { member, put } = world;
  const isEmpty = (tasks: Tasks) => async (): Promise<boolean> => (await tasks.list({ limit: 1 })).length === 0;
  const rows = () => world.documents().collection<TaskDocument>(TASKS);

  it("takes the newest payload and time of a key that waits, and counts its attempts from zero", async () => {
    const { seen, handler } = collector();
    await put("print", "a", 1, { dueAt: in_(60_000) });
    await rows().updateOne({ _id: "print:a" }, { $set: { attempts: 7 } });
    await put("print", "a", 2);
    const tasks = member({ print: handler });
    expect(await tasks.find("print:a")).toMatchObject({ state: "waiting", attempts: 0, payload: { n: 2 } });
    await tasks.start();
    await eventually(isEmpty(tasks));
    expect(seen).toEqual([2]);
  });

  it("runs a key again that is enqueued during its run, after that run, without its progress", async () => {
    const { runs, handler } = gate();
    const tasks = member({ print: handler });
    await tasks.start();
    await put("print", "a", 1);
    await eventually(() => runs.length === 1);
    await put("print", "a", 2);
    await world.documents().atomically([runs[0]!.task.held({ page: 1 })]);
    expect(await tasks.find("print:a")).toMatchObject({ state: "held" });
    expect(runs).toHaveLength(1);
    runs[0]!.end();
    await eventually(() => runs.length === 2);
    expect(runs[1]).toMatchObject({ n: 2, task: { progress: undefined } });
    runs[1]!.end();
    await eventually(isEmpty(tasks));
  });

  it("runs a key that was enqueued during a run without that run's progress, also if its process died", async () => {
    const stuck = gate();
    // Its process stands still: of so long a lease it renews nothing.
    const dead = member({ print: stuck.handler }, 600_000);
    await dead.start();
    await put("print", "a", 1);
    await eventually(() => stuck.runs.length === 1);
    await put("print", "a", 2);
    await world.documents().atomically([stuck.runs[0]!.task.held({ page: 1 })]);
    await rows().updateOne({ _id: "print:a" }, { $set: { heldUntil: new Date() } });
    const { runs, handler } = gate();
    const next = member({ print: handler });
    await next.start();
    await eventually(() => runs.length === 1);
    expect(runs[0]).toMatchObject({ n: 2, task: { progress: undefined } });
    runs[0]!.end();
    await eventually(isEmpty(next));
    stuck.runs[0]!.end();
  });

  it("repeats a run that throws, after pauses, with the progress that it kept", async () => {
    const tries: unknown[] = [];
    const tasks = member({
      print: {
        ...quickly,
        run: async (_payload, task) => {
          tries.push(task.progress);
          await world.documents().atomically([task.held({ page: tries.length })]);
          if (tries.length < 3) throw new Error("not yet");
        },
      },
    });
    await tasks.start();
    world.ended.length = 0;
    await put("print", "a", 1);
    await eventually(() => world.ended.length === 3);
    expect(tries).toEqual([undefined, { page: 1 }, { page: 2 }]);
    expect(world.ended.splice(0)).toEqual([
      ["a", 1, "failed"],
      ["a", 2, "failed"],
      ["a", 3, "done"],
    ]);
  });

  it("gives a task up after its retries, or at once by GivenUp; it can be retried, dropped or enqueued again", async () => {
    let isBroken = true;
    const done: number[] = [];
    const tasks = member({
      print: {
        ...quickly,
        maxRetries: 1,
        run: async ({ n }) => {
          if (isBroken) throw n === 2 ? new GivenUp("no such page") : new Error("the printer is on fire");
          done.push(n as number);
        },
      },
    });
    await tasks.start();
    for (const n of [1, 2, 3]) await put("print", `k${n}`, n);
    const dead = await eventually(async () => {
      const found = await tasks.list({ state: "dead", limit: 10 });
      return found.length === 3 && found;
    });
    const by = Object.fromEntries(dead.map((task) => [task.key, task]));
    expect(by.k1).toMatchObject({ attempts: 2, reason: "the printer is on fire", diedAt: expect.any(Date) });
    expect(by.k2).toMatchObject({ attempts: 1, reason: "no such page" });
    expect(await tasks.depths()).toEqual(new Map([["print", { waiting: 0, dead: 3, oldestWaitMs: 0 }]]));
    isBroken = false;
    expect([await tasks.retry("print:k1"), await tasks.drop("print:k2")]).toEqual([true, true]);
    await put("print", "k3", 3);
    await eventually(isEmpty(tasks));
    expect(done.sort()).toEqual([1, 3]);
    expect([await tasks.retry("print:k1"), await tasks.drop("print:k2")]).toEqual([false, false]);
  });

  it("gives up a task whose run ends its process each time", async () => {
    const { seen, handler } = collector({ maxRetries: 1 });
    await put("print", "poison", 1);
    await rows().updateOne({ _id: "print:poison" }, { $set: { attempts: 7 } });
    const tasks = member({ print: handler });
    await tasks.start();
    await eventually(async () => (await tasks.depth()).dead === 1);
    expect((await tasks.find("print:poison"))!.reason).toBe("Each time the process ended while it handled the task");
    expect(seen).toEqual([]);
  });

  it("counts a death of a process as no failure", async () => {
    let failures = 0;
    await put("print", "unlucky", 1);
    await rows().updateOne({ _id: "print:unlucky" }, { $set: { attempts: 5 } });
    const tasks = member({
      print: {
        ...quickly,
        maxRetries: 1,
        run: () => ((failures += 1) === 1 ? Promise.reject(new Error("out of paper")) : Promise.resolve()),
      },
    });
    await tasks.start();
    await eventually(isEmpty(tasks));
    expect(failures).toBe(2);
  });

  it("runs those over which a process died one at a time, and others beside them", async () => {
    const { runs, handler } = gate();
    for (const n of [1, 2, 3]) await put("print", `k${n}`, n);
    await rows().updateMany({ key: { $in: ["k1", "k2"] } }, { $set: { attempts: 1 } });
    const tasks = member({ print: handler });
    await tasks.start();
    await eventually(() => runs.length === 2);
    expect(runs.map(({ n }) => n).sort()).toEqual([1, 3]);
    runs.find(({ n }) => n === 3)!.end();
    await eventually(async () => (await tasks.depth()).waiting === 2);
    expect(runs).toHaveLength(2);
    runs.find(({ n }) => n === 1)!.end();
    await eventually(() => runs.length === 3);
    runs[2]!.end();
    await eventually(isEmpty(tasks));
  });

  (backend === "embedded" ? it : it.skip)("waits before it repeats what two processes died over", async () => {
    const { seen, handler } = collector();
    const tasks = member({ print: handler });
    for (const n of [1, 2]) {
      await put("print", `died-${n}`, n);
      const held = { attempts: n, holder: "dead", heldUntil: in_(10_000) };
      await rows().updateOne({ _id: `print:died-${n}` }, { $set: held });
    }
    await tasks.start();
    expect((await tasks.find("print:died-2"))!.dueAt.getTime()).toBeGreaterThan(Date.now());
    await eventually(isEmpty(tasks));
    expect(seen).toEqual([1, 2]);
  });

  it("informs what waits for a task before it is dead, and not until then is it", async () => {
    const told: unknown[] = [];
    const tasks = member(
      {
        print: {
          maxRetries: 0,
          run: () => Promise.reject(new Error("on fire")),
          gaveUp: ({ n }, error) => {
            told.push([n, (error as Error | undefined)?.message]);
            return told.length === 1 ? Promise.reject(new Error("not yet")) : Promise.resolve();
          },
        },
      },
      100,
    );
    await put("print", "killing", 2);
    await rows().updateOne({ _id: "print:killing" }, { $set: { attempts: 6 } });
    await tasks.start();
    await eventually(async () => (await tasks.depth()).dead === 1);
    await put("print", "burning", 1);
    await eventually(async () => (await tasks.depth()).dead === 2);
    expect(told).toEqual([
      [2, undefined],
      [2, undefined],
      [1, "on fire"],
    ]);
  });

  it("keeps what is done for as long as its kind says", async () => {
    const { handler } = collector({ keptMs: 60_000 });
    const { seen, handler: brief } = collector({ keptMs: 1 });
    const tasks = member({ print: handler, bind: brief });
    await tasks.start();
    await put("print", "a", 1);
    await put("bind", "b", 2);
    await eventually(async () => (await tasks.find("print:a"))?.state === "done" && seen.length === 1);
    await eventually(async () => (await tasks.find("bind:b")) === undefined);
    await put("print", "a", 3, { dueAt: in_(60_000) });
    expect(await tasks.find("print:a")).toMatchObject({ state: "waiting", payload: { n: 3 } });
  });

  it("runs no more of a kind at once than its concurrency, and others beside it", async () => {
    const { runs, handler } = gate({ concurrency: 2 });
    const { seen, handler: other } = collector();
    const tasks = member({ print: handler, bind: other });
    for (let n = 0; n < 120; n++) await put("print", `k${n}`, n);
    await tasks.start();
    await put("bind", "b", 1);
    await eventually(() => runs.length === 2 && seen.length === 1);
    expect((await tasks.depths()).get("print")).toMatchObject({ waiting: 120 });
    runs[0]!.end();
    await eventually(() => runs.length === 3);
    await delay(20);
    expect(runs).toHaveLength(3);
  });

  (backend === "mongodb" ? it : it.skip)("leaves to other processes what it cannot begin at once", async () => {
    const [busy, idle] = [gate({ eager: 1 }), gate({ eager: 1 })];
    const [a, b] = [member({ print: busy.handler }), member({ print: idle.handler })];
    await a.start();
    for (const n of [1, 2, 3]) await put("print", `k${n}`, n);
    await eventually(() => busy.runs.length === 1);
    await b.start();
    await eventually(() => idle.runs.length === 1);
    // What nobody has taken by then is begun all the same.
    await eventually(() => busy.runs.length + idle.runs.length === 3);
    for (const { end } of [...busy.runs, ...idle.runs]) end();
    await eventually(isEmpty(a));
  });

  it("aborts what runs when it stops, and hands it on without counting the run", async () => {
    const first = gate();
    const a = member({ print: first.handler });
    await a.start();
    await put("print", "a", 1);
    await eventually(() => first.runs.length === 1);
    await a.stop();
    expect(first.runs[0]!.task.signal.aborted).toBe(true);
    expect(await a.find("print:a")).toMatchObject({ state: "waiting", attempts: 0 });
    const { seen, handler } = collector();
    const b = member({ print: handler });
    await b.start();
    await eventually(isEmpty(b));
    expect(seen).toEqual([1]);
  });

  it("aborts a run whose task is dropped, also from another process", async () => {
    const { runs, handler } = gate();
    const a = member({ print: handler }, 300);
    const b = member({});
    await a.start();
    await put("print", "a", 1);
    await put("print", "b", 2);
    await eventually(() => runs.length === 2);
    const [own, others] = [runs.find(({ n }) => n === 1)!, runs.find(({ n }) => n === 2)!];
    await a.drop("print:a");
    expect(own.task.signal.aborted).toBe(true);
    await b.drop("print:b");
    await eventually(() => others.task.signal.aborted);
    await expect(world.documents().atomically([others.task.held()])).rejects.toMatchObject({
      code: "CONDITION_FAILED",
    });
    await eventually(isEmpty(a));
  });

  it("takes what a dead process held once its lease has run out, and writes nothing any more for that one", async () => {
    const stuck = gate();
    // Its process stands still: of so long a lease it renews nothing.
    const dead = member({ print: stuck.handler }, 600_000);
    await dead.start();
    await put("print", "a", 1);
    await eventually(() => stuck.runs.length === 1);
    await rows().updateOne({ _id: "print:a" }, { $set: { heldUntil: new Date() } });
    const { seen, handler } = collector();
    const next = member({ print: handler });
    await next.start();
    await eventually(isEmpty(next));
    expect(seen).toEqual([1]);
    await put("print", "a", 2, { dueAt: in_(60_000) });
    await expect(world.documents().atomically([stuck.runs[0]!.task.held()])).rejects.toMatchObject({
      code: "CONDITION_FAILED",
    });
    stuck.runs[0]!.end();
    await dead.stop();
    expect(await next.find("print:a")).toMatchObject({ state: "waiting", payload: { n: 2 } });
  });

  it("says how much waits, and since when", async () => {
    const tasks = member({});
    expect(await tasks.depth()).toEqual({ waiting: 0, due: 0, dead: 0, oldestWaitMs: 0 });
    await put("print", "a", 1, { dueAt: in_(-5_000) });
    await put("print", "b", 2, { dueAt: in_(60_000) });
    const { oldestWaitMs, ...counts } = await tasks.depth();
    expect(counts).toEqual({ waiting: 2, due: 1, dead: 0 });
    const depths = await tasks.depths();
    expect([...depths.keys()]).toEqual(["print"]);
    expect(depths.get("print")).toMatchObject({ waiting: 2, dead: 0 });
    for (const age of [oldestWaitMs, depths.get("print")!.oldestWaitMs]) {
      expect(age).toBeGreaterThanOrEqual(5_000);
      expect(age).toBeLessThan(60_000);
    }
  });

  it("leaves a task that runs out of the oldest wait", async () => {
    const { runs, handler } = gate();
    const tasks = member({ print: handler });
    await put("print", "a", 1, { dueAt: in_(-5_000) });
    await tasks.start();
    await eventually(() => runs.length === 1);
    expect((await tasks.depths()).get("print")).toEqual({ waiting: 1, dead: 0, oldestWaitMs: 0 });
    runs[0]!.end();
    await eventually(isEmpty(tasks));
  });

  it("lets no lane wait for another: beside a full one, and of more lanes than a look takes", async () => {
    const { runs, handler } = gate({ concurrency: () => 2 });
    const tasks = member({ print: handler });
    for (let n = 0; n < 120; n++) await put("print", `long-${n}`, n, { lane: "long", dueAt: in_(-60_000) });
    await tasks.start();
    await eventually(() => runs.length === 2);
    for (let n = 0; n < 130; n++) await put("print", `lane-${n}`, 1_000 + n, { lane: `lane-${n}` });
    await put("print", "none", 2_000);
    await eventually(() => runs.length === 2 + 130 + 1);
    expect(
      runs
        .filter(({ n }) => n < 1_000)
        .map(({ n }) => n)
        .sort(),
    ).toEqual([0, 1]);
    runs[0]!.end();
    await eventually(() => runs.filter(({ n }) => n < 1_000).length === 3);
    expect(runs.at(-1)!.n).toBe(2);
    expect(await tasks.find("print:lane-7")).toMatchObject({ lane: "lane-7", state: "held" });
    await tasks.stop();
  });

  it("begins each lane in the order of its times, with no more runs than its places, through stops and starts", async () => {
    let run = 0;
    const lanes = ["a", "b", "c"];
    const one = fc.record({ lane: fc.constantFrom(...lanes), age: fc.integer({ min: 1, max: 1_000 }) });
    const stops = fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 16 }), stops, async (given, stopsAfter) => {
        run += 1;
        const begun: { lane: string; n: number }[] = [];
        const ended: number[] = [];
        const inside = new Map<string, number>();
        let most = 0;
        const handler: TaskHandler = {
          concurrency: () => 1,
          run: async ({ n }, { signal }) => {
            const { lane } = given[n as number]!;
            inside.set(lane, (inside.get(lane) ?? 0) + 1);
            most = Math.max(most, inside.get(lane)!);
            begun.push({ lane, n: n as number });
            try {
              await delay(1);
              signal.throwIfAborted();
              ended.push(n as number);
            } finally {
              inside.set(lane, inside.get(lane)! - 1);
            }
          },
        };
        const dueAt = ({ age }: { age: number }, n: number) => in_(-1_000 * age - n);
        const times = given.map((task, n) => dueAt(task, n));
        for (const [n, { lane }] of given.entries())
          await put("bind", `run-${run}-${n}`, n, { lane, dueAt: times[n]! });
        for (const count of stopsAfter) {
          const tasks = member({ bind: handler });
          await tasks.start();
          await eventually(() => ended.length >= Math.min(count, given.length));
          await tasks.stop();
        }
        const tasks = member({ bind: handler });
        await tasks.start();
        await eventually(isEmpty(tasks));
        await tasks.stop();
        expect(most).toBe(1);
        // A stop aborts a run, which is then begun again: of each task, the first run counts.
        for (const name of lanes) {
          const order = begun.filter(({ lane }) => lane === name).map(({ n }) => n);
          const first = [...new Set(order)];
          const byTime = (a: number, b: number) => times[a]!.getTime() - times[b]!.getTime();
          expect(first).toEqual(first.toSorted(byTime));
        }
        expect(ended.toSorted((a, b) => a - b)).toEqual(given.map((_, n) => n));
      }),
      { numRuns: 8, endOnFailure: true },
    );
  });

  const fate = fc.record({
    key: fc.integer({ min: 0, max: 4 }),
    /** How often its run fails before and after its effect. */
    before: fc.integer({ min: 0, max: 2 }),
    after: fc.integer({ min: 0, max: 1 }),
  });
  const scenario = fc.record({
    fates: fc.array(fate, { minLength: 1, maxLength: 12 }),
    /** A process leaves and another comes when so many tasks are enqueued. */
    changesAt: fc.integer({ min: 0, max: 12 }),
  });

  it("has every task's effect at least once, and one run of a key at a time, also with failures and lost processes", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ fates, changesAt }) => {
        const prefix = `run-${++run}`;
        const failures = new Map<number, number>();
        const effects = new Map<number, number>();
        const inside = new Set<number>();
        const overlaps: number[] = [];
        const handler: TaskHandler = {
          ...quickly,
          run: async ({ n }, { signal }) => {
            const { key, before, after } = fates[n as number]!;
            if (inside.has(key)) overlaps.push(key);
            inside.add(key);
            try {
              await delay(1);
              signal.throwIfAborted();
              const failed = failures.get(n as number) ?? 0;
              const fail = (): never => {
                failures.set(n as number, failed + 1);
                throw new Error("as it was fated");
              };
              if (failed < before) fail();
              effects.set(n as number, (effects.get(n as number) ?? 0) + 1);
              if (failed < before + after) fail();
            } finally {
              inside.delete(key);
            }
          },
        };
        const joined: Tasks[] = [];
        const join = async (): Promise<Tasks> => {
          const tasks = member({ print: handler });
          joined.push(tasks);
          await tasks.start();
          return tasks;
        };
        const [leaving, staying] = [await join(), await join()];
        for (const [n, { key }] of fates.entries()) {
          if (n === changesAt) await Promise.all([leaving.stop(), join()]);
          await put("print", `${prefix}-${key}`, n);
        }
        await eventually(isEmpty(staying), 30_000);
        await Promise.all(joined.map((tasks) => tasks.stop()));
        expect(overlaps).toEqual([]);
        expect((await staying.depth()).dead).toBe(0);
        // The newest payload of a key takes the place of the ones that had not run.
        const newest = new Map(fates.map(({ key }, n) => [key, n]));
        for (const n of newest.values()) expect(effects.get(n) ?? 0).toBeGreaterThan(0);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it("begins the tasks of a kind in the order of their time, for any order of enqueueing", async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: 10_000 }), { maxLength: 12 }), async (ages) => {
        run += 1;
        const { seen, handler } = collector({ concurrency: 1 });
        for (const age of ages) await put("bind", `run-${run}-${age}`, age, { dueAt: in_(-10_000 * age) });
        const tasks = member({ bind: handler });
        await tasks.start();
        await eventually(isEmpty(tasks));
        await tasks.stop();
        expect(seen).toEqual([...ages].sort((a, b) => b - a));
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});
