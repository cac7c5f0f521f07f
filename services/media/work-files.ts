import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeAbandonedFiles } from "../../mixins/abandoned-files.ts";
import { RENDER_WITHIN_MS } from "./limits.ts";

/** Milliseconds without a write after which a file is a dead process's; work takes less than half. */
export const ABANDONED_AFTER_MS = 60 * RENDER_WITHIN_MS;

/** Temporary files of pieces of work. */
export interface WorkFiles {
  /** Removes the files after the work. */
  use<T>(work: (path: () => string) => Promise<T>): Promise<T>;
  /** Removes the files of unfinished work. */
  close(): Promise<void>;
}

/** Several processes may share the folder; files of killed ones are removed. */
export async function openWorkFiles(directory: string): Promise<WorkFiles> {
  // Uploads are private even from readers of DATA_DIR.
  const make = () => mkdir(directory, { recursive: true, mode: 0o700 });
  const inUse = new Set<string>();
  await make();
  await removeAbandonedFiles(directory, ABANDONED_AFTER_MS);
  return {
    use: async (work) => {
      // It may have been removed.
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
