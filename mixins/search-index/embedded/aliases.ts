import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { LOGICAL_INDEXES, SearchIndexError, type LogicalIndex } from "../port.ts";

/** A dated index that is live or kept for a rollback. */
interface KeptIndex {
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
  const path = join(directory, FILE);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
  try {
    return parse(text);
  } catch (error) {
    throw new SearchIndexError(
      "UNAVAILABLE",
      `${path} is damaged: restore it, or remove its directory so that the search index is rebuilt`,
      { cause: error },
    );
  }
}

/** @throws when the text is not what `writeAliases` writes */
function parse(text: string): Aliases {
  const { indexes, ...current } = JSON.parse(text) as Stored;
  if (Array.isArray(indexes) || typeof indexes !== "object") throw new TypeError("no indexes");
  const aliases: Aliases = { targets: {}, kept: new Map() };
  for (const index of LOGICAL_INDEXES) {
    const target = current[`${index}_current_read`];
    if (typeof target === "string") aliases.targets[index] = target;
  }
  for (const [name, { createdAt, documents }] of Object.entries(indexes)) {
    if (typeof createdAt !== "string" || typeof documents !== "number") throw new TypeError(name);
    aliases.kept.set(name, { createdAt: new Date(createdAt), documents });
  }
  return aliases;
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
