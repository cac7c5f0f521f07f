import { Worker } from "node:worker_threads";
import type { SampleName } from "./samples.ts";

/**
 * A sample manual as PDF. It is written in a thread, which ends with it: some hundred milliseconds that would stop everybody else, and code
 * that nobody needs afterwards. @throws Error when the thread cannot
 */
export function writeSample(name: SampleName): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./sample-thread.ts", import.meta.url), {
      workerData: name,
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxYoungGenerationSizeMb: 24 },
    });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", (code) => reject(new Error(`The thread that wrote ${name} ended with ${code}`)));
  });
}
