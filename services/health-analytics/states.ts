import { SAMPLE_MS, type EntryPointSample } from "../../broker/telemetry/sample.ts";
import type { NodeRun } from "./collections.ts";
import type { State } from "./contract.ts";

/** Silence after which a node is gone, unless it said goodbye. */
export const SILENCE_MS = 3 * SAMPLE_MS;

/** Derives the state of an entry point; `down` if it would refuse requests. */
export function deriveEntryPointState({ status, ready }: Pick<EntryPointSample, "status" | "ready">): State {
  switch (status) {
    case "ok":
      return "up";
    case "degraded":
      return ready ? "degraded" : "down";
    case "starting":
      return "starting";
    case "draining":
      return "stopped";
  }
}

export function hasEnded(run: NodeRun, now: number): boolean {
  return run.leftAt !== undefined || isSilent(run, now);
}

function isSilent({ lostAt, heardAt }: NodeRun, now: number): boolean {
  return lostAt !== undefined || now - heardAt.getTime() > SILENCE_MS;
}

export function deriveNodeState(run: NodeRun, now: number): State {
  if (run.leftAt) return "stopped";
  if (isSilent(run, now)) return "gone";
  const states = run.entryPoints.map(deriveEntryPointState);
  if (states.length > 0 && states.every((state) => state === "down")) return "down";
  if (states.includes("starting")) return "starting";
  return run.failing.length > 0 || states.some((state) => state !== "up") ? "degraded" : "up";
}

/** Derives the state of an entry point on a node: the node's own state if it has ended. */
export function deriveStateOnNode(run: NodeRun, entryPoint: EntryPointSample, now: number): State {
  return hasEnded(run, now) ? deriveNodeState(run, now) : deriveEntryPointState(entryPoint);
}

/** Derives the state of one entry point on all nodes: `up` if all are, `degraded` while any serves it. */
export function deriveOverallState(states: readonly State[]): State {
  const counted = states.filter((state) => state !== "stopped");
  if (counted.length === 0) return "stopped";
  if (counted.every((state) => state === "up")) return "up";
  if (counted.some((state) => state === "up" || state === "degraded")) return "degraded";
  return counted.find((state) => state !== "gone") ?? "gone";
}
