import type { Result } from "../../broker/contract/define.ts";
import { withinTime } from "../../mixins/within-time.ts";
import type { Checkpoint } from "./collections.ts";
import type { analyticsContract } from "./contract.ts";
import type { ProjectionName } from "./limits.ts";

type Standing = Result<(typeof analyticsContract)["actions"]["projections"]>["projections"][number];

const HEAD_DEADLINE_MS = 1_500;

/**
 * The newest position; null if the event store does not answer. An answer below `known`, a counted position, is
 * checked.
 */
export type Head = (known: number) => Promise<number | null>;

export function headWithin(ask: (known: number) => Promise<number>): Head {
  return (known) => withinTime(ask(known), HEAD_DEADLINE_MS, () => null).catch(() => null);
}

/** Null if unknown, or if the log ends before the position. */
export function behind(head: number | null, position: number): number | null {
  return head === null || head < position ? null : head - position;
}

export function standingOf(
  { _id, generation, position, asOf, building, ahead }: Checkpoint,
  head: number | null,
): Standing {
  const left = ahead ? null : behind(head, position);
  const isAhead = ahead ?? (head !== null && head < position);
  const progress = left === null ? "unknown" : left === 0 ? "current" : "catching_up";
  return {
    name: _id as ProjectionName,
    state: building ? "rebuilding" : isAhead ? "ahead" : progress,
    generation,
    position,
    as_of: asOf ?? null,
    behind: left,
    rebuilding: building
      ? { generation: building.generation, position: building.position, startedAt: building.startedAt }
      : null,
  };
}
