import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { LOGICAL_INDEXES, SearchIndexError, type LogicalIndex } from "../port.ts";

/** A dated index that is live or kept for a rollback. */
export interface KeptIndex {
  createdAt: Date;
  /** At the time it was created or last live. */
  documents: number;
}

/** Which dated indexes of a directory count; files that are not named here were left by a build. */
export interface Aliases {
  /** The live indexes. */
  targets: Partial<Record<LogicalIndex, string>>;
  kept: Map<string, KeptIndex>;
}

const FILE = "aliases.json";

type Stored = Record<string, unknown> & { indexes: Record<string, { createdAt: string; documents: number }> };

/**
 * @returns undefined if they are missing
 * @throws UNAVAILABLE when they are damaged: without them, every index would be removed
 */
export async function readAliases(directory: string): Promise<Aliases | undefined> {
  const stored = await readStored(join(directory, FILE));
  if (!stored) return undefined;
  const aliases: Aliases = { targets: {}, kept: new Map() };
  for (const index of LOGICAL_INDEXES) {
    const target = stored[`${index}_current_read`];
    if (typeof target === "string") aliases.targets[index] = target;
  }
  for (const [name, { createdAt, documents }] of Object.entries(stored.indexes))
    aliases.kept.set(name, { createdAt: new Date(createdAt), documents });
  return aliases;
}

async function readStored(path: string): Promise<Stored | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  const stored = parse(text);
  if (isStored(stored)) return stored;
  throw new SearchIndexError(
    "UNAVAILABLE",
    `${path} is damaged: restore it, or remove its directory to have the search index built anew`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isStored(stored: unknown): stored is Stored {
  if (!isObject(stored) || !isObject(stored.indexes)) return false;
  return Object.values(stored.indexes).every(
    (kept) => isObject(kept) && typeof kept.createdAt === "string" && typeof kept.documents === "number",
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Moves every alias in one step: after a crash the file is the old one or the new one. */
export async function writeAliases(directory: string, { targets, kept }: Aliases): Promise<void> {
  const current = LOGICAL_INDEXES.flatMap((index) => [
    [`${index}_current_read`, targets[index]],
    [`${index}_current_write`, targets[index]],
  ]);
  const text = JSON.stringify({ ...Object.fromEntries(current), indexes: Object.fromEntries(kept) }, null, 2);
  const path = join(directory, FILE);
  const file = await open(`${path}.new`, "w");
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
