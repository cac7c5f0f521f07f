import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { KeyedQueue } from "@partline/toolkit";

/** More often than deletes meet a put in one folder. */
const MOST_ATTEMPTS = 100;

/** Folders that puts make, until these and those above them are on disk. */
const making = new Set<{ directory: string }>();

/** Moves a file that is on disk to its place, so that a power cut leaves the old one or the new one. */
export async function renameDurably(from: string, to: string, root: string): Promise<void> {
  const folder = { directory: dirname(to) };
  try {
    await moveDurably(from, to, folder);
    // Another put may have made the folder, or one in it, meanwhile.
    const isNew = [...making].some(({ directory }) => directory.startsWith(folder.directory));
    await syncDirectories(folder.directory, isNew ? root : folder.directory);
  } finally {
    making.delete(folder);
  }
}

async function moveDurably(from: string, to: string, folder: { directory: string }): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      // Most folders are there; a delete may have removed an empty one.
      if (attempt > 1) {
        making.add(folder);
        await mkdir(folder.directory, { recursive: true });
      }
      await rename(from, to);
      return;
    } catch (error) {
      // mkdir fails alike if the folder goes meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

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
  const syncRun = syncs.run(directory, async () => {
    hasBegun = true;
    waiting.delete(directory);
    const handle = await open(directory, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  });
  if (!hasBegun) waiting.set(directory, syncRun);
  return syncRun;
}
