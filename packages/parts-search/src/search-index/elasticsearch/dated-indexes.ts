import type { Client, estypes } from "@elastic/elasticsearch";
import { PROMPT } from "../../elasticsearch/client.ts";
import { getErrorType, IndexGoneError, isGone, unavailable } from "../../elasticsearch/errors.ts";
import { buildNeeded } from "../builds.ts";
import { byAge, datedName, logicalIndexOf } from "../dated-names.ts";
import { LOGICAL_INDEXES, SearchIndexError, type LogicalIndex } from "../port.ts";
import { INDEX_VERSION, LIVE_SETTINGS, MAPPINGS, PART_FIELD, SETTINGS } from "./mapping.ts";

interface ListedIndex {
  /** Without the prefix. */
  name: string;
  index: LogicalIndex;
  createdAt: Date;
  aliases: ReadonlySet<string>;
  /** It was never live. */
  isBuilding: boolean;
  isLive: boolean;
  /** Of the code that created it; readable is that of this code. */
  version: number;
  isReadable: boolean;
}

/** The live dated indexes. */
export type Targets = Record<LogicalIndex, string>;

/** Attempts to create an index or move aliases while other processes do so too. */
const ATTEMPTS = 5;

export type DatedIndexes = ReturnType<typeof createDatedIndexes>;

/**
 * The dated indexes of one system on a server, and its aliases. An index that is being built has the alias
 * `{name}_building`, which the switch of the aliases removes in the same step. A build that is discarded first has
 * that alias replaced by `{name}_withdrawn`, so that a switch under way cannot make it live.
 */
export function createDatedIndexes(client: Client, prefix: string, shards: number) {
  const settings = { ...SETTINGS, number_of_shards: shards };
  const nameOf = (name: string): string => `${prefix}${name}`;
  /**
   * The alias that searches by this version of the code read: the live index, or after a switch to another version
   * the last one of this version. It does not exist before an index of this version was live.
   */
  const readAlias = (index: LogicalIndex): string => `${liveAlias(index)}_v${INDEX_VERSION}`;
  const buildingAlias = (name: string): string => nameOf(`${name}_building`);
  /** Newest first. */
  const list = async (): Promise<ListedIndex[]> => {
    const found = await client.indices.get({ index: LOGICAL_INDEXES.map((index) => nameOf(`${index}_v*`)) }, PROMPT);
    return Object.entries(found)
      .flatMap(([fullName, state]) => toListed(fullName, state))
      .sort((a, b) => byAge(a.name, b.name));
  };
  /** @throws BUILD_NEEDED when one is missing or of an older version, UNAVAILABLE when it is of a newer one */
  const live = async (): Promise<Targets> => {
    const listed = await list();
    return Object.fromEntries(LOGICAL_INDEXES.map((index) => [index, liveOf(index, listed)])) as Targets;
  };
  /** Undefined if this version of the code cannot use them. */
  const liveIfUsable = async (): Promise<Targets | undefined> => {
    try {
      return await live();
    } catch (error) {
      if (error instanceof SearchIndexError) return undefined;
      throw error;
    }
  };
  const liveOf = (index: LogicalIndex, listed: readonly ListedIndex[]): string => {
    refuseNewer(index, listed);
    const [live, ...others] = listed.filter((each) => each.index === index && each.isLive);
    if (!live || others.length > 0) throw buildNeeded(`not one index of ${index} is live`);
    if (!live.isReadable) throw buildNeeded(`the live index of ${index} is of an older version of the code`);
    if (!live.aliases.has(readAlias(index))) throw buildNeeded(`the aliases of ${index} do not agree`);
    return live.name;
  };
  /** The live indexes of this version and older ones. @throws UNAVAILABLE when one is of a newer version */
  const current = async (): Promise<Partial<Targets>> => {
    const listed = await list();
    for (const index of LOGICAL_INDEXES) refuseNewer(index, listed);
    return Object.fromEntries(listed.filter(({ isLive }) => isLive).map(({ index, name }) => [index, name]));
  };
  /**
   * At a start: creates the first indexes of a new system, and repairs aliases that someone moved. The rest needs a
   * build.
   */
  const settle = async (): Promise<void> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const listed = await list();
      const missing = LOGICAL_INDEXES.filter(
        (index) => !listed.some((each) => each.index === index && !each.isBuilding),
      );
      if (missing.length === 0) return alignAliases(listed);
      for (const index of missing) await createFirst(index, listed);
    }
    throw unavailable("other processes make indexes all the time");
  };
  const alignAliases = async (listed: readonly ListedIndex[]): Promise<void> => {
    for (const index of LOGICAL_INDEXES) {
      const ours = listed.filter((each) => each.index === index);
      const [live, ...others] = ours.filter(({ isLive }) => isLive);
      if (!live?.isReadable || others.length > 0) continue;
      const isLiveAlone = (alias: string): boolean =>
        ours.every(({ name, aliases }) => aliases.has(alias) === (name === live.name));
      if (!aliasesOf(index).every(isLiveAlone)) await goBack(index, live.name);
    }
  };
  /** Creates the next index of today, marked as being built. @returns its name */
  const create = async (index: LogicalIndex): Promise<string> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const name = nextName(index, await list());
      if (await tryCreate(name, settings, [buildingAlias(name)])) return name;
    }
    throw unavailable("other processes make indexes all the time");
  };
  /** The first one is live from the start: of two processes that create it at once, one finds the other's. */
  const createFirst = async (index: LogicalIndex, listed: readonly ListedIndex[]): Promise<void> => {
    await tryCreate(nextName(index, listed), { ...settings, ...LIVE_SETTINGS }, aliasesOf(index));
  };
  /** @returns false if another process was faster */
  const tryCreate = async (
    name: string,
    settings: estypes.IndicesIndexSettings,
    aliases: readonly string[],
  ): Promise<boolean> => {
    try {
      await client.indices.create({
        index: nameOf(name),
        settings,
        mappings: { ...MAPPINGS, _meta: { version: INDEX_VERSION } },
        aliases: Object.fromEntries(aliases.map((alias) => [alias, filterOf(alias)])),
      });
      return true;
    } catch (error) {
      if (getErrorType(error) === "resource_already_exists_exception") return false;
      throw error;
    }
  };
  /**
   * Moves the aliases of the builds in one atomic step. If the answer is lost, the client's second try finds the step
   * done: then the aliases decide.
   * @throws IndexGoneError when a build was removed meanwhile
   */
  const goLive = async (targets: Partial<Targets>): Promise<void> => {
    try {
      await switchTo(targets);
    } catch (error) {
      if (!(await areLive(targets))) throw error;
    }
  };
  /** False if the server does not answer. */
  const areLive = async (targets: Partial<Targets>): Promise<boolean> => {
    const listed = await list().catch(() => []);
    return (Object.entries(targets) as [LogicalIndex, string][]).every(([index, name]) => {
      const found = listed.find((each) => each.name === name);
      return found !== undefined && !found.isBuilding && aliasesOf(index).every((alias) => found.aliases.has(alias));
    });
  };
  const switchTo = async (targets: Partial<Targets>): Promise<void> => {
    const names = Object.values(targets);
    await client.indices.putSettings({ index: names.map((name) => nameOf(name)), settings: LIVE_SETTINGS });
    await move(targets, (listed) => {
      const builds = listed.filter(({ name, aliases }) => names.includes(name) && aliases.has(buildingAlias(name)));
      if (builds.length < names.length) throw new IndexGoneError("a build was taken away");
      return names.map((name) => ({
        remove: { index: nameOf(name), alias: buildingAlias(name), must_exist: true },
      }));
    });
  };
  /** Moves the aliases to an index that is, or was, live. */
  const goBack = async (index: LogicalIndex, name: string): Promise<void> => {
    await move({ [index]: name }, () => []);
  };
  /** Removes builds that have not gone live. */
  const withdraw = async (names: readonly string[]): Promise<void> => {
    for (const name of names) if (await keepFromLive(name)) await remove([name]);
  };
  /** Removes builds that are not these: one at a time is under way, so their builders died or lost their turn. */
  const withdrawAllBut = async (own: readonly string[]): Promise<void> => {
    const builds = (await list()).filter(({ name, isBuilding }) => isBuilding && !own.includes(name));
    await withdraw(builds.map(({ name }) => name));
  };
  /** @returns false when it is live, was live or is gone */
  const keepFromLive = async (name: string): Promise<boolean> => {
    const index = nameOf(name);
    try {
      await client.indices.updateAliases({
        actions: [
          { remove: { index, alias: buildingAlias(name), must_exist: true } },
          { add: { index, alias: withdrawnAlias(name) } },
        ],
      });
      return true;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return (await list()).some((each) => each.name === name && each.isBuilding);
  };
  /** A missing index is no error. */
  const remove = async (names: readonly string[]): Promise<void> => {
    if (names.length === 0) return;
    await client.indices.delete({ index: names.map((name) => nameOf(name)), ignore_unavailable: true }, PROMPT);
  };
  /**
   * The server resolves patterns before the request's turn, so two moves at once would leave an alias on two indexes.
   * Named indexes with `must_exist` make the later move fail, and it is repeated.
   */
  const move = async (
    targets: Partial<Targets>,
    others: (listed: readonly ListedIndex[]) => estypes.IndicesUpdateAliasesAction[],
  ): Promise<void> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const listed = await list();
      for (const { index } of listed.filter(({ name }) => Object.values(targets).includes(name)))
        refuseNewer(index, listed);
      const moves = (Object.entries(targets) as [LogicalIndex, string][]).flatMap(([index, to]) =>
        aliasesOf(index).flatMap((alias) => [
          ...listed
            .filter(({ name, aliases }) => name !== to && aliases.has(alias))
            .map(({ name }) => ({ remove: { index: nameOf(name), alias, must_exist: true } })),
          { add: { index: nameOf(to), alias, ...filterOf(alias) } },
        ]),
      );
      try {
        await client.indices.updateAliases({ actions: [...others(listed), ...moves] });
        return;
      } catch (error) {
        if (!isGone(error) || error instanceof IndexGoneError) throw error;
      }
    }
    throw unavailable("other processes move the aliases all the time");
  };
  const aliasesOf = (index: LogicalIndex): string[] => [
    liveAlias(index),
    nameOf(`${index}_current_write`),
    readAlias(index),
  ];
  const liveAlias = (index: LogicalIndex): string => nameOf(`${index}_current_read`);
  /** Who reads the index by the specification's name finds parts alone, and no progress beside them. */
  const filterOf = (alias: string): { filter?: estypes.QueryDslQueryContainer } =>
    LOGICAL_INDEXES.some((index) => liveAlias(index) === alias) ? { filter: { exists: { field: PART_FIELD } } } : {};
  const withdrawnAlias = (name: string): string => nameOf(`${name}_withdrawn`);
  const toListed = (
    fullName: string,
    { aliases = {}, mappings, settings }: estypes.IndicesIndexState,
  ): ListedIndex[] => {
    const name = fullName.slice(prefix.length);
    const index = logicalIndexOf(name);
    if (index === undefined) return [];
    const { version = 0 } = (mappings?._meta ?? {}) as { version?: number };
    const names = new Set(Object.keys(aliases));
    return [
      {
        name,
        index,
        aliases: names,
        createdAt: new Date(Number(settings?.index?.creation_date)),
        isBuilding: names.has(buildingAlias(name)) || names.has(withdrawnAlias(name)),
        isLive: names.has(liveAlias(index)),
        version,
        isReadable: version === INDEX_VERSION,
      },
    ];
  };

  return {
    nameOf,
    readAlias,
    buildingAlias,
    list,
    live,
    liveIfUsable,
    current,
    settle,
    create,
    goLive,
    goBack,
    withdraw,
    withdrawAllBut,
    remove,
  };
}

function refuseNewer(index: LogicalIndex, listed: readonly ListedIndex[]): void {
  if (!listed.some((each) => each.index === index && each.isLive && each.version > INDEX_VERSION)) return;
  throw unavailable(`the live index of ${index} is of a newer version of the code than this process`);
}

function nextName(index: LogicalIndex, listed: readonly ListedIndex[]): string {
  return datedName(index, new Date(), new Set(listed.map(({ name }) => name)));
}
