import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { endProcess } from "../../../mixins/child-process.ts";
import { isMachineExhausted } from "../../../mixins/local-files.ts";
import type { Assembled, AssemblyJob } from "./job.ts";

const ENTRY = fileURLToPath(new URL("./process.ts", import.meta.url));
const MEMORY_MB = 400;
const WITHIN_MS = 5 * 60_000;

/** A manual could not be put together, and would not be the next time. */
export class AssemblyFailed extends Error {
  override readonly name = "AssemblyFailed";
}

/**
 * Puts a manual together in a process of its own, which is ended when it takes too much, and whose memory goes with it.
 * @throws AssemblyFailed, the signal's reason, and an Error where the process was ended by others: the next time it may
 * not be
 */
export function runAssembly(job: AssemblyJob, signal: AbortSignal): Promise<Assembled> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Settings and secrets are none of its business.
    const child = fork(ENTRY, [], {
      env: {},
      execArgv: ["--disable-warning=ExperimentalWarning", `--max-old-space-size=${MEMORY_MB}`],
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      outcome();
      endProcess(child);
    };
    const fail = (why: string): void =>
      settle(() => reject(new AssemblyFailed(`The manual could not be put together: ${why}`)));
    const onAbort = (): void => settle(() => reject(signal.reason as Error));
    const timer = setTimeout(() => fail(`it took longer than ${WITHIN_MS / 1_000} s`), WITHIN_MS);
    signal.addEventListener("abort", onAbort);
    child.once("message", (outcome: { assembled: Assembled } | { failed: string; code?: string }) => {
      if ("assembled" in outcome) settle(() => resolve(outcome.assembled));
      else if (isMachineExhausted(outcome))
        settle(() => reject(Object.assign(new Error(outcome.failed), { code: outcome.code })));
      else fail(outcome.failed);
    });
    child.once("error", (error) => settle(() => reject(error)));
    child.once("exit", (_, signal) => {
      // V8 aborts where its heap is full.
      if (signal === "SIGABRT") fail(`it took more than ${MEMORY_MB} MB of memory`);
      else settle(() => reject(new Error("The process that puts a manual together was ended")));
    });
    // One that could not be started has no `send`, and its error tells.
    child.send?.(job, () => undefined);
  });
}
