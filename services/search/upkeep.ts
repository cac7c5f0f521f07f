import type { ServiceBroker } from "moleculer";
import { createLeases } from "@partline/durable";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { LOGICAL_INDEXES, type SearchIndex } from "@partline/parts-search";
import { TIRE_SUPPLIER_CODE } from "@partline/parts-language";
import { call, type Events } from "../contracts.ts";
import { hasIndexCode } from "./answer-in-time.ts";
import { createBuilds, type Build } from "./builds.ts";
import { createCatalogFollower } from "./catalog-follower.ts";
import { createIndexer, type CatalogFeed } from "./indexer.ts";
import { lockInCluster, lockInProcess } from "./locks.ts";

export type Upkeep = ReturnType<typeof startUpkeep>;

/**
 * Starts everything that changes the index. An embedded index is this process's own; of the processes that share one,
 * one at a time changes it.
 */
export function startUpkeep(broker: ServiceBroker, index: SearchIndex, onChange: () => void) {
  const { documents, tasks } = getServiceRuntime(broker);
  const { logger } = broker;
  const isAlone = index.backend === "embedded";
  const stopping = new AbortController();
  const { signal } = stopping;
  const onLeaseError = (error: unknown): void =>
    logger.warn("The lease of the search indexer could not be renewed", error);
  const feed: CatalogFeed = {
    listRevisions: async () => (await call(broker, "catalog.revisions", {})).vendors,
    listChanges: async (vendor, after, limit, tires) =>
      (await call(broker, "catalog.changes", { vendor, after, limit, tires })).parts,
  };
  const exclusively = isAlone
    ? lockInProcess()
    : lockInCluster(createLeases(documents), { holder: broker.nodeID, signal, onError: onLeaseError });
  const indexer = createIndexer({ index, feed, exclusively, onChange, signal });
  const builds = createBuilds({ indexer, documents, tasks, signal, logger });

  const assertPublished = ({ status, reason }: Build): void => {
    if (status !== "published") throw new PartlineError("SERVICE_UNAVAILABLE", reason ?? "The build failed");
  };
  /** `needsBuild`: the index knows more than the catalog, or none is usable by this version. */
  const readOn = async (): Promise<{ written: number; needsBuild: boolean }> => {
    try {
      const { written: writtenCount, isAhead } = await indexer.catchUp();
      return { written: writtenCount, needsBuild: isAhead };
    } catch (error) {
      if (!hasIndexCode(error, "BUILD_NEEDED")) throw error;
      return { written: 0, needsBuild: true };
    }
  };
  /** Resolves when every earlier change can be found, with the number of parts written. */
  const catchUp = async (): Promise<number> => {
    const { written: writtenCount, needsBuild } = await readOn();
    if (!needsBuild) return writtenCount;
    // Another process may have seen it first, and be building all that is needed.
    const joined = await builds.runOrJoin({ force: true });
    if (isWhole(joined)) {
      if (joined.force) assertPublished(joined);
      const after = await readOn();
      if (!after.needsBuild) return countSentParts(joined) + after.written;
    }
    const ownBuild = await builds.run({ force: true });
    assertPublished(ownBuild);
    const last = await readOn();
    if (last.needsBuild)
      throw new PartlineError("SERVICE_UNAVAILABLE", "The search index was rebuilt and still differs from the catalog");
    return countSentParts(ownBuild) + last.written;
  };
  const follower = createCatalogFollower({ catchUp }, logger);

  return {
    builds,
    catchUp,
    state: follower.state,
    catalogChanged: follower.hurry,
    /**
     * Rebuilds the index of tires after a sync of their listing that changed some of them. One that wrote all of them,
     * as the first does, filled the live index as whole as a build would.
     */
    onCatalogSynced: async (synced: Events["catalog.synced"]): Promise<void> => {
      const { vendor, syncId, written: writtenRows, unchanged, discontinued } = synced;
      const changedAll = unchanged + discontinued === 0;
      // Two indexes are kept: an identical build, also of a redelivered event, would push out the last that differs.
      if (vendor === TIRE_SUPPLIER_CODE && writtenRows + discontinued > 0 && !changedAll)
        await builds.run({ buildId: `tires-${syncId}`, index: "tires", force: false });
    },
    rollback: indexer.rollback,
    stop: async (): Promise<void> => {
      stopping.abort(new Error("The search service was stopped"));
      await follower.stop();
    },
  };
}

function isWhole({ indexes }: Build): boolean {
  return LOGICAL_INDEXES.every((index) => indexes.some((entry) => entry.index === index));
}

function countSentParts({ indexes }: Build): number {
  return indexes.find(({ index }) => index === "parts")?.sent ?? 0;
}
