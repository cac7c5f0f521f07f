import { setTimeout as delay } from "node:timers/promises";
import { ulid } from "@partline/toolkit";
import {
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  type Filter,
  type HeldLease,
  getTaskId,
  type Tasks,
  startUnique,
} from "@partline/durable";
import type { Infer } from "@partline/api-contracts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { LOGICAL_INDEXES, type LogicalIndex } from "@partline/parts-search";
import { enqueue } from "../contracts.ts";
import { hasIndexCode } from "./answer-in-time.ts";
import { isAbsent } from "./catalog-follower.ts";
import type { Indexer } from "./indexer.ts";
import type { buildRule } from "./resources.ts";

export type Build = Infer<typeof buildRule>;
export type Builds = ReturnType<typeof createBuilds>;

/** A build of one or both indexes; `_id` is its buildId. */
export interface BuildDocument extends Document, Omit<Build, "buildId"> {
  /** While it runs; unique, so one runs in the cluster. */
  running?: typeof RUNNING;
  expiresAt: Date;
}

export const RUNNING = "search";

export const BUILDS: CollectionDefinition = {
  name: "search_builds",
  fields: { status: "string", running: "string", startedAt: "date", finishedAt: "date", expiresAt: "date" },
  indexes: [{ keys: { running: 1 }, unique: true }],
  expires: "expiresAt",
};

interface BuildRequest {
  /** Names what it is built for, to build it once; a new one unless given. */
  buildId?: string;
  /** Both unless given. */
  index?: LogicalIndex;
  force: boolean;
}

interface BuildsDeps {
  indexer: Pick<Indexer, "build">;
  documents: DocumentStore;
  tasks: Pick<Tasks, "find" | "wake">;
  /** Signal that keeps builds from beginning. */
  signal: AbortSignal;
  logger: { info(message: string): void; warn(message: string, error?: unknown): void };
}

type Outcome = Pick<BuildDocument, "status" | "reason">;

const POLL_MS = 250;
/** Maximum number of builds in the list, the newest. */
const MOST_LISTED = 20;
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;
const CUT_OFF: Outcome = { status: "failed", reason: "The process that built it ended" };

/**
 * Builds of the indexes, one at a time among all processes that share the document store. Each is a durable task: one
 * whose process dies begins again in the next.
 */
export function createBuilds({ indexer, documents, tasks, signal, logger }: BuildsDeps) {
  const builds = documents.collection<BuildDocument>(BUILDS);

  const end = async (buildId: string, outcome: Outcome): Promise<void> => {
    const ended = { $set: { ...outcome, finishedAt: new Date() }, $unset: { running: true as const } };
    await builds.updateOne({ _id: buildId, status: "running" }, ended);
  };
  /** A task is deleted after the build's end: one that runs without was dropped. */
  const find = async (filter: Filter): Promise<BuildDocument | null> => {
    const storedBuild = await builds.findOne(filter);
    if (storedBuild?.status !== "running" || (await tasks.find(getTaskId("search.build", storedBuild._id))))
      return storedBuild;
    await end(storedBuild._id, CUT_OFF);
    return builds.findOne({ _id: storedBuild._id });
  };
  /** @throws NOT_FOUND */
  const get = async (buildId: string): Promise<Build> => {
    const build = await find({ _id: buildId });
    if (!build) throw notFound("Build", buildId);
    return present(build);
  };
  const list = async (): Promise<Build[]> => {
    const latest = await builds.find({}, { sort: { startedAt: -1 }, limit: MOST_LISTED });
    return Promise.all(latest.map(({ _id }) => get(_id)));
  };
  /** Begins a build, unless one runs; then returns that one. */
  const begin = async ({
    buildId = ulid(),
    index,
    force,
  }: BuildRequest): Promise<{ record: BuildDocument; isOwn: boolean }> => {
    const insert = async (): Promise<BuildDocument> => {
      signal.throwIfAborted();
      const startedAt = new Date();
      const build: BuildDocument = {
        _id: buildId,
        status: "running",
        running: RUNNING,
        indexes: (index ? [index] : LOGICAL_INDEXES).map((name) => ({ index: name, name: null, sent: 0 })),
        force,
        reason: null,
        startedAt,
        finishedAt: null,
        expiresAt: new Date(startedAt.getTime() + REMEMBERED_MS),
      };
      await documents.atomically([
        { collection: BUILDS, insertOne: { ...build } },
        enqueue("search.build", build._id, { buildId: build._id }),
      ]);
      tasks.wake();
      return build;
    };
    const findRunning = async (): Promise<BuildDocument | null> => {
      const runningBuild = await find({ running: RUNNING });
      // A rival may have begun and ended this very build.
      return runningBuild?.status === "running" ? runningBuild : find({ _id: buildId });
    };
    return startUnique("a build", { insert, running: findRunning });
  };
  /** Resolves when a build has ended. @throws NOT_FOUND */
  const waitForEnd = async (buildId: string): Promise<Build> => {
    for (;;) {
      const build = await get(buildId);
      if (build.status !== "running") return build;
      signal.throwIfAborted();
      await delay(POLL_MS);
    }
  };
  const runBuild = async ({ _id, indexes, force }: BuildDocument, lease: HeldLease): Promise<Outcome> => {
    const which = indexes.map(({ index }) => index);
    try {
      await indexer.build(which, {
        force,
        held: lease,
        onProgress: async (names, sentCounts) => {
          const built = which.map((name) => ({ index: name, name: names[name] ?? null, sent: sentCounts[name] ?? 0 }));
          await builds.updateOne({ _id, status: "running" }, { $set: { indexes: built } });
        },
      });
      logger.info(`Build ${_id} of the search index is live`);
      return { status: "published", reason: null };
    } catch (error) {
      // The task goes on in another process, or when the catalog is there.
      if (lease.signal.aborted || signal.aborted || isAbsent(error)) throw error;
      const status = hasIndexCode(error, "BUILD_REFUSED") ? "refused" : "failed";
      logger.warn(`Build ${_id} of the search index ${status === "refused" ? "was refused" : "failed"}`, error);
      return { status, reason: error instanceof Error ? error.message : String(error) };
    }
  };

  return {
    work: async ({ buildId }: { buildId: string }, lease: HeldLease): Promise<void> => {
      const build = await builds.findOne({ _id: buildId, status: "running" });
      if (build) await end(buildId, await runBuild(build, lease));
    },
    onGaveUp: ({ buildId }: { buildId: string }): Promise<void> => end(buildId, CUT_OFF),
    get,
    list,
    ended: waitForEnd,
    /** Starts a build, or returns the running one if it does all that is asked for. @throws BUILD_RUNNING */
    start: async (request: BuildRequest): Promise<{ buildId: string }> => {
      const { record, isOwn } = await begin(request);
      const { _id: buildId } = record;
      if (!isOwn && !isCovering(record, request))
        throw new PartlineError("BUILD_RUNNING", `Build ${buildId} is running. Try again when it has ended`, {
          buildId,
        });
      return { buildId };
    },
    /** Starts a build, or waits for the running one; resolves when it has ended, in any state. */
    runOrJoin: async (request: BuildRequest): Promise<Build> => waitForEnd((await begin(request)).record._id),
    /** Waits for a running build, then builds, unless that is done; resolves as `runOrJoin`. */
    run: async (request: BuildRequest): Promise<Build> => {
      for (;;) {
        if (request.buildId && (await builds.findOne({ _id: request.buildId }))) return waitForEnd(request.buildId);
        const { record, isOwn } = await begin(request);
        const last = await waitForEnd(record._id);
        if (isOwn) return last;
      }
    },
  };
}

/** Returns whether a running build does all that is asked for: it includes changes until its end. */
function isCovering({ indexes, force }: Pick<BuildDocument, "indexes" | "force">, request: BuildRequest): boolean {
  return (
    (request.index ? [request.index] : LOGICAL_INDEXES).every((name) => indexes.some(({ index }) => index === name)) &&
    (force || !request.force)
  );
}

function present({ _id, expiresAt: _expiresAt, running: _running, ...build }: BuildDocument): Build {
  return { buildId: _id, ...build };
}
