import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LOGICAL_INDEXES, type LogicalIndex } from "../port.ts";

/** The dated index that reads and writes of a logical one go to. */
export type Targets = Record<LogicalIndex, string>;

const FILE = "aliases.json";

/** Which index each alias points at; what was never written points nowhere. */
export function readAliases(directory: string): Partial<Targets> {
  let aliases: Record<string, unknown>;
  try {
    aliases = JSON.parse(readFileSync(join(directory, FILE), "utf8")) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && "code" in error && error.code === "ENOENT")) return {};
    throw error;
  }
  const targets: Partial<Targets> = {};
  for (const index of LOGICAL_INDEXES) {
    const target = aliases[`${index}_current_read`];
    if (typeof target === "string") targets[index] = target;
  }
  return targets;
}

/** Moves every alias in one step: after a crash the file is the old one or the new one. */
export function writeAliases(directory: string, targets: Targets): void {
  const aliases = LOGICAL_INDEXES.flatMap((index) => [
    [`${index}_current_read`, targets[index]], [`${index}_current_write`, targets[index]],
  ]);
  const path = join(directory, FILE);
  const file = openSync(`${path}.new`, "w");
  try {
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(aliases), null, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.new`, path);
}
