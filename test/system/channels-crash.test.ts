import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import type { State, Wish } from "./channels.worker.ts";

const WORKER = fileURLToPath(new URL("./channels.worker.ts", import.meta.url));
const EVENTS = ["event-1", "event-2", "event-3", "event-4"];

const running = new Set<WorkerProcess<Wish>>();
afterEach(async () => {
  await Promise.all([...running].map((worker) => worker.kill()));
  running.clear();
});

async function start(dataDir: string): Promise<WorkerProcess<Wish>> {
  const worker = await startWorkerProcess<Wish>(WORKER, [dataDir]);
  running.add(worker);
  return worker;
}

const newDirectory = (): string => mkdtempSync(join(tmpdir(), "partline-channels-crash-"));

const done = (worker: WorkerProcess<Wish>): Promise<State> =>
  eventually(async () => {
    const state = await worker.ask<State>({ do: "state" });
    return Object.keys(state.handled).length === EVENTS.length && state.pending === 0 && state;
  });

it("kill -9 loses no event that was taken ahead or given back, and doubles none", async () => {
  const whole = await start(newDirectory());
  await whole.ask({ do: "run" });
  const undisturbed = await done(whole);
  expect(undisturbed).toMatchObject({ givenBack: 3, dead: 0 });
  await whole.kill();

  for (let dieAfter = 0; dieAfter < undisturbed.writes; dieAfter++) {
    const dataDir = newDirectory();
    const worker = await start(dataDir);
    await worker.ask({ do: "run", dieAfter }).catch(() => undefined);
    expect(await worker.ended).toBe("SIGKILL");
    const next = await start(dataDir);
    await next.ask({ do: "run" });
    const { handled, dead } = await done(next);
    await next.kill();
    expect([Object.keys(handled).sort(), dead]).toEqual([EVENTS, 0]);
    // The one in its handler is handled again; those that wait are nobody's yet.
    const times = Object.values(handled).reduce((sum, count) => sum + count, 0);
    expect([dieAfter, times > EVENTS.length + 1]).toEqual([dieAfter, false]);
  }
}, 300_000);
