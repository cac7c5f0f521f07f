import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "@jest/globals";
import { DEATHS_FORGIVEN } from "../../packages/durable/src/channels/redelivery.ts";
import { eventually } from "../support/eventually.ts";
import { manualPdf, sha256Of } from "../support/manuals.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import type { Wish } from "./pipeline.worker.ts";

const WORKER = fileURLToPath(new URL("pipeline.worker.ts", import.meta.url));

type Sent = { batch_id: string; job_id: string };
type State = {
  file: { status: string; pages: number; parts: number; error?: string };
  writes: number;
  letters: { payload: Record<string, unknown>; reason: string }[];
};

const started: WorkerProcess<Wish>[] = [];
afterEach(async () => {
  for (const worker of started.splice(0)) await worker.kill();
});

async function start(dataDir: string, ...more: string[]): Promise<WorkerProcess<Wish>> {
  const worker = await startWorkerProcess<Wish>(WORKER, [dataDir, ...more]);
  started.push(worker);
  return worker;
}

const newDataDir = (): string => mkdtempSync(join(tmpdir(), "partline-pipeline-"));
const over = (worker: WorkerProcess<Wish>, batch_id: string): Promise<State> =>
  eventually(async () => {
    const state = await worker.ask<State>({ do: "state", batch_id });
    return ["queued", "processing"].includes(state.file.status) ? undefined : state;
  }, 60_000);

/** A process that has read a manual. */
async function readManual(title: string) {
  const content = await manualPdf({ pages: 12, title });
  const dataDir = newDataDir();
  const worker = await start(dataDir);
  const { batch_id } = await worker.ask<Sent>({ do: "upload", content: content.toString("base64") });
  await over(worker, batch_id);
  return { sha256: sha256Of(content), dataDir, worker };
}

/** The state of a job that has ended; undefined when the process died before. */
async function endedOrDead(worker: WorkerProcess<Wish>, batch_id: string): Promise<State | undefined> {
  for (;;) {
    const state = await worker.ask<State>({ do: "state", batch_id }).catch(() => undefined);
    if (!state || !["queued", "processing"].includes(state.file.status)) return state;
    await delay(20);
  }
}

describe("a pipeline whose process is killed", () => {
  test("between any two writes ends the job as it should, with each result once", async () => {
    const content = await manualPdf({ pages: 23, title: "Killed" });
    const sha256 = sha256Of(content);
    const wish = { do: "upload", content: content.toString("base64") } as const;
    const whole = await start(newDataDir());
    const { batch_id } = await whole.ask<Sent>({ ...wish, dieAfter: 1_000_000 });
    const { writes, file } = await over(whole, batch_id);
    expect(file).toMatchObject({ status: "completed", pages: 23, parts: 46 });
    await whole.kill();

    // Some of the writes, in other places each time that somebody changes how many there are.
    const steps = [...new Set(Array.from({ length: 5 }, (_, index) => Math.floor((index * writes) / 5)))];
    for (const dieAfter of steps) {
      const dataDir = newDataDir();
      const first = await start(dataDir);
      await first.ask<Sent>({ ...wish, dieAfter }).catch(() => undefined);
      expect(await first.ended).toBe("SIGKILL");
      const second = await start(dataDir);
      // A client without an answer sends the file again.
      const again = await second.ask<Sent>(wish);
      expect(again.job_id).toBe(`${sha256}-1`);
      expect((await over(second, again.batch_id)).file).toMatchObject({ status: "completed", pages: 23, parts: 46 });
      expect(await second.ask({ do: "find", sha256 })).toMatchObject({ created: 1, manual: { pages: 23 } });
      await second.kill();
    }
  }, 240_000);

  test("again and again, at any point of its work, reads every file that it has taken, within a minute after the last time", async () => {
    const dataDir = newDataDir();
    const first = await start(dataDir);
    const sent: Sent[] = [];
    for (const title of ["One", "Two", "Three", "Four"]) {
      const content = (await manualPdf({ pages: 12, title })).toString("base64");
      sent.push(await first.ask<Sent>({ do: "upload", content }));
    }
    await first.kill();
    for (let kills = 1; kills <= 10; kills += 1) {
      // It dies as soon as it has begun a piece of work, often before it is ready.
      const worker = await startWorkerProcess<Wish>(WORKER, [dataDir, "any"]).catch(() => undefined);
      await Promise.race([worker?.ended, delay(500)]);
      await worker?.kill();
    }
    const last = await start(dataDir);
    const ended: State[] = [];
    for (const { batch_id } of sent) ended.push(await over(last, batch_id));
    expect(ended.map(({ file: { status, parts } }) => [status, parts])).toEqual(sent.map(() => ["completed", 24]));
    expect(ended.at(-1)!.letters).toEqual([]);
  }, 120_000);

  test("while a manual is corrected corrects it all the same, once", async () => {
    const { sha256, dataDir, ...first } = await readManual("Corrected");
    let { worker } = first;
    // Right after it is promised, and while it is put together.
    for (const [round, dieAfter] of [1, 3].entries()) {
      const equipment = [`BR60${round}`];
      await worker.ask({ do: "correct", sha256, equipment, dieAfter }).catch(() => undefined);
      expect(await worker.ended).toBe("SIGKILL");
      worker = await start(dataDir);
      type Known = { created: number; manual: { equipment: string[] } };
      const known = await eventually(async () => {
        const found = await worker.ask<Known>({ do: "find", sha256 });
        return found.created === 2 + round && found;
      }, 100_000);
      expect(known.manual.equipment).toEqual(equipment);
    }
  });

  test("while a row is corrected corrects it all the same, once", async () => {
    const { sha256, dataDir, ...first } = await readManual("Row corrected");
    let { worker } = first;
    for (const [round, dieAfter] of [1, 3].entries()) {
      const description = `SPRING ${round}`;
      await worker.ask({ do: "correctRow", sha256, page: round + 1, description, dieAfter }).catch(() => undefined);
      expect(await worker.ended).toBe("SIGKILL");
      worker = await start(dataDir);
      type Kept = { state: string; part: { corrected: { description: string } } }[];
      const kept = await eventually(async () => {
        const corrections = await worker.ask<Kept>({ do: "corrections", sha256 });
        return corrections.every(({ state }) => state === "applied") && corrections;
      }, 100_000);
      expect(kept.map(({ part }) => part.corrected.description)).toContain(description);
      expect(kept).toHaveLength(round + 1);
      const countCreated = async () => (await worker.ask<{ created: number }>({ do: "find", sha256 })).created;
      await eventually(async () => (await countCreated()) > 1 + round, 100_000);
      expect(await countCreated()).toBe(2 + round);
    }
  });

  test("by the same pages again and again goes on without them, and leaves a dead letter", async () => {
    const content = await manualPdf({ pages: 25, title: "Deadly" });
    const dataDir = newDataDir();
    const wish = { do: "upload", content: content.toString("base64"), deadlyWork: "r1" } as const;
    const first = await start(dataDir);
    const { batch_id } = await first.ask<Sent>(wish);
    expect(await first.ended).toBe("SIGKILL");
    let deaths = 1;
    let survived: { worker: WorkerProcess<Wish>; state: State } | undefined;
    while (survived === undefined && deaths < 10) {
      const worker = await startWorkerProcess<Wish>(WORKER, [dataDir, "r1"]).catch(() => undefined);
      const state = worker && (await endedOrDead(worker, batch_id));
      if (worker && state) survived = { worker, state };
      else deaths += 1;
    }
    started.push(survived!.worker);
    expect(deaths).toBe(DEATHS_FORGIVEN + 1);
    const { file } = survived!.state;
    expect(file).toMatchObject({ status: "partially_failed", pages: 25, parts: 30 });
    expect(file.error).toMatch(/^Page 11: Each process that worked on it ended; .*; Page 20: [^;]*$/);
    const { letters } = await eventually(async () => {
      const state = await survived!.worker.ask<State>({ do: "state", batch_id });
      return state.letters.length > 0 && state;
    });
    expect(letters).toEqual([
      {
        payload: expect.objectContaining({ kind: "range", range: 1 }),
        reason: "Each time the process ended while it handled the task",
      },
    ]);
  }, 120_000);
});
