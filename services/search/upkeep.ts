import type { ServiceBroker } from "moleculer";
import type { Result } from "../../broker/contract/define.ts";
import { leasesIn } from "../../broker/lease.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { PartlineError } from "../../mixins/errors.ts";
import type { LogicalIndex, SearchIndex } from "../../mixins/search-index/port.ts";
import { call } from "../contracts.ts";
import { openBuilds, type Build, type BuildRequest, type Builds } from "./builds.ts";
import type { searchContract } from "./contract.ts";
import { inTheCluster, inThisProcess } from "./exclusively.ts";
import { createIndexer, type CatalogFeed } from "./indexer.ts";
import { keepInStep } from "./keep-in-step.ts";

/** All that changes the index. */
export interface Upkeep {
  builds: Builds;
  /** Resolves when every change that was made before the call can be found, with the number of parts written. */
  catchUp(): Promise<number>;
  /** @throws VERSION_CONFLICT when the build was refused, SERVICE_UNAVAILABLE when it failed */
  rebuild(request: BuildRequest): Promise<Result<(typeof searchContract)["actions"]["rebuild"]>>;
  /** @throws NOTHING_TO_ROLL_BACK */
  rollback(index: LogicalIndex): Promise<{ from: string; to: string }>;
  stop(): Promise<void>;
}

/** An embedded index is this process's own; of the processes that share a real one, one at a time changes it. */
export async function startUpkeep(broker: ServiceBroker, index: SearchIndex): Promise<Upkeep> {
  const { documents } = serviceRuntimeOf(broker);
  const { logger } = broker;
  const leases = leasesIn(documents);
  const isAlone = index.backend === "embedded";
  const stopping = new AbortController();
  const { signal } = stopping;
  const onLeaseError = (error: unknown): void => logger.warn("The lease of the search indexer could not be renewed", error);
  const feed: CatalogFeed = {
    revisions: async () => (await call(broker, "catalog.revisions", {})).vendors,
    changes: async (vendor, after, limit) => (await call(broker, "catalog.changes", { vendor, after, limit })).parts,
  };
  const exclusively = isAlone ? inThisProcess() : inTheCluster(leases, { holder: broker.nodeID, signal, onError: onLeaseError });
  const indexer = createIndexer({ index, feed, exclusively, signal });
  const builds = await openBuilds({ indexer, documents, leases, isAlone, signal, logger });

  const assertPublished = ({ status, reason }: Build): void => {
    if (status === "refused") throw new PartlineError("VERSION_CONFLICT", reason ?? "The build was refused");
    if (status !== "published") throw new PartlineError("SERVICE_UNAVAILABLE", reason ?? "The build failed");
  };
  const catchUp = async (): Promise<number> => {
    const { written, isAhead } = await indexer.catchUp();
    if (!isAhead) return written;
    // Another process may have seen it first, and be building.
    const { buildId } = await builds.start({ force: true });
    const build = await builds.ended(buildId);
    assertPublished(build);
    return (build.indexes.find(({ index: name }) => name === "parts")?.sent ?? 0) + (await indexer.catchUp()).written;
  };
  const follower = keepInStep({ catchUp }, logger);

  return {
    builds,
    catchUp,
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
