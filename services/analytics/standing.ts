import { withinTime } from "../../mixins/within-time.ts";
import type { Checkpoint } from "./collections.ts";
import type { ProjectionName } from "./projections/all.ts";

/** Longest wait for the event store to say how far it is; milliseconds. */
const HEAD_DEADLINE_MS = 1_500;

/** The position of the newest event, or null when the event store does not say. */
export type Head = () => Promise<number | null>;

export function headWithin(ask: () => Promise<number>): Head {
  return () => withinTime(ask(), HEAD_DEADLINE_MS, () => null).catch(() => null);
}

/** Events that are recorded after a position. */
export function behind(head: number | null, position: number): number | null {
  return head === null ? null : Math.max(0, head - position);
}

export function standingOf({ _id, generation, position, asOf, building }: Checkpoint, head: number | null) {
  const left = behind(head, position);
  return {
    name: _id as ProjectionName,
    state: building ? ("rebuilding" as const) : left === null ? ("unknown" as const) : left === 0 ? ("current" as const) : ("catching_up" as const),
    generation,
    position,
    as_of: asOf ?? null,
    behind: left,
    rebuilding: building ? { generation: building.generation, position: building.position, startedAt: building.startedAt } : null,
  };
}
