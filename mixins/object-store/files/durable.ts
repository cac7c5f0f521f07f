import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** More often than deletes meet a put in one folder. */
const MOST_ATTEMPTS = 100;

/**
 * Moves a written file to its place so that a power cut leaves the old one or the new one; the file itself is on disk
 * already.
 */
export async function renameDurably(from: string, to: string, root: string): Promise<void> {
  const directory = dirname(to);
  for (let attempt = 1; ; attempt += 1) {
    let made: string | undefined;
    try {
      made = await mkdir(directory, { recursive: true });
      await rename(from, to);
    } catch (error) {
      // A delete has just taken the empty folder away; mkdir fails alike where it goes while mkdir looks at it.
      if ((error as NodeJS.ErrnoException).code === "ENOENT" && attempt < MOST_ATTEMPTS) continue;
      throw error;
    }
    await syncDirectories(directory, made === undefined ? directory : root);
    return;
  }
}

/**
 * A folder's entries are on disk when the folder itself is synced: this one's, and those of the folders above it up to
 * `last`.
 */
async function syncDirectories(first: string, last: string): Promise<void> {
  for (let directory = first; ; directory = dirname(directory)) {
    const handle = await open(directory, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (directory === last) return;
  }
}
