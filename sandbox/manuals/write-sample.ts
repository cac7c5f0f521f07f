import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { SampleName } from "./samples.ts";

const SCRIPT = fileURLToPath(new URL("./sample-process.ts", import.meta.url));
const MOST_BYTES = 10_000_000;

/**
 * A sample manual as PDF. It is written in a process of its own: the memory of a thread that draws stays with whoever started it, a hundred
 * megabytes. @throws Error when it cannot be written
 */
export function writeSample(name: SampleName): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const args = ["--disable-warning=ExperimentalWarning", SCRIPT, name];
    execFile(process.execPath, args, { encoding: "buffer", maxBuffer: MOST_BYTES }, (error, pdf) =>
      error ? reject(error) : resolve(pdf),
    );
  });
}
