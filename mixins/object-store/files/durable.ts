import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { KeyedQueue } from "../../keyed-queue.ts";

/** More often than deletes meet a put in one folder. */
const MOST_ATTEMPTS = 100;

/** Moves a file that is on disk to its place, so that a power cut leaves the old one or the new one. */
export async function renameDurably(from: string, to: string, root: string): Promise<void> {
  const directory = dirname(to);
  for (let attempt = 1; ; attempt += 1) {
    let made: string | undefined;
    try {
      // Most folders are there; a delete may just have removed an empty one.
      if (attempt > 1) made = await mkdir(directory, { recursive: true });
      await rename(from, to);
    } catch (error) {
      // mkdir fails alike if the folder goes meanwhile.
      if ((error as NodeJS.ErrnoException).code === "ENOENT" && attempt < MOST_ATTEMPTS) continue;
      throw error;
    }
    await syncDirectories(directory, made === undefined ? directory : root);
    return;
  }
}

/** Puts the entries of a folder, and of those above it up to `last`, on disk. */
async function syncDirectories(first: string, last: string): Promise<void> {
  for (let directory = first; ; directory = dirname(directory)) {
    await sync(directory);
    if (directory === last) return;
  }
}

const syncs = new KeyedQueue();
/** Syncs that have not begun, by folder: each serves all who ask for one meanwhile. */
const waiting = new Map<string, Promise<void>>();

function sync(directory: string): Promise<void> {
  const same = waiting.get(directory);
  if (same) return same;
  let hasBegun = false;
  const own = syncs.run(directory, async () => {
    hasBegun = true;
    waiting.delete(directory);
    const handle = await open(directory, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
  if (!hasBegun) waiting.set(directory, own);
  return own;
}
