import type { Client, estypes } from "@elastic/elasticsearch";
import { byAge, datedName, logicalIndexOf } from "../dated-names.ts";
import { LOGICAL_INDEXES, type LogicalIndex } from "../port.ts";
import { PROMPT } from "./client.ts";
import { errorType, IndexGoneError, isGone, unavailable } from "./errors.ts";
import { INDEX_VERSION, LIVE_SETTINGS, MAPPINGS, SETTINGS } from "./mapping.ts";

/** A dated index as the server has it; names are without the prefix. */
export interface ListedIndex {
  name: string;
  index: LogicalIndex;
  createdAt: Date;
  aliases: ReadonlySet<string>;
  isBuilding: boolean;
  /** Searches read it. */
  isLive: boolean;
  /** Of this version of the code, so that it can be searched. */
  isReadable: boolean;
  /** When its builder was last alive. */
  heartbeat?: Date;
}

/** The dated index that reads and writes of a logical one go to. */
export type Targets = Record<LogicalIndex, string>;

/** What is kept in the mapping of an index. */
interface Meta {
  version?: number;
  heartbeat?: string;
}

/** How many names are tried where other processes make indexes at the same moment. */
const ATTEMPTS = 5;

/**
 * The dated indexes of one system on a server, and its aliases. An index that is being built has an alias of its own,
 * `{name}_building`, which the switch of the aliases takes away in the same step: what has it was never live.
 */
export class DatedIndexes {
  readonly #client: Client;
  readonly #prefix: string;

  constructor(client: Client, prefix: string) {
    this.#client = client;
    this.#prefix = prefix;
  }

  /** The name on the server. */
  nameOf(name: string): string {
    return `${this.#prefix}${name}`;
  }

  readAlias(index: LogicalIndex): string {
    return this.nameOf(`${index}_current_read`);
  }

  buildingAlias(name: string): string {
    return this.nameOf(`${name}_building`);
  }

  /** Newest first. */
  async list(): Promise<ListedIndex[]> {
    const found = await this.#client.indices.get({ index: LOGICAL_INDEXES.map((index) => this.nameOf(`${index}_v*`)) }, PROMPT);
    return Object.entries(found).flatMap(([fullName, state]) => this.#toListed(fullName, state)).sort((a, b) => byAge(a.name, b.name));
  }

  /** The live ones; what is not there, or of another version of this code, is made anew and is empty. */
  async live(): Promise<Targets> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const listed = await this.list();
      const targets: Partial<Targets> = {};
      for (const index of LOGICAL_INDEXES) targets[index] = await this.#liveOf(index, listed.filter((each) => each.index === index));
      if (LOGICAL_INDEXES.every((index) => targets[index] !== undefined)) return targets as Targets;
    }
    throw unavailable("other processes make indexes all the time");
  }

  /** Undefined when it had to be mended and is to be looked for again. */
  async #liveOf(index: LogicalIndex, listed: readonly ListedIndex[]): Promise<string | undefined> {
    const aliased = this.#aliases(index).map((alias) => listed.filter(({ aliases }) => aliases.has(alias)));
    const [read] = aliased[0]!;
    if (read?.isReadable) {
      if (aliased.every((each) => each.length === 1 && each[0] === read)) return read.name;
      await this.goBack(index, read.name);
    } else if (aliased.flat().length === 0) {
      await this.#createFirst(index, listed);
    } else {
      await this.goLive({ [index]: await this.create(index) });
    }
    return undefined;
  }

  /** Makes the next index of today, marked as being built. @returns its name */
  async create(index: LogicalIndex): Promise<string> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const name = nextName(index, await this.list());
      if (await this.#create(name, SETTINGS, [this.buildingAlias(name)])) return name;
    }
    throw unavailable("other processes make indexes all the time");
  }

  /** Where there is none: live from its first moment, so that of two processes that make it at once one finds the other's. */
  async #createFirst(index: LogicalIndex, listed: readonly ListedIndex[]): Promise<void> {
    await this.#create(nextName(index, listed), { ...SETTINGS, ...LIVE_SETTINGS }, this.#aliases(index));
  }

  /** @returns whether it was made: another process may have been faster */
  async #create(name: string, settings: estypes.IndicesIndexSettings, aliases: readonly string[]): Promise<boolean> {
    try {
      await this.#client.indices.create({
        index: this.nameOf(name), settings, mappings: { ...MAPPINGS, _meta: metaNow() }, aliases: Object.fromEntries(aliases.map((alias) => [alias, {}])),
      });
      return true;
    } catch (error) {
      if (errorType(error) === "resource_already_exists_exception") return false;
      throw error;
    }
  }

  /** Says that the builder of these is alive. */
  async beat(names: readonly string[]): Promise<void> {
    await this.#client.indices.putMapping({ index: names.map((name) => this.nameOf(name)), _meta: { ...metaNow() } }, PROMPT);
  }

  /** Moves the aliases of all of these builds in one atomic step. @throws IndexGoneError when one was taken away meanwhile */
  async goLive(targets: Partial<Targets>): Promise<void> {
    const names = Object.values(targets);
    await this.#client.indices.putSettings({ index: names.map((name) => this.nameOf(name)), settings: LIVE_SETTINGS });
    await this.#move(targets, (listed) => {
      const builds = listed.filter(({ name, isBuilding }) => isBuilding && names.includes(name));
      if (builds.length < names.length) throw new IndexGoneError("a build was taken away");
      return names.map((name) => ({ remove: { index: this.nameOf(name), alias: this.buildingAlias(name), must_exist: true } }));
    });
  }

  /** Moves both aliases to an index that is, or was, live. */
  async goBack(index: LogicalIndex, name: string): Promise<void> {
    await this.#move({ [index]: name }, () => []);
  }

  /** What is gone already is no error. */
  async remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#client.indices.delete({ index: names.map((name) => this.nameOf(name)), ignore_unavailable: true }, PROMPT);
  }

  /**
   * The server works out what a pattern in a request stands for before it is the request's turn, so that two moves at the same
   * moment would leave an alias on two indexes. Hence names that must be what they were: the later move fails, and is tried again.
   */
  async #move(targets: Partial<Targets>, others: (listed: readonly ListedIndex[]) => estypes.IndicesUpdateAliasesAction[]): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const listed = await this.list();
      const moves = (Object.entries(targets) as [LogicalIndex, string][]).flatMap(([index, to]) => this.#aliases(index).flatMap((alias) => [
        ...listed.filter(({ name, aliases }) => name !== to && aliases.has(alias)).map(({ name }) => ({ remove: { index: this.nameOf(name), alias, must_exist: true } })),
        { add: { index: this.nameOf(to), alias } },
      ]));
      try {
        await this.#client.indices.updateAliases({ actions: [...others(listed), ...moves] });
        return;
      } catch (error) {
        if (!isGone(error) || error instanceof IndexGoneError) throw error;
      }
    }
    throw unavailable("other processes move the aliases all the time");
  }

  #aliases(index: LogicalIndex): string[] {
    return [this.readAlias(index), this.nameOf(`${index}_current_write`)];
  }

  #toListed(fullName: string, { aliases = {}, mappings, settings }: estypes.IndicesIndexState): ListedIndex[] {
    const name = fullName.slice(this.#prefix.length);
    const index = logicalIndexOf(name);
    if (index === undefined) return [];
    const { version, heartbeat } = (mappings?._meta ?? {}) as Meta;
    const names = new Set(Object.keys(aliases));
    return [{
      name, index, aliases: names,
      createdAt: new Date(Number(settings?.index?.creation_date)),
      isBuilding: names.has(this.buildingAlias(name)),
      isLive: names.has(this.readAlias(index)),
      isReadable: version === INDEX_VERSION,
      ...(heartbeat === undefined ? {} : { heartbeat: new Date(heartbeat) }),
    }];
  }
}

function nextName(index: LogicalIndex, listed: readonly ListedIndex[]): string {
  return datedName(index, new Date(), new Set(listed.map(({ name }) => name)));
}

function metaNow(): Meta {
  return { version: INDEX_VERSION, heartbeat: new Date().toISOString() };
}
