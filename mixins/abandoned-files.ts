import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

/** Removes the files of a folder that were not written to for `afterMs` milliseconds: their writers were killed. */
export async function removeAbandonedFiles(directory: string, afterMs: number): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const facts = await stat(path).catch(unlessAbsent);
    if (facts?.isFile() && Date.now() - facts.mtimeMs > afterMs) await rm(path, { force: true });
  }
}

/** Another process that starts may remove it first. */
function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
  return undefined;
}
