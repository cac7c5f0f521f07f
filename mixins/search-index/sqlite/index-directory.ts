import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { byAge, datedName, logicalIndexOf } from "../dated-names.ts";
import { LOGICAL_INDEXES, SearchIndexError } from "../port.ts";
import type { IndexBatch, IndexStatus, LogicalIndex, Progress, SearchPage, SearchQuery } from "../port.ts";
import { readAliases, writeAliases, type Targets } from "./aliases.ts";
import { IndexFile } from "./index-file.ts";
import { searchIndexFile } from "./search.ts";

type IndexSet = Record<LogicalIndex, IndexFile>;

/** Dated indexes of each logical one that are kept: the live one, and the one before it for rollback. */
const KEPT = 2;
/** A build with fewer than this share of the live index's documents is taken for a mistake. */
const LEAST_SHARE = 0.5;
const BUILDING = "building-";

/** All index files of a data directory. It runs in the worker thread and holds it for as long as it computes. */
export class IndexDirectory {
  readonly #path: string;
  #live: IndexSet;
  readonly #builds = new Map<number, IndexSet>();
  #nextBuild = 1;

  constructor(path: string) {
    this.#path = path;
    mkdirSync(path, { recursive: true });
    // What a build left behind when the process ended.
    for (const file of readdirSync(path)) if (file.startsWith(BUILDING)) rmSync(join(path, file));
    const targets = readAliases(path);
    this.#live = eachIndex((index) => this.#openOrCreate(index, targets[index]));
    this.#pointAliases();
  }

  search(index: LogicalIndex, query: SearchQuery): SearchPage {
    return searchIndexFile(this.#live[index], query);
  }

  write(batch: IndexBatch): void {
    writeTo(this.#live, batch);
  }

  progress(): Progress {
    return progressOf(this.#live);
  }

  status(): IndexStatus {
    return eachIndex((index) => ({ name: this.#live[index].name, documents: this.#live[index].count }));
  }

  /** Starts empty indexes beside the live ones, under names that a restart takes away. */
  startBuild(): { build: number; names: Targets } {
    const taken = this.#names();
    const names = eachIndex((index) => datedName(index, new Date(), taken));
    const build = this.#nextBuild;
    this.#nextBuild += 1;
    this.#builds.set(build, eachIndex((index) => new IndexFile(names[index], this.#file(`${BUILDING}${build}-${names[index]}`))));
    return { build, names };
  }

  addToBuild(build: number, batch: IndexBatch): void {
    writeTo(this.#building(build), batch);
  }

  publish(build: number, expected: number, { force = false }: { force?: boolean } = {}): void {
    const built = this.#building(build);
    const { count } = built.parts;
    if (count !== expected) throw new SearchIndexError("BUILD_REFUSED", `The build holds ${count} parts and was to hold ${expected}`);
    if (!force && count < this.#live.parts.count * LEAST_SHARE) {
      throw new SearchIndexError("BUILD_REFUSED", `The build holds ${count} parts, the live index ${this.#live.parts.count}`);
    }
    this.#builds.delete(build);
    // A closed file is one file: its log is folded in.
    for (const index of LOGICAL_INDEXES) built[index].close();
    for (const { name } of [built.parts, built.tires]) renameSync(this.#file(`${BUILDING}${build}-${name}`), this.#file(name));
    const before = this.#live;
    this.#live = eachIndex((index) => new IndexFile(built[index].name, this.#file(built[index].name)));
    this.#pointAliases();
    for (const index of LOGICAL_INDEXES) before[index].close();
    this.#removeOld();
  }

  discard(build: number): void {
    const built = this.#building(build);
    this.#builds.delete(build);
    for (const index of LOGICAL_INDEXES) {
      built[index].close();
      this.#remove(`${BUILDING}${build}-${built[index].name}`);
    }
  }

  close(): void {
    for (const build of [...this.#builds.keys()]) this.discard(build);
    for (const index of LOGICAL_INDEXES) this.#live[index].close();
  }

  /** A file that is damaged or of another version is taken away: the index is filled again from its sources. */
  #openOrCreate(index: LogicalIndex, target: string | undefined): IndexFile {
    if (target !== undefined && logicalIndexOf(target) === index && this.#names().has(target)) {
      try {
        return new IndexFile(target, this.#file(target));
      } catch {
        this.#remove(target);
      }
    }
    const name = datedName(index, new Date(), this.#names());
    return new IndexFile(name, this.#file(name));
  }

  #pointAliases(): void {
    writeAliases(this.#path, eachIndex((index) => this.#live[index].name));
  }

  #removeOld(): void {
    for (const index of LOGICAL_INDEXES) {
      const names = [...this.#names()].filter((name) => logicalIndexOf(name) === index).sort(byAge);
      const others = names.filter((name) => name !== this.#live[index].name);
      for (const name of others.slice(KEPT - 1)) this.#remove(name);
    }
  }

  #names(): Set<string> {
    const names = readdirSync(this.#path).filter((file) => file.endsWith(".db")).map((file) => file.slice(0, -".db".length));
    return new Set(names.filter((name) => logicalIndexOf(name) !== undefined));
  }

  #building(build: number): IndexSet {
    const set = this.#builds.get(build);
    if (!set) throw new SearchIndexError("BUILD_REFUSED", "The build is over");
    return set;
  }

  #file(name: string): string {
    return join(this.#path, `${name}.db`);
  }

  #remove(name: string): void {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(`${this.#file(name)}${suffix}`, { force: true });
  }
}

/** Documents go to every index that they belong to; each learns how far the sources have been read. */
function writeTo(set: IndexSet, { documents, progress }: IndexBatch): void {
  set.parts.write({ documents, progress });
  set.tires.write({ documents: documents.filter(({ isTire }) => isTire), progress });
}

/** As far as every index of the set has read. */
function progressOf(set: IndexSet): Progress {
  const tires = set.tires.progress();
  return Object.fromEntries(
    Object.entries(set.parts.progress()).map(([source, revision]) => [source, Math.min(revision, tires[source] ?? 0)]),
  );
}

function eachIndex<T>(make: (index: LogicalIndex) => T): Record<LogicalIndex, T> {
  return { parts: make("parts"), tires: make("tires") };
}
