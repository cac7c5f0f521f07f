import { ulid } from "ulid";
import type { Held, Leases } from "../../broker/lease.ts";
import type { Infer } from "../../broker/contract/rules.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { LOGICAL_INDEXES, type LogicalIndex } from "../../mixins/search-index/port.ts";
import { hasIndexCode } from "./answer-in-time.ts";
import { BUILDS, type BuildDocument } from "./collections.ts";
import type { Indexer } from "./indexer.ts";
import type { buildRule } from "./resources.ts";

export type Build = Infer<typeof buildRule>;

export interface BuildRequest {
  /** Both unless given. */
  index?: LogicalIndex;
  force: boolean;
}

/** Builds of the indexes, one at a time among all processes that share the document store. */
export interface Builds {
  /** Starts a build, or returns the running one if it does all that is asked for. @throws BUILD_RUNNING */
  start(request: BuildRequest): Promise<{ buildId: string }>;
  /** Starts a build, or returns the running one. */
  startOrJoin(request: BuildRequest): Promise<{ buildId: string }>;
  /** Waits for a running build, then builds; resolves when the build has ended, in any state. */
  run(request: BuildRequest): Promise<Build>;
  /** Resolves when a build of any process has ended. @throws NOT_FOUND */
  ended(buildId: string): Promise<Build>;
  /** @throws NOT_FOUND */
  get(buildId: string): Promise<Build>;
  /** Resolves when no build of this process runs. */
  settled(): Promise<void>;
}

interface BuildsDeps {
  indexer: Pick<Indexer, "build">;
  documents: DocumentStore;
  leases: Leases;
  /** No other process can be building: a build that seems to run was cut off. */
  isAlone: boolean;
  /** When aborted, no build begins. */
  signal: AbortSignal;
  logger: { info(message: string): void; warn(message: string, error?: unknown): void };
}

type Outcome = Pick<BuildDocument, "status" | "reason">;

const LEASE = "search.build";
const LEASE_MS = 30_000;
const POLL_MS = 250;
const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1_000;
const CUT_OFF = "The process that built it ended";

export async function openBuilds({ indexer, documents, leases, isAlone, signal, logger }: BuildsDeps): Promise<Builds> {
  const builds = documents.collection<BuildDocument>(BUILDS);
  const running = new Map<string, Promise<void>>();

  /**
   * Repeats until the store takes it, so that a live build is not reported as cut off. It overwrites the verdict of a
   * process that took the builder for dead.
   */
  const end = async (buildId: string, outcome: Outcome): Promise<void> => {
    const finishedAt = new Date();
    for (let isFirst = true; ; isFirst = false) {
      try {
        await builds.updateOne({ _id: buildId }, { $set: { ...outcome, finishedAt } });
        return;
      } catch (error) {
        if (signal.aborted) throw error;
        if (isFirst)
          logger.warn(
            `The end of build ${buildId} of the search index cannot be kept; it is tried again until it can`,
            error,
          );
        await waitTurn();
      }
    }
  };

  const markCutOff = async (which: { _id?: string }): Promise<void> => {
    await builds.updateMany(
      { ...which, status: "running" },
      { $set: { status: "failed", reason: CUT_OFF, finishedAt: new Date() } },
    );
  };

  /** We hold the lease: any other build that seems to run has lost its process. */
  const begin = async (buildId: string, { index, force }: BuildRequest): Promise<void> => {
    await markCutOff({});
    const startedAt = new Date();
    await builds.insertOne({
      _id: buildId,
      status: "running",
      indexes: (index ? [index] : LOGICAL_INDEXES).map((name) => ({ index: name, name: null, sent: 0 })),
      force,
      reason: null,
      startedAt,
      finishedAt: null,
      expiresAt: new Date(startedAt.getTime() + REMEMBERED_MS),
    });
  };

  const build = async (buildId: string, { index, force }: BuildRequest, held: Held): Promise<void> => {
    const which = index ? [index] : LOGICAL_INDEXES;
    const work = indexer.build(which, {
      force,
      held,
      onProgress: async (names, sent) => {
        const indexes = which.map((name) => ({ index: name, name: names[name] ?? null, sent: sent[name] ?? 0 }));
        await builds.updateOne({ _id: buildId, status: "running" }, { $set: { indexes } });
      },
    });
    await end(
      buildId,
      await work.then(
        (): Outcome => {
          logger.info(`Build ${buildId} of the search index is live`);
          return { status: "published", reason: null };
        },
        (error: unknown): Outcome => {
          const status = hasIndexCode(error, "BUILD_REFUSED") ? "refused" : "failed";
          logger.warn(`Build ${buildId} of the search index ${status === "refused" ? "was refused" : "failed"}`, error);
          return { status, reason: error instanceof Error ? error.message : String(error) };
        },
      ),
    );
  };

  /** Returns undefined if a build is running. */
  const tryStart = async (request: BuildRequest): Promise<string | undefined> => {
    signal.throwIfAborted();
    const buildId = ulid();
    if (!(await leases.acquire(LEASE, buildId, LEASE_MS))) return undefined;
    const begun = Promise.withResolvers<void>();
    const onError = (error: unknown): void =>
      logger.warn("The lease of a search index build could not be renewed", error);
    const work = leases.during({ name: LEASE, holder: buildId, forMs: LEASE_MS, onError }, async (held) => {
      await begin(buildId, request);
      begun.resolve();
      await build(buildId, request, held);
    });
    const done = work
      .catch((error: unknown) => {
        begun.reject(error);
        logger.warn("The state of a search index build could not be kept", error);
      })
      .finally(() => running.delete(buildId));
    running.set(buildId, done);
    await begun.promise;
    return buildId;
  };

  /** Marks a build whose process has died. */
  const find = async (buildId: string): Promise<BuildDocument | null> => {
    const found = await builds.findOne({ _id: buildId });
    if (found?.status !== "running" || (await leases.holderOf(LEASE)) === buildId) return found;
    // It ended between the two reads, or its process died: a builder writes its end before it gives the lease back.
    await markCutOff({ _id: buildId });
    return builds.findOne({ _id: buildId });
  };
  const get: Builds["get"] = async (buildId) => {
    const found = await find(buildId);
    if (!found) throw notFound("Build", buildId);
    return present(found);
  };

  const startOrJoin = async (request: BuildRequest): Promise<{ buildId: string; doesAll: boolean }> => {
    for (;;) {
      const started = await tryStart(request);
      if (started !== undefined) return { buildId: started, doesAll: true };
      const holder = await leases.holderOf(LEASE);
      const other = holder === undefined ? undefined : await find(holder);
      if (other?.status === "running") return { buildId: other._id, doesAll: does(other, request) };
      // It is about to begin, or has just ended.
      await waitTurn();
      // A build that began after the request will do, even if it has ended by now.
      const begun = holder !== undefined && other === null ? await find(holder) : null;
      if (begun) return { buildId: begun._id, doesAll: does(begun, request) };
    }
  };

  const ended: Builds["ended"] = async (buildId) => {
    await running.get(buildId);
    for (;;) {
      const build = await get(buildId);
      if (build.status !== "running") return build;
      signal.throwIfAborted();
      await waitTurn();
    }
  };

  if (isAlone) {
    const holder = await leases.holderOf(LEASE);
    if (holder !== undefined) await leases.release(LEASE, holder);
    await markCutOff({});
  }

  return {
    start: async (request) => {
      const { buildId, doesAll } = await startOrJoin(request);
      if (!doesAll)
        throw new PartlineError("BUILD_RUNNING", `Build ${buildId} is running: ask again when it has ended`, {
          buildId,
        });
      return { buildId };
    },
    startOrJoin,
    run: async (request) => {
      for (;;) {
        const buildId = await tryStart(request);
        if (buildId !== undefined) return ended(buildId);
        await waitTurn();
      }
    },
    ended,
    get,
    settled: async () => {
      await Promise.all(running.values());
    },
  };
}

function waitTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** Whether a running build does all that is asked for: it includes changes until its end. */
function does({ indexes, force }: Pick<BuildDocument, "indexes" | "force">, asked: BuildRequest): boolean {
  return (
    (asked.index ? [asked.index] : LOGICAL_INDEXES).every((name) => indexes.some(({ index }) => index === name)) &&
    (force || !asked.force)
  );
}

function present({ _id, expiresAt: _expiresAt, ...build }: BuildDocument): Build {
  return { buildId: _id, ...build };
}
