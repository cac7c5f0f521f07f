import type { Client, estypes } from "@elastic/elasticsearch";
import { PROMPT } from "../../elasticsearch/client.ts";
import { getErrorType, IndexGoneError, isGone, createUnavailable } from "../../elasticsearch/errors.ts";
import { buildNeeded } from "../builds.ts";
import { compareAge, createDatedName, parseLogicalIndex } from "../dated-names.ts";
import { LOGICAL_INDEXES, SearchIndexError, type LogicalIndex } from "../port.ts";
import { INDEX_VERSION, LIVE_SETTINGS, MAPPINGS, PART_FIELD, SETTINGS } from "./mapping.ts";

interface ListedIndex {
  /** Name without the prefix. */
  name: string;
  index: LogicalIndex;
  createdAt: Date;
  aliases: ReadonlySet<string>;
  /** True if it was never live. */
  isBuilding: boolean;
  isLive: boolean;
  /** Version of the code that created it; this code reads only its own. */
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
  const toName = (name: string): string => `${prefix}${name}`;
  /**
   * The alias that searches by this version of the code read: the live index, or after a switch to another version
   * the last one of this version. It does not exist before an index of this version was live.
   */
  const readAlias = (index: LogicalIndex): string => `${toLiveAlias(index)}_v${INDEX_VERSION}`;
  const toBuildingAlias = (name: string): string => toName(`${name}_building`);
  /** Newest first. */
  const list = async (): Promise<ListedIndex[]> => {
    const answer = await client.indices.get({ index: LOGICAL_INDEXES.map((index) => toName(`${index}_v*`)) }, PROMPT);
    return Object.entries(answer)
      .flatMap(([fullName, state]) => toListed(fullName, state))
      .sort((a, b) => compareAge(a.name, b.name));
  };
  /** @throws BUILD_NEEDED when one is missing or of an older version, UNAVAILABLE when it is of a newer one */
  const readLive = async (): Promise<Targets> => {
    const listed = await list();
    return Object.fromEntries(LOGICAL_INDEXES.map((index) => [index, findLive(index, listed)])) as Targets;
  };
  /** Undefined if this version of the code cannot use them. */
  const readLiveIfUsable = async (): Promise<Targets | undefined> => {
    try {
      return await readLive();
    } catch (error) {
      if (error instanceof SearchIndexError) return undefined;
      throw error;
    }
  };
  const findLive = (index: LogicalIndex, listed: readonly ListedIndex[]): string => {
    refuseNewer(index, listed);
    const [live, ...furtherLive] = listed.filter((candidate) => candidate.index === index && candidate.isLive);
    if (!live || furtherLive.length > 0) throw buildNeeded(`not one index of ${index} is live`);
    if (!live.isReadable) throw buildNeeded(`the live index of ${index} is of an older version of the code`);
    if (!live.aliases.has(readAlias(index))) throw buildNeeded(`the aliases of ${index} do not agree`);
    return live.name;
  };
  /** The live indexes of this version and older ones. @throws UNAVAILABLE when one is of a newer version */
  const readCurrent = async (): Promise<Partial<Targets>> => {
    const listed = await list();
    for (const index of LOGICAL_INDEXES) refuseNewer(index, listed);
    return Object.fromEntries(listed.filter(({ isLive }) => isLive).map(({ index, name }) => [index, name]));
  };
  /**
   * Creates the first indexes of a new system, and repairs aliases that someone moved, at a start. The rest needs a
   * build.
   */
  const settle = async (): Promise<void> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const listed = await list();
      const missing = LOGICAL_INDEXES.filter(
        (index) => !listed.some((candidate) => candidate.index === index && !candidate.isBuilding),
      );
      if (missing.length === 0) return alignAliases(listed);
      for (const index of missing) await createFirst(index, listed);
    }
    throw createUnavailable("other processes make indexes all the time");
  };
  const alignAliases = async (listed: readonly ListedIndex[]): Promise<void> => {
    for (const index of LOGICAL_INDEXES) {
      const ours = listed.filter((candidate) => candidate.index === index);
      const [live, ...furtherLive] = ours.filter(({ isLive }) => isLive);
      if (!live?.isReadable || furtherLive.length > 0) continue;
      const isLiveAlone = (alias: string): boolean =>
        ours.every(({ name, aliases }) => aliases.has(alias) === (name === live.name));
      if (!listAliases(index).every(isLiveAlone)) await goBack(index, live.name);
    }
  };
  /** Creates the next index of today, marked as being built. @returns its name */
  const create = async (index: LogicalIndex): Promise<string> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const name = createNextName(index, await list());
      if (await tryCreate(name, settings, [toBuildingAlias(name)])) return name;
    }
    throw createUnavailable("other processes make indexes all the time");
  };
  /** The first one is live from the start: of two processes that create it at once, one finds the other's. */
  const createFirst = async (index: LogicalIndex, listed: readonly ListedIndex[]): Promise<void> => {
    await tryCreate(createNextName(index, listed), { ...settings, ...LIVE_SETTINGS }, listAliases(index));
  };
  /** @returns false if another process was faster */
  const tryCreate = async (
    name: string,
    settings: estypes.IndicesIndexSettings,
    aliases: readonly string[],
  ): Promise<boolean> => {
    try {
      await client.indices.create({
        index: toName(name),
        settings,
        mappings: { ...MAPPINGS, _meta: { version: INDEX_VERSION } },
        aliases: Object.fromEntries(aliases.map((alias) => [alias, toAliasFilter(alias)])),
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
      const listedIndex = listed.find((candidate) => candidate.name === name);
      return (
        listedIndex !== undefined &&
        !listedIndex.isBuilding &&
        listAliases(index).every((alias) => listedIndex.aliases.has(alias))
      );
    });
  };
  const switchTo = async (targets: Partial<Targets>): Promise<void> => {
    const names = Object.values(targets);
    await client.indices.putSettings({ index: names.map((name) => toName(name)), settings: LIVE_SETTINGS });
    await move(targets, (listed) => {
      const builds = listed.filter(({ name, aliases }) => names.includes(name) && aliases.has(toBuildingAlias(name)));
      if (builds.length < names.length) throw new IndexGoneError("a build was taken away");
      return names.map((name) => ({
        remove: { index: toName(name), alias: toBuildingAlias(name), must_exist: true },
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
  const withdrawAllBut = async (ownNames: readonly string[]): Promise<void> => {
    const builds = (await list()).filter(({ name, isBuilding }) => isBuilding && !ownNames.includes(name));
    await withdraw(builds.map(({ name }) => name));
  };
  /** @returns false when it is live, was live or is gone */
  const keepFromLive = async (name: string): Promise<boolean> => {
    const index = toName(name);
    try {
      await client.indices.updateAliases({
        actions: [
          { remove: { index, alias: toBuildingAlias(name), must_exist: true } },
          { add: { index, alias: toWithdrawnAlias(name) } },
        ],
      });
      return true;
    } catch (error) {
      if (!isGone(error)) throw error;
    }
    return (await list()).some((candidate) => candidate.name === name && candidate.isBuilding);
  };
  /** A missing index is no error. */
  const remove = async (names: readonly string[]): Promise<void> => {
    if (names.length === 0) return;
    await client.indices.delete({ index: names.map((name) => toName(name)), ignore_unavailable: true }, PROMPT);
  };
  /**
   * The server resolves patterns before the request's turn, so two moves at once would leave an alias on two indexes.
   * Named indexes with `must_exist` make the later move fail, and it is repeated.
   */
  const move = async (
    targets: Partial<Targets>,
    listActions: (listed: readonly ListedIndex[]) => estypes.IndicesUpdateAliasesAction[],
  ): Promise<void> => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const listed = await list();
      for (const { index } of listed.filter(({ name }) => Object.values(targets).includes(name)))
        refuseNewer(index, listed);
      const moves = (Object.entries(targets) as [LogicalIndex, string][]).flatMap(([index, to]) =>
        listAliases(index).flatMap((alias) => [
          ...listed
            .filter(({ name, aliases }) => name !== to && aliases.has(alias))
            .map(({ name }) => ({ remove: { index: toName(name), alias, must_exist: true } })),
          { add: { index: toName(to), alias, ...toAliasFilter(alias) } },
        ]),
      );
      try {
        await client.indices.updateAliases({ actions: [...listActions(listed), ...moves] });
        return;
      } catch (error) {
        if (!isGone(error) || error instanceof IndexGoneError) throw error;
      }
    }
    throw createUnavailable("other processes move the aliases all the time");
  };
  const listAliases = (index: LogicalIndex): string[] => [
    toLiveAlias(index),
    toName(`${index}_current_write`),
    readAlias(index),
  ];
  const toLiveAlias = (index: LogicalIndex): string => toName(`${index}_current_read`);
  /** Returns the filter of the specification's alias, which hides progress documents. */
  const toAliasFilter = (alias: string): { filter?: estypes.QueryDslQueryContainer } =>
    LOGICAL_INDEXES.some((index) => toLiveAlias(index) === alias) ? { filter: { exists: { field: PART_FIELD } } } : {};
  const toWithdrawnAlias = (name: string): string => toName(`${name}_withdrawn`);
  const toListed = (
    fullName: string,
    { aliases = {}, mappings, settings }: estypes.IndicesIndexState,
  ): ListedIndex[] => {
    const name = fullName.slice(prefix.length);
    const index = parseLogicalIndex(name);
    if (index === undefined) return [];
    const { version = 0 } = (mappings?._meta ?? {}) as { version?: number };
    const names = new Set(Object.keys(aliases));
    return [
      {
        name,
        index,
        aliases: names,
        createdAt: new Date(Number(settings?.index?.creation_date)),
        isBuilding: names.has(toBuildingAlias(name)) || names.has(toWithdrawnAlias(name)),
        isLive: names.has(toLiveAlias(index)),
        version,
        isReadable: version === INDEX_VERSION,
      },
    ];
  };

  return {
    nameOf: toName,
    readAlias,
    buildingAlias: toBuildingAlias,
    list,
    live: readLive,
    liveIfUsable: readLiveIfUsable,
    current: readCurrent,
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
  if (!listed.some((candidate) => candidate.index === index && candidate.isLive && candidate.version > INDEX_VERSION))
    return;
  throw createUnavailable(`the live index of ${index} is of a newer version of the code than this process`);
}

function createNextName(index: LogicalIndex, listed: readonly ListedIndex[]): string {
  return createDatedName(index, new Date(), new Set(listed.map(({ name }) => name)));
}
