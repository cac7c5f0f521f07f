import { randomUUID } from "node:crypto";
import { access, constants, mkdir, open, readdir, rm, rmdir, stat, type FileHandle } from "node:fs/promises";
import { dirname, join } from "node:path";
import { streamContent, removeAbandonedFiles } from "@partline/toolkit";
import { assertKey, assertPrefix, assertRange, assertReadable, createBadRange, createNoSuchObject } from "../key.ts";
import { createMeasuredBody } from "../measured.ts";
import { ObjectStoreError, type ObjectFacts, type ObjectStore } from "../port.ts";
import { renameDurably } from "./durable.ts";

/** Folder of objects that arrive; no key begins with a dot. */
const ARRIVING = ".arriving";
/** Milliseconds without a write after which an arriving file is abandoned. */
const ABANDONED_AFTER = 3_600_000;

/** Files named like their keys; processes of one machine may share the folder. @throws UNAVAILABLE */
export async function openFilesStore(root: string): Promise<ObjectStore> {
  const arriving = join(root, ARRIVING);
  const removeAbandoned = () => assertUsable(removeAbandonedFiles(arriving, ABANDONED_AFTER));
  const ping = () => assertUsable(access(arriving, constants.W_OK));
  await assertUsable(mkdir(arriving, { recursive: true }));
  await ping();
  await removeAbandoned();
  const toPath = (key: string, assertFits: typeof assertKey): string => {
    assertFits(key);
    return join(root, key);
  };

  return {
    put: async (key, body) => {
      const path = toPath(key, assertKey);
      const temporary = join(arriving, randomUUID());
      const { body: content, stored, failure } = createMeasuredBody(body);
      try {
        await writeNew(temporary, content);
        await renameDurably(temporary, path, root);
        return stored();
      } catch (error) {
        await rm(temporary, { force: true });
        throw failure(createUnwritten(key, error));
      }
    },
    get: (key, range) =>
      asStoreErrors(root, key, async () => {
        const handle = await openToRead(toPath(key, assertReadable), key);
        try {
          const { size } = await handle.stat();
          if (range) assertRange(range);
          if (range && range.from >= size) throw createBadRange();
          return { bytes: size, body: streamContent(handle, size, range) };
        } catch (error) {
          await handle.close();
          throw error;
        }
      }),
    head: (key) =>
      asStoreErrors(root, key, async () => (await readFacts(toPath(key, assertReadable), key)) ?? assertStore(root)),
    delete: (key) =>
      asStoreErrors(root, key, async () => {
        const path = toPath(key, assertKey);
        if ((await readFacts(path, key)) === undefined) return assertStore(root);
        await rm(path, { force: true });
        await removeEmpty(dirname(path), root);
      }),
    list: (prefix, after = "") => {
      assertPrefix(prefix);
      const folder = prefix.includes("/") ? prefix.slice(0, prefix.lastIndexOf("/")) : "";
      return listBelow(root, folder, { prefix, after });
    },
    removeAbandoned,
    ping,
    close: () => undefined,
  };
}

async function writeNew(path: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  const handle = await open(path, "wx");
  try {
    for await (const chunk of content) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function openToRead(path: string, key: string): Promise<FileHandle> {
  const handle = await open(path, "r");
  if ((await handle.stat()).isFile()) return handle;
  await handle.close();
  throw createNoSuchObject(key);
}

async function readFacts(path: string, key: string): Promise<ObjectFacts | undefined> {
  const facts = await stat(path).catch(ignoreAbsent);
  return facts?.isFile() ? { key, bytes: facts.size, modifiedAt: facts.mtime } : undefined;
}

/** Depth first, in the order of the keys: `a.b` comes before `a/b`, so a folder sorts with its slash. */
async function* listBelow(
  root: string,
  folder: string,
  range: { prefix: string; after: string },
): AsyncGenerator<ObjectFacts> {
  const { prefix, after } = range;
  const entries = await asStoreErrors(root, folder, async () => {
    const dirents = await readdir(join(root, folder), { withFileTypes: true }).catch(ignoreAbsent);
    if (!dirents) await assertStore(root);
    return dirents ?? [];
  });
  const names = entries
    .filter(({ name }) => !name.startsWith("."))
    .map((entry) => ({
      isFolder: entry.isDirectory(),
      key: `${folder === "" ? "" : `${folder}/`}${entry.name}${entry.isDirectory() ? "/" : ""}`,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  for (const { key, isFolder } of names) {
    if (!key.startsWith(prefix) && !(isFolder && prefix.startsWith(key))) continue;
    if (isFolder) yield* listBelow(root, key.slice(0, -1), range);
    else if (key > after) {
      const facts = await asStoreErrors(root, key, () => readFacts(join(root, key), key));
      if (facts) yield facts;
    }
  }
}

async function removeEmpty(directory: string, root: string): Promise<void> {
  for (let folder = directory; folder !== root; folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (["ENOTEMPTY", "EEXIST", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return;
      throw error;
    }
  }
}

function ignoreAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

function isAbsent(error: unknown): boolean {
  // No file has a name that is too long for the disk.
  return ["ENOENT", "ENOTDIR", "ENAMETOOLONG"].includes((error as NodeJS.ErrnoException).code ?? "");
}

function createUnwritten(key: string, error: unknown): ObjectStoreError {
  const { code } = error as NodeJS.ErrnoException;
  if (!["EISDIR", "ENOTDIR", "EEXIST"].includes(code ?? "")) return createUnusable(error);
  return new ObjectStoreError("BAD_KEY", `The key ${key} is the beginning of another object's, or another's is of it`, {
    cause: error,
  });
}

/**
 * An object is absent only if the store is there: without the folder of arriving objects, all of it was removed.
 * @throws UNAVAILABLE
 */
async function assertStore(root: string): Promise<undefined> {
  await assertUsable(access(join(root, ARRIVING)));
}

async function asStoreErrors<T>(root: string, key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ObjectStoreError) throw error;
    if (!isAbsent(error)) throw createUnusable(error);
    await assertStore(root);
    throw createNoSuchObject(key);
  }
}

function assertUsable<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw createUnusable(error);
  });
}

function createUnusable(error: unknown): ObjectStoreError {
  return new ObjectStoreError(
    "UNAVAILABLE",
    `The object store cannot be used (${(error as NodeJS.ErrnoException).code ?? "error"})`,
    { cause: error },
  );
}
