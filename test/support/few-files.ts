import { execFile } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Runs a script, which prints JSON, in a process that may have 128 files open. */
export async function withFewFiles(script: URL, ...given: string[]): Promise<unknown> {
  const command = 'ulimit -n 128; exec "$0" --disable-warning=ExperimentalWarning "$@"';
  const { stdout } = await promisify(execFile)("sh", [
    "-c",
    command,
    process.execPath,
    fileURLToPath(script),
    ...given,
  ]);
  return JSON.parse(stdout);
}

const held: number[] = [];

/** Opens as many files as this process may, except for some. */
export function takeFiles(spare = 0): void {
  try {
    for (;;) held.push(openSync("/dev/null", "r"));
  } catch {
    for (const descriptor of held.splice(0, spare)) closeSync(descriptor);
  }
}

export function giveFilesBack(): void {
  for (const descriptor of held.splice(0)) closeSync(descriptor);
}

/** Returns the code of its failure, or what `told` makes of its result. */
export async function outcomeOf<T>(work: Promise<T>, told: (result: T) => string): Promise<string> {
  return work.then(told, (error: NodeJS.ErrnoException) => error.code ?? error.name);
}
