import { createWorkerPool, ProcessFailed } from "../../../mixins/child-process.ts";
import { isMachineExhausted } from "../../../mixins/local-files.ts";
import type { Assembled, AssemblyJob } from "./assemble-files.ts";

const MEMORY_MB = 400;
const WITHIN_MS = 5 * 60_000;

/** The next attempt would fail, too. */
export class AssemblyFailed extends Error {
  override readonly name = "AssemblyFailed";
}

/**
 * Puts a manual together in a process of its own, whose memory goes with it. @throws AssemblyFailed, the signal's
 * reason, and an Error that may pass
 */
export async function runAssembly(job: AssemblyJob, signal: AbortSignal): Promise<Assembled> {
  const pool = createWorkerPool<AssemblyJob, Assembled>(1, {
    entry: new URL("./process.ts", import.meta.url),
    heapMb: MEMORY_MB,
  });
  try {
    return await pool.run((worker) => worker.ask(job, WITHIN_MS), { signal });
  } catch (error) {
    signal.throwIfAborted();
    const isPassing = error instanceof ProcessFailed ? error.code === "CRASHED" : isMachineExhausted(error);
    if (isPassing) throw error;
    const why = (error as Error).message.replace(/^It/, "it");
    throw new AssemblyFailed(`The manual could not be put together: ${why}`);
  } finally {
    await pool.close();
  }
}
