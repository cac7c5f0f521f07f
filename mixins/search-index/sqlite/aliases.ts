import { open, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { LOGICAL_INDEXES, type LogicalIndex } from "../port.ts";

/** A dated index that is live, or kept to go back to. */
export interface KeptIndex {
  createdAt: Date;
  /** As many as it held when it was made or last live. */
  documents: number;
}

/** What of a data directory counts; a file that is not named here was left by a build. */
export interface Aliases {
  /** The dated index that reads and writes of a logical one go to. */
  targets: Partial<Record<LogicalIndex, string>>;
  kept: Map<string, KeptIndex>;
}

const FILE = "aliases.json";

/** What was never written, or is damaged, names nothing. */
export async function readAliases(directory: string): Promise<Aliases> {
  let stored: Record<string, unknown>;
  try {
    stored = JSON.parse(await readFile(join(directory, FILE), "utf8")) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT")) stored = {};
    else throw error;
  }
  const aliases: Aliases = { targets: {}, kept: new Map() };
  for (const index of LOGICAL_INDEXES) {
    const target = stored[`${index}_current_read`];
    if (typeof target === "string") aliases.targets[index] = target;
  }
  for (const [name, { createdAt, documents }] of Object.entries((stored.indexes ?? {}) as Record<string, { createdAt: string; documents: number }>)) {
    aliases.kept.set(name, { createdAt: new Date(createdAt), documents });
  }
  return aliases;
}

/** Moves every alias in one step: after a crash the file is the old one or the new one. */
export async function writeAliases(directory: string, { targets, kept }: Aliases): Promise<void> {
  const current = LOGICAL_INDEXES.flatMap((index) => [[`${index}_current_read`, targets[index]], [`${index}_current_write`, targets[index]]]);
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
