import { mkdir } from "node:fs/promises";
import { writeContent, openWorkFiles } from "@partline/toolkit";
import type { ObjectStore } from "@partline/durable";
import { getSourceKey } from "../object-keys.ts";

/** Milliseconds: the next range of the file follows soon. */
const IDLE_MS = 20_000;

interface Copy {
  path: string;
  ready: Promise<void>;
  users: number;
  idle?: NodeJS.Timeout;
}

export type LocalCopies = Awaited<ReturnType<typeof openLocalCopies>>;

/** Opens the folder of PDFs on this machine's disk, for the processes that read them. */
export async function openLocalCopies(directory: string, objects: ObjectStore) {
  const files = await openWorkFiles(directory);
  const copies = new Map<string, Copy>();

  const fetch = async (sha256: string, path: string): Promise<void> => {
    await files.prepare();
    await writeContent(path, (await objects.get(getSourceKey(sha256))).body);
  };
  const begin = (sha256: string): Copy => {
    const path = files.path();
    const copy: Copy = { path, ready: fetch(sha256, path), users: 0 };
    copies.set(sha256, copy);
    // The next user tries again.
    copy.ready.catch(() => remove(sha256, copy));
    return copy;
  };
  const remove = async (sha256: string, copy: Copy): Promise<void> => {
    if (copies.get(sha256) === copy) copies.delete(sha256);
    await files.remove(copy.path);
  };

  return {
    /** Fetches the file unless it is here, and keeps it during the work. @throws what the object store throws */
    async use<T>(sha256: string, work: (path: string) => Promise<T>): Promise<T> {
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
    /** A temporary folder for the work. */
    useFolder: <T>(work: (path: string) => Promise<T>): Promise<T> =>
      files.use(async (path) => {
        const folder = path();
        await mkdir(folder, { mode: 0o700 });
        return work(folder);
      }),
    sweep: files.sweep,
    async close(): Promise<void> {
      for (const { idle } of copies.values()) clearTimeout(idle);
      copies.clear();
      await files.close();
    },
  };
}
