import { mkdir, readdir, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "node:crypto";
import { removeAbandonedFiles } from "../../../mixins/abandoned-files.ts";
import { writeContent } from "../../../mixins/local-files.ts";
import type { ObjectStore } from "../../../mixins/object-store/port.ts";
import { sourceKey } from "../object-keys.ts";

/** Milliseconds: the next range of the file follows soon. */
const IDLE_MS = 20_000;
/** Milliseconds without a touch after which a file is a dead process's: each touches its own when it sweeps. */
const ABANDONED_AFTER_MS = 60 * 60_000;

/** PDFs on this machine's disk, for the processes that read them. */
export interface LocalCopies {
  /** Fetches the file unless it is here, and keeps it during the work. @throws what the object store throws */
  use<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T>;
  /** A temporary folder for the work. */
  folder<T>(work: (path: string) => Promise<T>): Promise<T>;
  /** Removes what killed processes left, and touches what is in use: call it far more often than once an hour. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

interface Copy {
  path: string;
  ready: Promise<void>;
  users: number;
  idle?: NodeJS.Timeout;
}

export async function openLocalCopies(directory: string, objects: ObjectStore): Promise<LocalCopies> {
  // Private even from readers of DATA_DIR.
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await removeAbandoned(directory);
  const copies = new Map<string, Copy>();
  const folders = new Set<string>();

  const fetch = async (sha256: string, path: string): Promise<void> => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const { body } = await objects.get(sourceKey(sha256));
    await writeContent(path, body);
  };
  const begin = (sha256: string): Copy => {
    const path = join(directory, `${randomUUID()}.pdf`);
    const copy: Copy = { path, ready: fetch(sha256, path), users: 0 };
    copies.set(sha256, copy);
    // The next user tries again.
    copy.ready.catch(() => remove(sha256, copy));
    return copy;
  };
  const remove = async (sha256: string, copy: Copy): Promise<void> => {
    clearTimeout(copy.idle);
    if (copies.get(sha256) === copy) copies.delete(sha256);
    await rm(copy.path, { force: true });
  };

  return {
    use: async (sha256, work) => {
      const copy = copies.get(sha256) ?? begin(sha256);
      copy.users += 1;
      clearTimeout(copy.idle);
      try {
        await copy.ready;
        return await work(copy.path);
      } finally {
        copy.users -= 1;
        if (copy.users === 0 && copies.get(sha256) === copy)
          copy.idle = setTimeout(() => void remove(sha256, copy), IDLE_MS).unref();
      }
    },
    folder: async (work) => {
      const path = join(directory, randomUUID());
      folders.add(path);
      try {
        await mkdir(path, { recursive: true, mode: 0o700 });
        return await work(path);
      } finally {
        folders.delete(path);
        await rm(path, { recursive: true, force: true });
      }
    },
    sweep: async () => {
      const now = new Date();
      // A file that has just gone needs no touch.
      await Promise.allSettled(
        [...[...copies.values()].map(({ path }) => path), ...folders].map((path) => utimes(path, now, now)),
      );
      await removeAbandoned(directory);
    },
    close: async () => {
      await Promise.all([...copies].map(([sha256, copy]) => remove(sha256, copy)));
      await Promise.all([...folders].map((path) => rm(path, { recursive: true, force: true })));
    },
  };
}

async function removeAbandoned(directory: string): Promise<void> {
  await removeAbandonedFiles(directory, ABANDONED_AFTER_MS);
  await removeAbandonedFolders(directory);
}

async function removeAbandonedFolders(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(directory, entry.name);
    const facts = await stat(path).catch(() => undefined);
    if (facts && Date.now() - facts.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}
