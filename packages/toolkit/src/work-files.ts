import { removeAbandonedFiles } from "./abandoned-files.ts";
import { getAt } from "./get-at.ts";
import { randomUUID } from "node:crypto";
import { mkdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";

/** Milliseconds without a write or touch after which a file or folder is a dead process's. */
export const ABANDONED_AFTER_MS = 60 * 60_000;

export type WorkFiles = Awaited<ReturnType<typeof openWorkFiles>>;

/** Temporary files and folders of pieces of work. Several processes may share the folder. */
export async function openWorkFiles(directory: string) {
  const inUse = new Set<string>();
  // Private even from readers of DATA_DIR; it may have been removed.
  const prepare = () => mkdir(directory, { recursive: true, mode: 0o700 });
  const removeAbandoned = () => removeAbandonedFiles(directory, ABANDONED_AFTER_MS);
  const path = (): string => {
    const name = join(directory, randomUUID());
    inUse.add(name);
    return name;
  };
  /** Removes a file; if the disk fails, `sweep` removes it later, because the work's own outcome counts. */
  const remove = async (used: string): Promise<void> => {
    inUse.delete(used);
    await rm(used, { recursive: true, force: true }).catch(() => undefined);
  };
  await prepare();
  await removeAbandoned();
  return {
    prepare,
    path,
    remove,
    /** Removes what the work made after it. */
    async use<T>(work: (path: () => string) => Promise<T>): Promise<T> {
      await prepare();
      const paths: string[] = [];
      try {
        return await work(() => getAt(paths, paths.push(path()) - 1));
      } finally {
        await Promise.all(paths.map(remove));
      }
    },
    /** Removes what killed processes left, and touches what is in use: call it far more often than once an hour. */
    async sweep(): Promise<void> {
      const now = new Date();
      // A file that is gone meanwhile needs no touch.
      await Promise.allSettled([...inUse].map((used) => utimes(used, now, now)));
      await removeAbandoned();
    },
    /** Removes the files of unfinished work. */
    async close(): Promise<void> {
      await Promise.all([...inUse].map(remove));
    },
  };
}
