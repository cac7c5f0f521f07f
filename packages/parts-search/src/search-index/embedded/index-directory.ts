import { existsSync } from "node:fs";
import { open, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyedQueue } from "@partline/toolkit";
import { compareAge, createDatedName, parseLogicalIndex } from "../dated-names.ts";
import { LOGICAL_INDEXES, SearchIndexError, type LogicalIndex } from "../port.ts";

const FILE = /^((?:parts|tires)_v[\d_]+)\.db(?:-wal|-shm|-journal)?$/;

export interface AliasMove {
  index: LogicalIndex;
  from?: { name: string; documents: number };
  to: { name: string; documents: number };
  /** True if only these two indexes are kept. */
  dropsOthers: boolean;
}

/** The files of a data directory, and which of them count. */
export class IndexDirectory {
  readonly #path: string;
  #aliases: Aliases;
  /** Indexes of lost aliases: they may be live, kept or cut off. */
  readonly #unknown: Set<string>;
  readonly #moves = new KeyedQueue();

  private constructor(path: string, aliases: Aliases, unknown: Iterable<string>) {
    this.#path = path;
    this.#aliases = aliases;
    this.#unknown = new Set(unknown);
  }

  /** Reads the aliases and removes what an interrupted build left. If the aliases are missing, nothing is removed. */
  static async open(path: string): Promise<IndexDirectory> {
    const aliases = await readAliases(path);
    const names = new Set((await readdir(path)).flatMap((file) => FILE.exec(file)?.[1] ?? []));
    if (!aliases) return new IndexDirectory(path, { targets: {}, kept: new Map() }, names);
    const directory = new IndexDirectory(path, aliases, []);
    for (const name of names) if (!aliases.kept.has(name)) await directory.remove(name);
    return directory;
  }

  get hasLostAliases(): boolean {
    return this.#unknown.size > 0;
  }

  /** The live index; undefined if there never was one, or the aliases are lost. */
  getTarget(index: LogicalIndex): string | undefined {
    return this.#aliases.targets[index];
  }

  has(name: string): boolean {
    return existsSync(this.toPath(name));
  }

  /** Newest first. */
  listKept(): { name: string; index: LogicalIndex; documents: number; createdAt: Date }[] {
    return [...this.#aliases.kept]
      .map(([name, { documents, createdAt }]) => ({ name, index: parseLogicalIndex(name)!, documents, createdAt }))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || compareAge(a.name, b.name));
  }

  /** The newest kept index that is older. */
  findOlder(name: string): string | undefined {
    return this.listKept()
      .map((entry) => entry.name)
      .filter(
        (candidate) => parseLogicalIndex(candidate) === parseLogicalIndex(name) && compareAge(name, candidate) < 0,
      )
      .sort(compareAge)[0];
  }

  createName(index: LogicalIndex): string {
    return createDatedName(index, new Date(), new Set([...this.#aliases.kept.keys(), ...this.#unknown]));
  }

  /**
   * Moves the aliases of several logical indexes at once, then removes what is no longer kept. An index that never
   * held a document is not kept.
   */
  point(moves: readonly AliasMove[]): Promise<void> {
    return this.#moves.run("aliases", () => this.#moveAliases(moves));
  }

  async #moveAliases(moves: readonly AliasMove[]): Promise<void> {
    const targets = { ...this.#aliases.targets };
    const keptNames = new Map(this.#aliases.kept);
    for (const { index, from, to, dropsOthers } of moves) {
      targets[index] = to.name;
      for (const { name, documents } of from ? [from, to] : [to]) {
        keptNames.set(name, { documents, createdAt: keptNames.get(name)?.createdAt ?? new Date() });
      }
      if (!dropsOthers) continue;
      const previous = from && from.documents > 0 ? from.name : undefined;
      for (const name of [...keptNames.keys()])
        if (parseLogicalIndex(name) === index && name !== to.name && name !== previous) keptNames.delete(name);
    }
    await writeAliases(this.#path, { targets, kept: keptNames });
    const moved = new Set(moves.map(({ index }) => index));
    const dropped = [...this.#aliases.kept.keys(), ...this.#unknown].filter(
      (name) => !keptNames.has(name) && moved.has(parseLogicalIndex(name)!),
    );
    this.#aliases = { targets, kept: keptNames };
    for (const name of dropped) {
      this.#unknown.delete(name);
      await this.remove(name);
    }
  }

  toPath(name: string): string {
    return join(this.#path, `${name}.db`);
  }

  async remove(name: string): Promise<void> {
    for (const suffix of ["", "-wal", "-shm"]) await rm(`${this.toPath(name)}${suffix}`, { force: true });
  }
}

interface KeptIndex {
  createdAt: Date;
  /** Number of documents when it was created or last live. */
  documents: number;
}

/** Dated indexes of a directory that count; other files were left by a build. */
interface Aliases {
  /** The live indexes. */
  targets: Partial<Record<LogicalIndex, string>>;
  kept: Map<string, KeptIndex>;
}

const ALIASES = "aliases.json";

type StoredState = Record<string, unknown> & { indexes: Record<string, { createdAt: string; documents: number }> };

/**
 * @returns undefined if they are missing
 * @throws UNAVAILABLE when they are damaged: without them, every index would be removed
 */
async function readAliases(directory: string): Promise<Aliases | undefined> {
  const path = join(directory, ALIASES);
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
  const { indexes, ...current } = JSON.parse(text) as StoredState;
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
async function writeAliases(directory: string, { targets, kept: keptNames }: Aliases): Promise<void> {
  const current = LOGICAL_INDEXES.flatMap((index) => [
    [`${index}_current_read`, targets[index]],
    [`${index}_current_write`, targets[index]],
  ]);
  const text = JSON.stringify({ ...Object.fromEntries(current), indexes: Object.fromEntries(keptNames) }, null, 2);
  const path = join(directory, ALIASES);
  const file = await open(`${path}.new`, "w");
  try {
    await file.writeFile(`${text}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
}
