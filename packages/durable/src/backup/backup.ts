import { TARGETS } from "../channels/outbox.ts";
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, mkdir, open, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { getAt, ignoreAbsent, readFileContent } from "@partline/toolkit";
import { takeSnapshots, emptyTable } from "./sqlite-snapshots.ts";

const MANIFEST = "backup.json";

/** The backup's description; without it, the backup is not complete. */
interface Manifest {
  partline: string;
  compatibility: number;
  takenAt: string;
  files: { path: string; bytes: number; sha256: string }[];
}

/** An error that the operator can mend. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/**
 * Copies the embedded stores of a DATA_DIR, also of a running system: the SQLite files as of one moment, then the
 * objects. The folder appears whole or not at all. What is derived (`leftOut`, names of folders) is not copied.
 * @throws BackupError
 */
export async function createBackup(
  dataDir: string,
  target: string,
  { partline, compatibility, leftOut }: Pick<Manifest, "partline" | "compatibility"> & { leftOut: readonly string[] },
): Promise<{ files: number; bytes: number }> {
  await stat(join(dataDir, "documents.sqlite")).catch((error: unknown) => {
    throw new BackupError(`DATA_DIR ${dataDir} has no embedded document store`, { cause: error });
  });
  if (await hasEntries(target)) throw new BackupError(`${target} is not empty`);
  if (relative(dataDir, target).split("/")[0] !== "..") throw new BackupError(`${target} is in DATA_DIR`);
  const files = await makeAtomically(target, async (partial) => {
    const takenAt = new Date().toISOString();
    const snapshots = takeSnapshots(dataDir);
    try {
      for (const name of snapshots.names) await snapshots.copy(name, join(partial, name));
    } finally {
      snapshots.close();
    }
    for (const path of await listPlainFiles(dataDir, leftOut)) {
      await mkdir(dirname(join(partial, path)), { recursive: true });
      // A file removed meanwhile is missed by no more than a record of it.
      await copyFile(join(dataDir, path), join(partial, path), constants.COPYFILE_FICLONE).catch(ignoreAbsent);
    }
    const copied = await describeFiles(partial);
    await writeFile(
      join(partial, MANIFEST),
      JSON.stringify({ partline, compatibility, takenAt, files: copied } satisfies Manifest, undefined, 1),
    );
    return copied;
  });
  return { files: files.length, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}

/**
 * Makes a DATA_DIR from a backup, after comparing every file's hash. An existing DATA_DIR is not touched. The copy is
 * another directory, and must not pass for the original while that runs: it gets no `identityFile`.
 * @throws BackupError
 */
export async function restore(
  source: string,
  dataDir: string,
  { compatibility, identityFile }: Pick<Manifest, "compatibility"> & { identityFile: string },
): Promise<Manifest> {
  if (await hasEntries(dataDir))
    throw new BackupError(`DATA_DIR ${dataDir} is not empty: name another, or move it away`);
  const manifest = await readManifest(source);
  if (manifest.compatibility > compatibility)
    throw new BackupError(
      `The backup is of Partline ${manifest.partline}, which is newer than this one: restore it with that`,
    );
  const restorable = manifest.files.filter(({ path }) => path !== identityFile);
  await makeAtomically(dataDir, async (partial) => {
    for (const { path } of restorable) {
      await mkdir(dirname(join(partial, path)), { recursive: true });
      await copyFile(join(source, path), join(partial, path), constants.COPYFILE_FICLONE).catch((error: unknown) => {
        const { code = "error" } = error as NodeJS.ErrnoException;
        throw new BackupError(`${join(source, path)} cannot be copied (${code})`, { cause: error });
      });
    }
    const restored = new Map((await describeFiles(partial)).map((file) => [file.path, file.sha256]));
    const changedFiles = restorable.filter(({ path, sha256 }) => restored.get(path) !== sha256);
    if (changedFiles.length > 0)
      throw new BackupError(
        `${changedFiles.length} of the backup's files are not what they were, ${getAt(changedFiles, 0).path} first`,
      );
    // The stream still has what consumers handled after the backup, and hands out only what it is given again.
    emptyTable(join(partial, "documents.sqlite"), TARGETS.name);
  });
  return manifest;
}

async function readManifest(source: string): Promise<Manifest> {
  const manifest = await readFile(join(source, MANIFEST), "utf8")
    .then((text) => JSON.parse(text) as Manifest)
    .catch((error: unknown) => {
      throw new BackupError(`${source} is no complete backup: it has no ${MANIFEST}`, { cause: error });
    });
  const outside = manifest.files.find(({ path }) => isAbsolute(path) || path.split("/").includes(".."));
  if (outside) throw new BackupError(`${join(source, MANIFEST)} names a file outside of the backup: ${outside.path}`);
  return manifest;
}

/**
 * Returns the files below a DATA_DIR, except SQLite's.
 * @throws BackupError for a link: its target is not copied at the same moment
 */
async function listPlainFiles(dataDir: string, leftOut: readonly string[]): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = relative(dataDir, join(entry.parentPath, entry.name));
    const isLeftOut =
      leftOut.includes(getAt(path.split("/"), 0)) ||
      path.includes("/.arriving/") ||
      /^[^/]+\.(sqlite|db)(-wal|-shm|-journal|\.lock(-journal)?)?$/.test(path);
    if (isLeftOut) return [];
    if (entry.isSymbolicLink())
      throw new BackupError(
        `${join(dataDir, path)} is a symbolic link, which a backup does not follow: mount what it leads to there instead`,
      );
    return entry.isFile() ? [path] : [];
  });
}

async function describeFiles(folder: string): Promise<Manifest["files"]> {
  const files: Manifest["files"] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const hash = createHash("sha256");
    await pipeline(readFileContent(path), hash);
    files.push({ path: relative(folder, path), bytes: (await stat(path)).size, sha256: hash.digest("hex") });
  }
  return files.sort((first, second) => (first.path < second.path ? -1 : 1));
}

async function settle(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const path of [...entries.map((entry) => join(entry.parentPath, entry.name)), folder]) {
    const handle = await open(path, "r");
    await handle.sync();
    await handle.close();
  }
}

/**
 * Makes a folder, private to its owner, that appears when all that `make` writes is on disk. After a failure nothing
 * stays.
 */
async function makeAtomically<T>(target: string, make: (partial: string) => Promise<T>): Promise<T> {
  const partial = `${target}.partial`;
  const parentFolder = dirname(target);
  const refuse = ({ code = "error" }: NodeJS.ErrnoException): never => {
    throw new BackupError(`${target} cannot be made: this user cannot change what is in ${parentFolder} (${code})`);
  };
  await rm(partial, { recursive: true, force: true }).catch(refuse);
  await mkdir(partial, { recursive: true, mode: 0o700 }).catch(refuse);
  try {
    const result = await make(partial);
    await settle(partial);
    await rmdir(target).catch(ignoreAbsent).catch(refuse);
    await rename(partial, target).catch(refuse);
    const parent = await open(parentFolder, "r");
    await parent.sync();
    await parent.close();
    return result;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function hasEntries(folder: string): Promise<boolean> {
  return Boolean((await readdir(folder).catch(ignoreAbsent))?.length);
}
