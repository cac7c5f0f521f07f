import { spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "./eventually.ts";
import { clientOf, modeOfTest, startSystem, type SystemClient } from "./system.ts";

const KEEPER = fileURLToPath(new URL("./shared-system.keeper.ts", import.meta.url));

/** What the keeper of a shared system writes once it is ready, or could not be made so. */
export type Kept = { firstPort: number } | { error: string };

/**
 * The one embedded system for the suites that leave it as others need it: they neither stop it, nor want settings of their own, nor
 * count what others add to. The first of them starts it, in a process that ends with Jest (shared-systems.mjs). Over MongoDB each suite has
 * a system of its own, to be stopped by `end`: what one at rest asks of the store, all the time, would slow all others.
 */
export async function useSystem(): Promise<{ system: SystemClient; end: () => Promise<void> }> {
  if (modeOfTest() !== "embedded") {
    const own = await startSystem();
    return { system: own, end: () => own.stop() };
  }
  const { SHARED_SYSTEMS: directory, SHARED_SYSTEMS_OF: jest } = process.env;
  if (directory === undefined || jest === undefined) throw new Error("Jest's globalSetup has not run");
  const files = filesOf(directory);
  if (isFirst(files.directory)) {
    const output = openSync(files.output, "a");
    spawn(process.execPath, ["--disable-warning=ExperimentalWarning", KEEPER, directory, jest], { detached: true, stdio: ["ignore", output, output] }).unref();
  }
  const kept = await eventually(() => JSON.parse(readFileSync(files.kept, "utf8")) as Kept, 150_000);
  if ("error" in kept) throw new Error(kept.error);
  return { system: clientOf("embedded", kept.firstPort, () => readFileSync(files.output, "utf8")), end: () => Promise.resolve() };
}

export function filesOf(directory: string) {
  const own = join(directory, "embedded");
  return { directory: own, kept: join(own, "kept.json"), output: join(own, "output.txt"), over: join(directory, "over") };
}

function isFirst(directory: string): boolean {
  try {
    mkdirSync(directory);
    return true;
  } catch {
    return false;
  }
}
