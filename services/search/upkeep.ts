import type { ServiceBroker } from "moleculer";
import type { Result } from "../../broker/contract/define.ts";
import { createLeases } from "../../broker/lease.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { LOGICAL_INDEXES, type LogicalIndex, type Progress, type SearchIndex } from "../../mixins/search-index/port.ts";
import { TIRE_SUPPLIER_CODE } from "../../mixins/tires.ts";
import { call, type Events } from "../contracts.ts";
import { hasIndexCode } from "./answer-in-time.ts";
import { openBuilds, type Build, type BuildRequest, type Builds } from "./builds.ts";
import type { searchContract } from "./contract.ts";
import { lockInCluster, lockInProcess } from "./locks.ts";
import { createIndexer, type CatalogFeed } from "./indexer.ts";
import { createCatalogFollower, type Follower } from "./catalog-follower.ts";

/** Everything that changes the index. */
export interface Upkeep {
  builds: Builds;
  /** Resolves when every earlier change can be found, with the number of parts written. */
  catchUp(): Promise<number>;
  state: Follower["state"];
  /** Called when the catalog has changed. */
  catalogChanged: Follower["hurry"];
  /** Rebuilds the index of tires after a sync of their listing that changed something. */
  catalogSynced(synced: Events["catalog.synced"]): Promise<void>;
  /** @throws VERSION_CONFLICT when the build was refused, SERVICE_UNAVAILABLE when it failed */
  rebuild(request: BuildRequest): Promise<Result<(typeof searchContract)["actions"]["rebuild"]>>;
  /** @throws NOTHING_TO_ROLL_BACK */
  rollback(index: LogicalIndex): Promise<{ from: string; to: string }>;
  stop(): Promise<void>;
}

/** An embedded index belongs to this process; processes that share one change it one at a time. */
export async function startUpkeep(broker: ServiceBroker, index: SearchIndex, onChange: () => void): Promise<Upkeep> {
  const { documents } = serviceRuntimeOf(broker);
  const { logger } = broker;
  const leases = createLeases(documents);
  const isAlone = index.backend === "embedded";
  const stopping = new AbortController();
  const { signal } = stopping;
  const onLeaseError = (error: unknown): void =>
    logger.warn("The lease of the search indexer could not be renewed", error);
  const feed: CatalogFeed = {
    revisions: async () => (await call(broker, "catalog.revisions", {})).vendors,
    changes: async (vendor, after, limit, tires) =>
      (await call(broker, "catalog.changes", { vendor, after, limit, tires })).parts,
  };
  const exclusively = isAlone
    ? lockInProcess()
    : lockInCluster(leases, { holder: broker.nodeID, signal, onError: onLeaseError });
  const onProgress = (revisions: Progress): void => {
    broker
      .broadcast("catalog.followed", { revisions })
      .catch((error: unknown) => logger.debug("It could not be told how far the search index is", error));
  };
  const indexer = createIndexer({ index, feed, exclusively, onProgress, onChange, signal });
  const builds = await openBuilds({ indexer, documents, leases, isAlone, signal, logger });

  const assertPublished = ({ status, reason }: Build): void => {
    if (status === "refused") throw new PartlineError("VERSION_CONFLICT", reason ?? "The build was refused");
    if (status !== "published") throw new PartlineError("SERVICE_UNAVAILABLE", reason ?? "The build failed");
  };
  /** `needsBuild`: the index knows more than the catalog, or none is usable by this version. */
  const readOn = async (): Promise<{ written: number; needsBuild: boolean }> => {
    try {
      const { written, isAhead } = await indexer.catchUp();
      return { written, needsBuild: isAhead };
    } catch (error) {
      if (!hasIndexCode(error, "BUILD_NEEDED")) throw error;
      return { written: 0, needsBuild: true };
    }
  };
  const catchUp = async (): Promise<number> => {
    const { written, needsBuild } = await readOn();
    if (!needsBuild) return written;
    // Another process may have seen it first, and be building all that is needed.
    const joined = await builds.ended((await builds.startOrJoin({ force: true })).buildId);
    if (isWhole(joined)) {
      if (joined.force) assertPublished(joined);
      const after = await readOn();
      if (!after.needsBuild) return sentParts(joined) + after.written;
    }
    const own = await builds.run({ force: true });
    assertPublished(own);
    const last = await readOn();
    if (last.needsBuild)
      throw new PartlineError(
        "SERVICE_UNAVAILABLE",
        "The search index was built anew and is still not that of the catalog",
      );
    return sentParts(own) + last.written;
  };
  const follower = createCatalogFollower({ catchUp }, logger);

  return {
    builds,
    catchUp,
    state: follower.state,
    catalogChanged: follower.hurry,
    catalogSynced: async ({ vendor, written, discontinued }) => {
      // Two indexes are kept: an identical build would push out the last that differs.
      if (vendor === TIRE_SUPPLIER_CODE && written + discontinued > 0)
        await builds.run({ index: "tires", force: false });
    },
    rebuild: async (request) => {
      assertPublished(await builds.run(request));
      const { parts, tires } = await index.status();
      return { aliasTarget: { parts: parts.name, tires: tires.name } };
    },
    rollback: (name) => indexer.rollback(name),
    stop: async () => {
      stopping.abort(new Error("The search service was stopped"));
      await Promise.all([builds.settled(), follower.stop()]);
    },
  };
}

function isWhole({ indexes }: Build): boolean {
  return LOGICAL_INDEXES.every((index) => indexes.some((each) => each.index === index));
}

function sentParts({ indexes }: Build): number {
  return indexes.find(({ index }) => index === "parts")?.sent ?? 0;
}
