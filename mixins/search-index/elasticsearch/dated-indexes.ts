import type { Client, estypes } from "@elastic/elasticsearch";
import { byAge, datedName, logicalIndexOf } from "../dated-names.ts";
import { LOGICAL_INDEXES, type LogicalIndex } from "../port.ts";
import { PROMPT } from "./client.ts";
import { errorType, unavailable } from "./errors.ts";
import { INDEX_VERSION, LIVE_SETTINGS, MAPPINGS, SETTINGS } from "./mapping.ts";

/** A dated index as the server has it; names are without the prefix. */
export interface ListedIndex {
  name: string;
  index: LogicalIndex;
  createdAt: Date;
  aliases: ReadonlySet<string>;
  isBuilding: boolean;
  /** When its builder was last alive. */
  heartbeat?: Date;
  version?: number;
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
      for (const index of LOGICAL_INDEXES) {
        const aliased = listed.filter((each) => each.index === index && this.#aliases(index).some((alias) => each.aliases.has(alias)));
        const [only] = aliased;
        if (!only) await this.#createFirst(index, listed);
        else if (aliased.length === 1 && this.#aliases(index).every((alias) => only.aliases.has(alias)) && only.version === INDEX_VERSION) targets[index] = only.name;
        else await this.goLive({ [index]: await this.create(index) });
      }
      if (LOGICAL_INDEXES.every((index) => targets[index] !== undefined)) return targets as Targets;
    }
    throw unavailable("other processes make indexes all the time");
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

  /** Moves the aliases of all of these in one atomic step. @throws a 404 when one was taken away meanwhile */
  async goLive(targets: Partial<Targets>): Promise<void> {
    const entries = Object.entries(targets) as [LogicalIndex, string][];
    await this.#client.indices.putSettings({ index: entries.map(([, name]) => this.nameOf(name)), settings: LIVE_SETTINGS });
    await this.#client.indices.updateAliases({
      actions: entries.flatMap(([index, name]) => [
        { remove: { index: this.nameOf(name), alias: this.buildingAlias(name), must_exist: true } },
        ...this.#moves(index, name),
      ]),
    });
  }

  /** Moves the aliases to an index that was live before. */
  async goBack(index: LogicalIndex, name: string): Promise<void> {
    await this.#client.indices.updateAliases({ actions: this.#moves(index, name) });
  }

  /** What is gone already is no error. */
  async remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#client.indices.delete({ index: names.map((name) => this.nameOf(name)), ignore_unavailable: true });
  }

  #moves(index: LogicalIndex, name: string): estypes.IndicesUpdateAliasesAction[] {
    return this.#aliases(index).flatMap((alias) => [
      { remove: { index: this.nameOf(`${index}_v*`), alias, must_exist: false } },
      { add: { index: this.nameOf(name), alias } },
    ]);
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
      name, index, version, aliases: names,
      createdAt: new Date(Number(settings?.index?.creation_date)),
      isBuilding: names.has(this.buildingAlias(name)),
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
