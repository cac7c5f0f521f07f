import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { mongoTestUrl } from "../support/mongo.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import type { State, Wish } from "./tasks.worker.ts";

const WORKER = fileURLToPath(new URL("./tasks.worker.ts", import.meta.url));
const PAGES = 3;
/** Of the worker's tasks: each runs one at a time. */
const LANES = 2;

type Worker = WorkerProcess<Wish>;

const running = new Set<Worker>();
afterEach(async () => {
  await Promise.all([...running].map((worker) => worker.kill()));
  running.clear();
});

async function start(...args: string[]): Promise<Worker> {
  const worker = await startWorkerProcess<Wish>(WORKER, args);
  running.add(worker);
  return worker;
}

const done = (worker: Worker, withinMs: number): Promise<State> =>
  eventually(async () => {
    const state = await worker.ask<State>({ do: "state" });
    return state.left === 0 && state;
  }, withinMs);

function expectEveryEffect({ effects }: State): void {
  expect(Object.keys(effects).sort()).toEqual(Array.from({ length: PAGES }, (_, page) => String(page)));
  // A run that died after its first step begins again; the second ends it, and is repeated only if the process died
  // before the task was deleted.
  for (const steps of Object.values(effects)) {
    expect(steps.first).toBeGreaterThanOrEqual(1);
    expect(steps.second).toBeGreaterThanOrEqual(1);
  }
  const all = Object.values(effects).flatMap(({ first = 0, second = 0 }) => [first, second]);
  expect(all.reduce((sum, times) => sum + times, 0)).toBeLessThanOrEqual(2 * PAGES + 2 * LANES);
}

describe("kill -9 while tasks run", () => {
  const keys = Array.from({ length: PAGES }, (_, page) => `page-${page}`);

  it("leaves no task undone over an embedded store, after any last write, and the next start goes on at once", async () => {
    const begin = async (): Promise<[Worker, string]> => {
      const dataDir = mkdtempSync(join(tmpdir(), "partline-tasks-crash-"));
      const worker = await start(dataDir);
      await worker.ask({ do: "enqueue", keys });
      return [worker, dataDir];
    };
    const [whole] = await begin();
    await whole.ask({ do: "run" });
    await done(whole, 10_000);
    // Of each task: taken, two steps, deleted. The last is counted a moment after the store has it.
    const writes = 4 * PAGES;
    await eventually(async () => (await whole.ask<State>({ do: "state" })).writes === writes);
    await whole.kill();

    for (let dieAfter = 0; dieAfter < writes; dieAfter++) {
      const [worker, dataDir] = await begin();
      await worker.ask({ do: "run", dieAfter }).catch(() => undefined);
      expect(await worker.ended).toBe("SIGKILL");
      const next = await start(dataDir);
      await next.ask({ do: "run" });
      expectEveryEffect(await done(next, 10_000));
      await next.kill();
    }
  }, 240_000);

  (process.env.MONGO_URL ? it : it.skip)(
    "has another process that shares the store take the dead one's task up within a minute",
    async () => {
      const mongoUrl = mongoTestUrl("tasks-crash");
      const [dying, staying] = [await start(tmpdir(), mongoUrl), await start(tmpdir(), mongoUrl)];
      await dying.ask({ do: "enqueue", keys });
      await dying.ask({ do: "run", slowMs: 60_000 });
      // It holds one of each lane, behind which the others wait.
      await eventually(async () => Object.keys((await staying.ask<State>({ do: "state" })).effects).length === LANES);
      await staying.ask({ do: "run" });
      await dying.kill();
      expectEveryEffect(await done(staying, 60_000));
    },
    120_000,
  );
});
