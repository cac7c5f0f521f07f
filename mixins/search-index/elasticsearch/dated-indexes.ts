import type { Client, estypes } from "@elastic/elasticsearch";
import { byAge, datedName, logicalIndexOf } from "../dated-names.ts";
import { LOGICAL_INDEXES, SearchIndexError, type LogicalIndex } from "../port.ts";
import { PROMPT } from "./client.ts";
import { buildNeeded, errorType, IndexGoneError, isGone, unavailable } from "./errors.ts";
import { INDEX_VERSION, LIVE_SETTINGS, MAPPINGS, SETTINGS } from "./mapping.ts";

/** A dated index on the server; names are without the prefix. */
export interface ListedIndex {
  name: string;
  index: LogicalIndex;
  createdAt: Date;
  aliases: ReadonlySet<string>;
  /** It was never live. */
  isBuilding: boolean;
  isLive: boolean;
  /** Of the code that created it. */
  version: number;
  /** Of this version of the code. */
  isReadable: boolean;
  /** When its builder was last alive. */
  heartbeat?: Date;
}

/** The live dated indexes. */
export type Targets = Record<LogicalIndex, string>;

/** Kept in the mapping of an index. */
interface Meta {
  version?: number;
  heartbeat?: string;
}

/** Attempts to create an index or move aliases while other processes do so too. */
const ATTEMPTS = 5;

/**
 * The dated indexes of one system on a server, and its aliases. An index that is being built has the alias
 * `{name}_building`, which the switch of the aliases removes in the same step. A build that is discarded first has
 * that alias replaced by `{name}_withdrawn`, so that a switch under way cannot make it live.
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
   * The alias that searches by this version of the code read: the live index, or after a switch to another version
   * the last one of this version. It does not exist before an index of this version was live.
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

  /** @throws BUILD_NEEDED when one is missing or of an older version, UNAVAILABLE when it is of a newer one */
  async live(): Promise<Targets> {
    const listed = await this.list();
    return Object.fromEntries(LOGICAL_INDEXES.map((index) => [index, this.#liveOf(index, listed)])) as Targets;
  }

  /** Undefined if this version of the code cannot use them. */
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

  /** The live indexes of any version. */
  async current(): Promise<Partial<Targets>> {
    const live = (await this.list()).filter(({ isLive }) => isLive);
    return Object.fromEntries(live.map(({ index, name }) => [index, name]));
  }

  /** @throws UNAVAILABLE when an index of a newer version is live */
  async assertNoneNewer(): Promise<void> {
    const listed = await this.list();
    for (const index of LOGICAL_INDEXES) assertNoneNewer(index, listed);
  }

  /**
   * At a start: creates the first indexes of a new system, and repairs aliases that someone moved. The rest needs a
   * build.
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

  /** Creates the next index of today, marked as being built. @returns its name */
  async create(index: LogicalIndex): Promise<string> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const name = nextName(index, await this.list());
      if (await this.#create(name, SETTINGS, [this.buildingAlias(name)])) return name;
    }
    throw unavailable("other processes make indexes all the time");
  }

  /** The first one is live from the start: of two processes that create it at once, one finds the other's. */
  async #createFirst(index: LogicalIndex, listed: readonly ListedIndex[]): Promise<void> {
    await this.#create(nextName(index, listed), { ...SETTINGS, ...LIVE_SETTINGS }, this.#aliases(index));
  }

  /** @returns false if another process was faster */
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

  /** Records that the builder is alive. */
  async beat(names: readonly string[]): Promise<void> {
    await this.#client.indices.putMapping(
      { index: names.map((name) => this.nameOf(name)), _meta: { ...metaNow() } },
      PROMPT,
    );
  }

  /**
   * Moves the aliases of the builds in one atomic step. If the answer is lost, the client's second try finds the step
   * done: then the aliases decide.
   * @throws IndexGoneError when a build was removed meanwhile
   */
  async goLive(targets: Partial<Targets>): Promise<void> {
    try {
      await this.#switchTo(targets);
    } catch (error) {
      if (!(await this.#areLive(targets))) throw error;
    }
  }

  /** False if the server does not answer. */
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

  /** Moves the aliases to an index that is, or was, live. */
  async goBack(index: LogicalIndex, name: string): Promise<void> {
    await this.#move({ [index]: name }, () => []);
  }

  /** Removes builds that have not gone live. */
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

  /** A missing index is no error. */
  async remove(names: readonly string[]): Promise<void> {
    if (names.length === 0) return;
    await this.#client.indices.delete(
      { index: names.map((name) => this.nameOf(name)), ignore_unavailable: true },
      PROMPT,
    );
  }

  /**
   * The server resolves patterns before the request's turn, so two moves at once would leave an alias on two indexes.
   * Named indexes with `must_exist` make the later move fail, and it is repeated.
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
