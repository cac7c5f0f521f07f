import type { ServiceBroker } from "moleculer";
import type { Result } from "../../broker/contract/define.ts";
import { leasesIn } from "../../broker/lease.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { PartlineError } from "../../mixins/errors.ts";
import type { LogicalIndex, SearchIndex } from "../../mixins/search-index/port.ts";
import { call } from "../contracts.ts";
import { openBuilds, type BuildRequest, type Builds } from "./builds.ts";
import type { searchContract } from "./contract.ts";
import { inTheCluster, inThisProcess } from "./exclusively.ts";
import { createIndexer } from "./indexer.ts";
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
  const onLeaseError = (error: unknown): void => logger.warn("The lease of the search indexer could not be renewed", error);
  const indexer = createIndexer(
    index,
    {
      revisions: async () => (await call(broker, "catalog.revisions", {})).vendors,
      changes: async (vendor, after, limit) => (await call(broker, "catalog.changes", { vendor, after, limit })).parts,
    },
    isAlone ? inThisProcess() : inTheCluster(leases, broker.nodeID, onLeaseError),
  );
  const builds = await openBuilds({ indexer, documents, leases, isAlone, logger });

  const buildOrThrow = async (request: BuildRequest): Promise<void> => {
    const { status, reason } = await builds.run(request);
    if (status === "refused") throw new PartlineError("VERSION_CONFLICT", reason ?? "The build was refused");
    if (status !== "published") throw new PartlineError("SERVICE_UNAVAILABLE", reason ?? "The build failed");
  };
  const catchUp = async (): Promise<number> => {
    const { written, isAhead } = await indexer.catchUp();
    if (!isAhead) return written;
    await buildOrThrow({ force: true });
    return (await index.status()).parts.documents;
  };
  const follower = keepInStep({ catchUp }, (error) => logger.warn("The search index could not catch up", error));

  return {
    builds,
    catchUp,
    rebuild: async (request) => {
      await buildOrThrow(request);
      const { parts, tires } = await index.status();
      return { aliasTarget: { parts: parts.name, tires: tires.name } };
    },
    rollback: (name) => indexer.rollback(name),
    stop: async () => {
      await builds.stop();
      await follower.stop();
    },
  };
}
