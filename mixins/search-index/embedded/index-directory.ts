import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { byAge, datedName, logicalIndexOf } from "../dated-names.ts";
import type { LogicalIndex } from "../port.ts";
import { readAliases, writeAliases, type Aliases } from "./aliases.ts";

const FILE = /^((?:parts|tires)_v[\d_]+)\.db(?:-wal|-shm|-journal)?$/;

/** A logical index that goes from one dated index to another, with the documents that each holds. */
export interface AliasMove {
  index: LogicalIndex;
  from?: { name: string; documents: number };
  to: { name: string; documents: number };
  /** Only these two stay. */
  dropsOthers: boolean;
}

/** The files of a data directory, and which of them count. */
export class IndexDirectory {
  readonly #path: string;
  #aliases: Aliases;
  /** Indexes of which nobody can tell any more whether they were live, kept or cut off. */
  readonly #unknown: Set<string>;

  private constructor(path: string, aliases: Aliases, unknown: Iterable<string>) {
    this.#path = path;
    this.#aliases = aliases;
    this.#unknown = new Set(unknown);
  }

  /**
   * Reads which indexes count, and removes what a build left that was cut off. Where the aliases are gone, nothing is
   * removed.
   */
  static async open(path: string): Promise<IndexDirectory> {
    const aliases = await readAliases(path);
    const names = new Set((await readdir(path)).flatMap((file) => FILE.exec(file)?.[1] ?? []));
    if (!aliases) return new IndexDirectory(path, { targets: {}, kept: new Map() }, names);
    const directory = new IndexDirectory(path, aliases, []);
    for (const name of names) if (!aliases.kept.has(name)) await directory.remove(name);
    return directory;
  }

  /** There are indexes, and nothing says which of them counts. */
  get hasLostAliases(): boolean {
    return this.#unknown.size > 0;
  }

  /** What is live; undefined where nothing ever was, or the aliases are gone. */
  target(index: LogicalIndex): string | undefined {
    return this.#aliases.targets[index];
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  /** Kept indexes, newest first. */
  kept(): { name: string; index: LogicalIndex; documents: number; createdAt: Date }[] {
    return [...this.#aliases.kept]
      .map(([name, { documents, createdAt }]) => ({ name, index: logicalIndexOf(name)!, documents, createdAt }))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byAge(a.name, b.name));
  }

  /** The newest kept index that is older than another. */
  olderThan(name: string): string | undefined {
    return this.kept()
      .map((each) => each.name)
      .filter((each) => logicalIndexOf(each) === logicalIndexOf(name) && byAge(name, each) < 0)
      .sort(byAge)[0];
  }

  /** A name that no index has, neither kept nor `taken`. */
  newName(index: LogicalIndex, taken: Iterable<string>): string {
    return datedName(index, new Date(), new Set([...this.#aliases.kept.keys(), ...this.#unknown, ...taken]));
  }

  /**
   * Points the aliases of several logical indexes at once, and then removes what is not kept any more. What never held
   * a document is nothing to go back to.
   */
  async point(moves: readonly AliasMove[]): Promise<void> {
    const targets = { ...this.#aliases.targets };
    const kept = new Map(this.#aliases.kept);
    for (const { index, from, to, dropsOthers } of moves) {
      targets[index] = to.name;
      for (const { name, documents } of from ? [from, to] : [to]) {
        kept.set(name, { documents, createdAt: kept.get(name)?.createdAt ?? new Date() });
      }
      if (!dropsOthers) continue;
      const previous = from && from.documents > 0 ? from.name : undefined;
      for (const name of [...kept.keys()])
        if (logicalIndexOf(name) === index && name !== to.name && name !== previous) kept.delete(name);
    }
    await writeAliases(this.#path, { targets, kept });
    const moved = new Set(moves.map(({ index }) => index));
    const dropped = [...this.#aliases.kept.keys(), ...this.#unknown].filter(
      (name) => !kept.has(name) && moved.has(logicalIndexOf(name)!),
    );
    this.#aliases = { targets, kept };
    for (const name of dropped) {
      this.#unknown.delete(name);
      await this.remove(name);
    }
  }

  file(name: string): string {
    return join(this.#path, `${name}.db`);
  }

  async remove(name: string): Promise<void> {
    for (const suffix of ["", "-wal", "-shm"]) await rm(`${this.file(name)}${suffix}`, { force: true });
  }
}
