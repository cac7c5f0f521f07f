import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeAbandonedFiles } from "../../mixins/abandoned-files.ts";
import { RENDER_WITHIN_MS } from "./limits.ts";

/**
 * A file that nothing was written to for so long, in milliseconds, is of a process that is gone: no work waits for half
 * of that.
 */
export const ABANDONED_AFTER_MS = 60 * RENDER_WITHIN_MS;

/** Names for files that live as long as a piece of work. */
export interface WorkFiles {
  /** Runs the work with as many paths as it takes; what it wrote there is removed after it. */
  use<T>(work: (path: () => string) => Promise<T>): Promise<T>;
  /** Removes the files of work that is still under way. */
  close(): Promise<void>;
}

/** Work in a folder that several processes may share; what was left there by those that were killed is removed. */
export async function openWorkFiles(directory: string): Promise<WorkFiles> {
  // Whoever may see the rest of DATA_DIR need not see what somebody is sending.
  const make = () => mkdir(directory, { recursive: true, mode: 0o700 });
  const inUse = new Set<string>();
  await make();
  await removeAbandonedFiles(directory, ABANDONED_AFTER_MS);
  return {
    use: async (work) => {
      // Somebody may have tidied up.
      await make();
      const paths: string[] = [];
      const path = (): string => {
        const name = join(directory, randomUUID());
        paths.push(name);
        inUse.add(name);
        return name;
      };
      try {
        return await work(path);
      } finally {
        await Promise.all(paths.map((used) => rm(used, { force: true })));
        for (const used of paths) inUse.delete(used);
      }
    },
    close: async () => {
      await Promise.all([...inUse].map((used) => rm(used, { force: true })));
    },
  };
}
