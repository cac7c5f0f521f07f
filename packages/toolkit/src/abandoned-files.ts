import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ignoreAbsent } from "./local-files.ts";

/** Removes what is in a folder and was not written to for `afterMs` milliseconds: its writers were killed. */
export async function removeAbandonedFiles(directory: string, afterMs: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    // Another process that starts may remove it first.
    const facts = await stat(path).catch(ignoreAbsent);
    if (facts && Date.now() - facts.mtimeMs > afterMs) await rm(path, { recursive: true, force: true });
  }
}
