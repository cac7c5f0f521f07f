import { Worker } from "node:worker_threads";
import type { Assembled, AssemblyJob } from "./job.ts";

const MEMORY_MB = 400;
const WITHIN_MS = 5 * 60_000;

/** A manual could not be put together, and would not be the next time. */
export class AssemblyFailed extends Error {
  override readonly name = "AssemblyFailed";
}

/**
 * Puts a manual together in a thread, which is ended when it takes too much.
 * @throws AssemblyFailed, and the signal's reason
 */
export function runAssembly(job: AssemblyJob, signal: AbortSignal): Promise<Assembled> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const worker = new Worker(new URL("./thread.ts", import.meta.url), {
      name: "manual-assembly", workerData: job, env: {}, execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, maxYoungGenerationSizeMb: 32 },
    });
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      outcome();
      void worker.terminate();
    };
    const fail = (why: string): void => settle(() => reject(new AssemblyFailed(`The manual could not be put together: ${why}`)));
    const onAbort = (): void => settle(() => reject(signal.reason as Error));
    const timer = setTimeout(() => fail(`it took longer than ${WITHIN_MS / 1_000} s`), WITHIN_MS);
    signal.addEventListener("abort", onAbort);
    worker.once("message", (assembled: Assembled) => settle(() => resolve(assembled)));
    worker.once("error", (error: NodeJS.ErrnoException) => fail(error.code === "ERR_WORKER_OUT_OF_MEMORY" ? `it took more than ${MEMORY_MB} MB of memory` : error.message));
    worker.once("exit", () => fail("the thread ended"));
  });
}
