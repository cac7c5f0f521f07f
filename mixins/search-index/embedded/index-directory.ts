import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { byAge, datedName, logicalIndexOf } from "../dated-names.ts";
import type { LogicalIndex } from "../port.ts";
import { readAliases, writeAliases, type Aliases } from "./aliases.ts";

const FILE = /^((?:parts|tires)_v[\d_]+)\.db(?:-wal|-shm|-journal)?$/;

/** A logical index moves from one dated index to another, with their numbers of documents. */
export interface AliasMove {
  index: LogicalIndex;
  from?: { name: string; documents: number };
  to: { name: string; documents: number };
  /** Only these two are kept. */
  dropsOthers: boolean;
}

/** The files of a data directory, and which of them count. */
export class IndexDirectory {
  readonly #path: string;
  #aliases: Aliases;
  /** Indexes of lost aliases: they may be live, kept or cut off. */
  readonly #unknown: Set<string>;

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
  target(index: LogicalIndex): string | undefined {
    return this.#aliases.targets[index];
  }

  has(name: string): boolean {
    return existsSync(this.file(name));
  }

  /** Newest first. */
  kept(): { name: string; index: LogicalIndex; documents: number; createdAt: Date }[] {
    return [...this.#aliases.kept]
      .map(([name, { documents, createdAt }]) => ({ name, index: logicalIndexOf(name)!, documents, createdAt }))
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || byAge(a.name, b.name));
  }

  /** The newest kept index that is older. */
  olderThan(name: string): string | undefined {
    return this.kept()
      .map((each) => each.name)
      .filter((each) => logicalIndexOf(each) === logicalIndexOf(name) && byAge(name, each) < 0)
      .sort(byAge)[0];
  }

  /** Returns a name that is not kept. */
  newName(index: LogicalIndex): string {
    return datedName(index, new Date(), new Set([...this.#aliases.kept.keys(), ...this.#unknown]));
  }

  /**
   * Moves the aliases of several logical indexes at once, then removes what is no longer kept. An index that never
   * held a document is not kept.
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
