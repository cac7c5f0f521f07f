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

export function recentRuns(documents: DocumentStore, now: Date): Promise<NodeRun[]> {
  return documents.collection<NodeRun>(RUNS).find({ heardAt: { $gt: new Date(now.getTime() - LOOKED_BACK_MS) } });
}

export function runId({ node, startedAt }: Pick<NodeSample, "node" | "startedAt">): string {
  return `${node}@${startedAt.getTime()}`;
}

/** A run after one more of its samples; the first makes it. */
export function hear(run: NodeRun | undefined, sample: NodeSample, heardAt: Date): NodeRun {
  const { node, host, version, startedAt, at, leaving, services, failing, eventLoop, memory, queue } = sample;
  const awaited = awaitedBy(run, sample);
  const entryPoints =
    leaving && run ? run.entryPoints : sample.entryPoints.map((entryPoint) => whileStarting(entryPoint, awaited));
  const deadGrewAt = run?.queue && queue && queue.dead > run.queue.dead ? at : run?.deadGrewAt;
  return {
    _id: runId(sample),
    node,
    host,
    version,
    startedAt,
    sampleAt: at,
    heardAt,
    ...(leaving ? { leftAt: at } : {}),
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
    troubles: goOn(run?.troubles ?? [], problemsOf({ ...sample, entryPoints }, awaited, deadGrewAt), at.getTime()),
    expiresAt: new Date(heardAt.getTime() + MINUTES_KEPT_MS),
  };
}

/** Dependencies missing since the start, which may still come. */
function awaitedBy(run: NodeRun | undefined, { startedAt, at, entryPoints, failing }: NodeSample): string[] {
  if (at.getTime() - startedAt.getTime() >= START_MS) return [];
  const missed = (of: readonly EntryPointSample[]): string[] => of.flatMap((entryPoint) => entryPoint.failing);
  const all = union(failing, missed(entryPoints));
  if (!run) return all;
  const before = new Set([
    ...(run.awaited ?? []),
    ...missed(entryPoints.filter(({ status }) => status === "starting")),
  ]);
  return all.filter((name) => before.has(name));
}

/** An entry point that misses only awaited dependencies is still starting. */
function whileStarting(entryPoint: EntryPointSample, awaited: readonly string[]): EntryPointSample {
  const { status, failing } = entryPoint;
  return status === "degraded" && failing.length > 0 && failing.every((name) => awaited.includes(name))
    ? { ...entryPoint, status: "starting" }
    : entryPoint;
}

type Problem = Pick<Trouble, "kind" | "subject" | "entryPoints">;

function problemsOf(
  { leaving, at, entryPoints, failing, queue }: NodeSample,
  awaited: readonly string[],
  deadGrewAt: Date | undefined,
): Problem[] {
  if (leaving) return [];
  const counts = (name: string): boolean => !awaited.includes(name);
  const byDependency = new Map<string, string[]>(failing.filter(counts).map((name) => [name, []]));
  for (const { entry, status, failing: missing } of entryPoints) {
    // Rolling restarts are no trouble.
    if (status === "starting" || status === "draining") continue;
    for (const name of missing.filter(counts)) byDependency.set(name, [...(byDependency.get(name) ?? []), entry]);
  }
  const problems = [...byDependency].map(([subject, affected]): Problem => ({
    kind: "dependency",
    subject,
    entryPoints: affected,
  }));
  if (queue && queue.oldestAgeMs > LONGEST_WAIT_MS) problems.push({ kind: "queue", subject: "", entryPoints: [] });
  if (deadGrewAt && at.getTime() - deadGrewAt.getTime() < GROWTH_ENDS_MS)
    problems.push({ kind: "dead-letters", subject: "", entryPoints: [] });
  return problems;
}

function goOn(troubles: readonly Trouble[], problems: readonly Problem[], at: number): Trouble[] {
  const isOf =
    (problem: Problem) =>
    (trouble: Trouble): boolean =>
      trouble.until === null && trouble.kind === problem.kind && trouble.subject === problem.subject;
  const kept = troubles
    .filter(({ until }) => until === null || at - until < TROUBLES_KEPT_MS)
    .map((trouble) => {
      const problem = problems.find((each) => isOf(each)(trouble));
      if (trouble.until !== null) return trouble;
      return problem
        ? { ...trouble, lastAt: at, entryPoints: union(trouble.entryPoints, problem.entryPoints) }
        : { ...trouble, until: at };
    });
  const begun = problems.filter((problem) => !troubles.some(isOf(problem)));
  return [...kept, ...begun.map((problem) => ({ ...problem, since: at, until: null, lastAt: at }))];
}

export function union(one: readonly string[], other: readonly string[]): string[] {
  return [...new Set([...one, ...other])].sort();
}

/**
 * Returns which run replaced which ended one, by their ids: one of the same role, started after the other was last
 * heard, the earliest first. Names do not count: a process has a new one each time.
 */
export function replacements(runs: readonly NodeRun[], now: number): Map<string, NodeRun> {
  const byStart = Map.groupBy(
    [...runs].sort((one, other) => one.startedAt.getTime() - other.startedAt.getTime()),
    ({ role }) => role,
  );
  const ended = runs.filter((run) => hasEnded(run, now)).sort((one, other) => endOf(one) - endOf(other));
  // Starts before this one are taken, or too early.
  const next = new Map<string, number>();
  const found = new Map<string, NodeRun>();
  for (const run of ended) {
    const sameRole = byStart.get(run.role)!;
    const end = endOf(run);
    let index = next.get(run.role) ?? 0;
    while (index < sameRole.length && sameRole[index]!.startedAt.getTime() <= end) index += 1;
    const successor = sameRole[index];
    if (successor) found.set(run._id, successor);
    next.set(run.role, index + 1);
  }
  return found;
}

/** A node with a clock ahead of ours may start after it was last heard. */
function endOf({ startedAt, heardAt }: NodeRun): number {
  return Math.max(startedAt.getTime(), heardAt.getTime());
}
