import { getAt, getFrom } from "@partline/toolkit";
import type { EntryPointSample, NodeSample } from "../../broker/telemetry/sample.ts";
import type { DocumentStore } from "@partline/durable";
import { MINUTES_KEPT_MS, RUNS, type NodeRun, type Trouble } from "./collections.ts";
import { hasEnded } from "./states.ts";

const LONGEST_WAIT_MS = 60_000;
/** Time without growth after which dead letters are no problem. */
const GROWTH_ENDS_MS = 5 * 60_000;
/** How long a starting node may miss dependencies. */
const START_MS = 60_000;
/** Ended troubles are kept for so long, for the incidents. */
export const TROUBLES_KEPT_MS = 10 * 60_000;

const LOOKED_BACK_MS = 86_400_000;

export function findRecentRuns(documents: DocumentStore, now: Date): Promise<NodeRun[]> {
  return documents.collection<NodeRun>(RUNS).find({ heardAt: { $gt: new Date(now.getTime() - LOOKED_BACK_MS) } });
}

export function getRunId({ node, startedAt }: Pick<NodeSample, "node" | "startedAt">): string {
  return `${node}@${startedAt.getTime()}`;
}

/** Returns a run after one more of its samples; the first makes it. */
export function applySample(run: NodeRun | undefined, sample: NodeSample, heardAt: Date): NodeRun {
  const {
    node,
    host,
    version,
    startedAt,
    at: sampledAt,
    leaving,
    services,
    failing,
    eventLoop,
    memory,
    queue,
  } = sample;
  const awaited = listAwaited(run, sample);
  const entryPoints =
    leaving && run ? run.entryPoints : sample.entryPoints.map((entryPoint) => markStarting(entryPoint, awaited));
  const deadGrewAt = run?.queue && queue && queue.dead > run.queue.dead ? sampledAt : run?.deadGrewAt;
  return {
    _id: getRunId(sample),
    node,
    host,
    version,
    startedAt,
    sampleAt: sampledAt,
    heardAt,
    ...(leaving ? { leftAt: sampledAt } : {}),
    role: leaving && run ? run.role : [...services, ...entryPoints.map(({ entry }) => `http:${entry}`)].join(","),
    services,
    entryPoints,
    failing,
    eventLoop,
    memory,
    // A leaving node, or one without its store, reports none.
    queue: queue ?? run?.queue,
    deadGrewAt,
    ...(awaited.length > 0 ? { awaited } : {}),
    troubles: updateTroubles(
      run?.troubles ?? [],
      findProblems({ ...sample, entryPoints }, awaited, deadGrewAt),
      sampledAt.getTime(),
    ),
    expiresAt: new Date(heardAt.getTime() + MINUTES_KEPT_MS),
  };
}

/** Lists dependencies that are missing since the start and may still come. */
function listAwaited(
  run: NodeRun | undefined,
  { startedAt, at: sampledAt, entryPoints, failing }: NodeSample,
): string[] {
  if (sampledAt.getTime() - startedAt.getTime() >= START_MS) return [];
  const listFailing = (points: readonly EntryPointSample[]): string[] =>
    points.flatMap((entryPoint) => entryPoint.failing);
  const missing = mergeNames(failing, listFailing(entryPoints));
  if (!run) return missing;
  const awaitedBefore = new Set([
    ...(run.awaited ?? []),
    ...listFailing(entryPoints.filter(({ status }) => status === "starting")),
  ]);
  return missing.filter((name) => awaitedBefore.has(name));
}

/** Marks an entry point that misses only awaited dependencies as starting. */
function markStarting(entryPoint: EntryPointSample, awaited: readonly string[]): EntryPointSample {
  const { status, failing } = entryPoint;
  return status === "degraded" && failing.length > 0 && failing.every((name) => awaited.includes(name))
    ? { ...entryPoint, status: "starting" }
    : entryPoint;
}

type Problem = Pick<Trouble, "kind" | "subject" | "entryPoints">;

function findProblems(
  { leaving, at: sampledAt, entryPoints, failing, queue }: NodeSample,
  awaited: readonly string[],
  deadGrewAt: Date | undefined,
): Problem[] {
  if (leaving) return [];
  const isCounted = (name: string): boolean => !awaited.includes(name);
  const entriesByDependency = new Map<string, string[]>(failing.filter(isCounted).map((name) => [name, []]));
  for (const { entry, status, failing: missing } of entryPoints) {
    // Rolling restarts are no trouble.
    if (status === "starting" || status === "draining") continue;
    for (const name of missing.filter(isCounted))
      entriesByDependency.set(name, [...(entriesByDependency.get(name) ?? []), entry]);
  }
  const problems = [...entriesByDependency].map(([subject, affected]): Problem => ({
    kind: "dependency",
    subject,
    entryPoints: affected,
  }));
  if (queue && queue.oldestAgeMs > LONGEST_WAIT_MS) problems.push({ kind: "queue", subject: "", entryPoints: [] });
  if (deadGrewAt && sampledAt.getTime() - deadGrewAt.getTime() < GROWTH_ENDS_MS)
    problems.push({ kind: "dead-letters", subject: "", entryPoints: [] });
  return problems;
}

function updateTroubles(troubles: readonly Trouble[], problems: readonly Problem[], now: number): Trouble[] {
  const createMatcher =
    (problem: Problem) =>
    (trouble: Trouble): boolean =>
      trouble.until === null && trouble.kind === problem.kind && trouble.subject === problem.subject;
  const keptTroubles = troubles
    .filter(({ until }) => until === null || now - until < TROUBLES_KEPT_MS)
    .map((trouble) => {
      const problem = problems.find((candidate) => createMatcher(candidate)(trouble));
      if (trouble.until !== null) return trouble;
      return problem
        ? { ...trouble, lastAt: now, entryPoints: mergeNames(trouble.entryPoints, problem.entryPoints) }
        : { ...trouble, until: now };
    });
  const newProblems = problems.filter((problem) => !troubles.some(createMatcher(problem)));
  return [...keptTroubles, ...newProblems.map((problem) => ({ ...problem, since: now, until: null, lastAt: now }))];
}

export function mergeNames(names: readonly string[], otherNames: readonly string[]): string[] {
  return [...new Set([...names, ...otherNames])].sort();
}

/**
 * Returns which run replaced which ended one, by their ids: one of the same role, started after the other was last
 * heard, the earliest first. Names do not count: a process has a new one each time.
 */
export function findReplacements(runs: readonly NodeRun[], now: number): Map<string, NodeRun> {
  const runsByRole = Map.groupBy(
    [...runs].sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime()),
    ({ role }) => role,
  );
  const ended = runs.filter((run) => hasEnded(run, now)).sort((a, b) => getEnd(a) - getEnd(b));
  // Starts before this one are taken, or too early.
  const next = new Map<string, number>();
  const successors = new Map<string, NodeRun>();
  for (const run of ended) {
    const sameRole = getFrom(runsByRole, run.role);
    const end = getEnd(run);
    let index = next.get(run.role) ?? 0;
    while (index < sameRole.length && getAt(sameRole, index).startedAt.getTime() <= end) index += 1;
    const successor = sameRole[index];
    if (successor) successors.set(run._id, successor);
    next.set(run.role, index + 1);
  }
  return successors;
}

/** Returns when a run ended. A node with a clock ahead of ours may start after it was last heard. */
function getEnd({ startedAt, heardAt }: NodeRun): number {
  return Math.max(startedAt.getTime(), heardAt.getTime());
}
