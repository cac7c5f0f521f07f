import type { Client, estypes } from "@elastic/elasticsearch";
import { byAge, datedName, logicalIndexOf } from "../dated-names.ts";
import { LOGICAL_INDEXES, SearchIndexError, type LogicalIndex } from "../port.ts";
import { PROMPT } from "./client.ts";
import { buildNeeded, errorType, IndexGoneError, isGone, unavailable } from "./errors.ts";
import { INDEX_VERSION, LIVE_SETTINGS, MAPPINGS, SETTINGS } from "./mapping.ts";

/** A dated index as the server has it; names are without the prefix. */
export interface ListedIndex {
  name: string;
  index: LogicalIndex;
  createdAt: Date;
  aliases: ReadonlySet<string>;
  /** It was never live. */
  isBuilding: boolean;
  isLive: boolean;
  /** Of the code that made it. */
  version: number;
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
 * `{name}_building`, which the switch of the aliases takes away in the same step: what has it was never live. A build
 * that is to be removed first has that alias exchanged for `{name}_withdrawn`, so that a switch which is under way
 * cannot make it live any more.
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

  /**
   * What searches of this version of the code go to: the live index, or the newest of this version that was live where
   * another version has taken over. There is none where none of this version was live yet.
   */
  readAlias(index: LogicalIndex): string {
    return `${this.#liveAlias(index)}_v${INDEX_VERSION}`;
  }

  buildingAlias(name: string): string {
    return this.nameOf(`${name}_building`);
  }

  /** Newest first. */
  async list(): Promise<ListedIndex[]> {
    const found = await this.#client.indices.get(
      { index: LOGICAL_INDEXES.map((index) => this.nameOf(`${index}_v*`)) },
      PROMPT,
    );
    return Object.entries(found)
      .flatMap(([fullName, state]) => this.#toListed(fullName, state))
      .sort((a, b) => byAge(a.name, b.name));
  }

  /**
   * The live ones. @throws BUILD_NEEDED where one is not there or of an older version, UNAVAILABLE where it is of a
   * newer one
   */
  async live(): Promise<Targets> {
    const listed = await this.list();
    return Object.fromEntries(LOGICAL_INDEXES.map((index) => [index, this.#liveOf(index, listed)])) as Targets;
  }

  /** Undefined where this version of the code cannot use them. */
  async liveIfUsable(): Promise<Targets | undefined> {
    try {
      return await this.live();
    } catch (error) {
      if (error instanceof SearchIndexError) return undefined;
      throw error;
    }
  }

  #liveOf(index: LogicalIndex, listed: readonly ListedIndex[]): string {
    assertNoneNewer(index, listed);
    const [live, ...others] = listed.filter((each) => each.index === index && each.isLive);
    if (!live || others.length > 0) throw buildNeeded(`not one index of ${index} is live`);
    if (!live.isReadable) throw buildNeeded(`the live index of ${index} is of an older version of the code`);
    if (!live.aliases.has(this.readAlias(index))) throw buildNeeded(`the aliases of ${index} do not agree`);
    return live.name;
  }

  /** Whatever is live, of whatever version. */
  async current(): Promise<Partial<Targets>> {
    const live = (await this.list()).filter(({ isLive }) => isLive);
    return Object.fromEntries(live.map(({ index, name }) => [index, name]));
  }

  /** @throws UNAVAILABLE where a newer version of the code has taken over */
  async assertNoneNewer(): Promise<void> {
    const listed = await this.list();
    for (const index of LOGICAL_INDEXES) assertNoneNewer(index, listed);
  }

  /**
   * At a start: makes the first indexes of a new system, and puts aliases right that somebody moved. What a build has
   * to mend stays.
   */
  async settle(): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const listed = await this.list();
      const missing = LOGICAL_INDEXES.filter(
        (index) => !listed.some((each) => each.index === index && !each.isBuilding),
      );
      if (missing.length === 0) return this.#alignAliases(listed);
      for (const index of missing) await this.#createFirst(index, listed);
    }
    throw unavailable("other processes make indexes all the time");
  }

  async #alignAliases(listed: readonly ListedIndex[]): Promise<void> {
    for (const index of LOGICAL_INDEXES) {
      const ours = listed.filter((each) => each.index === index);
      const live = ours.filter(({ isLive }) => isLive);
      const [only] = live;
      if (live.length !== 1 || !only?.isReadable) continue;
      if (
        ours.some(({ name, aliases }) =>
          this.#aliases(index).some((alias) => aliases.has(alias) !== (name === only.name)),
        )
      )
        await this.goBack(index, only.name);
    }
  }

  /** Makes the next index of today, marked as being built. @returns its name */
  async create(index: LogicalIndex): Promise<string> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const name = nextName(index, await this.list());
      if (await this.#create(name, SETTINGS, [this.buildingAlias(name)])) return name;
    }
    throw unavailable("other processes make indexes all the time");
  }

  /**
   * Where there is none: live from its first moment, so that of two processes that make it at once one finds the
   * other's.
   */
  async #createFirst(index: LogicalIndex, listed: readonly ListedIndex[]): Promise<void> {
    await this.#create(nextName(index, listed), { ...SETTINGS, ...LIVE_SETTINGS }, this.#aliases(index));
  }

  /** @returns whether it was made: another process may have been faster */
  async #create(name: string, settings: estypes.IndicesIndexSettings, aliases: readonly string[]): Promise<boolean> {
    try {
      await this.#client.indices.create({
        index: this.nameOf(name),
        settings,
        mappings: { ...MAPPINGS, _meta: metaNow() },
        aliases: Object.fromEntries(aliases.map((alias) => [alias, {}])),
      });
      return true;
    } catch (error) {
      if (errorType(error) === "resource_already_exists_exception") return false;
      throw error;
    }
  }

  /** Says that the builder of these is alive. */
  async beat(names: readonly string[]): Promise<void> {
    await this.#client.indices.putMapping(
      { index: names.map((name) => this.nameOf(name)), _meta: { ...metaNow() } },
      PROMPT,
    );
  }

  /**
   * Moves the aliases of all of these builds in one atomic step. An answer that is lost says nothing of the step, and
   * the client's second try finds it done: the aliases themselves are asked then.
   * @throws IndexGoneError when a build was taken away meanwhile
   */
  async goLive(targets: Partial<Targets>): Promise<void> {
    try {
      await this.#switchTo(targets);
    } catch (error) {
      if (!(await this.#areLive(targets))) throw error;
    }
  }

  /** False where that cannot be found out either. */
  async #areLive(targets: Partial<Targets>): Promise<boolean> {
    const listed = await this.list().catch(() => []);
    return (Object.entries(targets) as [LogicalIndex, string][]).every(([index, name]) => {
      const found = listed.find((each) => each.name === name);
      return (
        found !== undefined && !found.isBuilding && this.#aliases(index).every((alias) => found.aliases.has(alias))
      );
    });
  }

  async #switchTo(targets: Partial<Targets>): Promise<void> {
    const names = Object.values(targets);
    await this.#client.indices.putSettings({ index: names.map((name) => this.nameOf(name)), settings: LIVE_SETTINGS });
    await this.#move(targets, (listed) => {
      const builds = listed.filter(
        ({ name, aliases }) => names.includes(name) && aliases.has(this.buildingAlias(name)),
      );
      if (builds.length < names.length) throw new IndexGoneError("a build was taken away");
      return names.map((name) => ({
        remove: { index: this.nameOf(name), alias: this.buildingAlias(name), must_exist: true },
      }));
    });
  }

  /** Moves both aliases to an index that is, or was, live. */
  async goBack(index: LogicalIndex, name: string): Promise<void> {
    await this.#move({ [index]: name }, () => []);
  }

  /** Removes builds, but none that has gone live. */
  async withdraw(names: readonly string[]): Promise<void> {
    for (const name of names) if (await this.#keepFromLive(name)) await this.remove([name]);
  }

  /** @returns false when it is live, was live or is gone */
  async #keepFromLive(name: string): Promise<boolean> {
    const index = this.nameOf(name);
    try {
      await this.#client.indices.updateAliases({
        actions: [
          { remove: { index, alias: this.buildingAlias(name), must_exist: true } },
          { add: { index, alias: this.#withdrawnAlias(name) } },
        ],
      });
      return true;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return (await this.list()).some((each) => each.name === name && each.isBuilding);
  }

  /** What is gone already is no error. */
  async remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#client.indices.delete(
      { index: names.map((name) => this.nameOf(name)), ignore_unavailable: true },
      PROMPT,
    );
  }

  /**
   * The server works out what a pattern in a request stands for before it is the request's turn, so that two moves at
   * the same moment would leave an alias on two indexes. Hence names that must be what they were: the later move fails,
   * and is tried again.
   */
  async #move(
    targets: Partial<Targets>,
    others: (listed: readonly ListedIndex[]) => estypes.IndicesUpdateAliasesAction[],
  ): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const listed = await this.list();
      for (const { index } of listed.filter(({ name }) => Object.values(targets).includes(name)))
        assertNoneNewer(index, listed);
      const moves = (Object.entries(targets) as [LogicalIndex, string][]).flatMap(([index, to]) =>
        this.#aliases(index).flatMap((alias) => [
          ...listed
            .filter(({ name, aliases }) => name !== to && aliases.has(alias))
            .map(({ name }) => ({ remove: { index: this.nameOf(name), alias, must_exist: true } })),
          { add: { index: this.nameOf(to), alias } },
        ]),
      );
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
    return [this.#liveAlias(index), this.nameOf(`${index}_current_write`), this.readAlias(index)];
  }

  #liveAlias(index: LogicalIndex): string {
    return this.nameOf(`${index}_current_read`);
  }

  #withdrawnAlias(name: string): string {
    return this.nameOf(`${name}_withdrawn`);
  }

  #toListed(fullName: string, { aliases = {}, mappings, settings }: estypes.IndicesIndexState): ListedIndex[] {
    const name = fullName.slice(this.#prefix.length);
    const index = logicalIndexOf(name);
    if (index === undefined) return [];
    const { version = 0, heartbeat } = (mappings?._meta ?? {}) as Meta;
    const names = new Set(Object.keys(aliases));
    return [
      {
        name,
        index,
        aliases: names,
        createdAt: new Date(Number(settings?.index?.creation_date)),
        isBuilding: names.has(this.buildingAlias(name)) || names.has(this.#withdrawnAlias(name)),
        isLive: names.has(this.#liveAlias(index)),
        version,
        isReadable: version === INDEX_VERSION,
        ...(heartbeat === undefined ? {} : { heartbeat: new Date(heartbeat) }),
      },
    ];
  }
}

function assertNoneNewer(index: LogicalIndex, listed: readonly ListedIndex[]): void {
  if (!listed.some((each) => each.index === index && each.isLive && each.version > INDEX_VERSION)) return;
  throw unavailable(`the live index of ${index} is of a newer version of the code than this process`);
}

function nextName(index: LogicalIndex, listed: readonly ListedIndex[]): string {
  return datedName(index, new Date(), new Set(listed.map(({ name }) => name)));
}

function metaNow(): Meta {
  return { version: INDEX_VERSION, heartbeat: new Date().toISOString() };
}
