import { setImmediate as turn } from "node:timers/promises";
import { invalidField, type PartlineError } from "../../mixins/errors.ts";
import type { EventLog, StoredEvent } from "@partline/durable";
import { LARGEST_STATE_BYTES } from "./contract.ts";
import { FoldedState, getFold, type State } from "./folds.ts";
import { SNAPSHOT_EVERY, type NewestSnapshot, type Snapshots } from "./snapshots.ts";

const PAGE = 500;
/** Longest fold in one turn of the event loop, milliseconds. */
const TURN_MS = 10;
/** Largest state on the way to a smaller one. */
const LARGEST_STATE_ON_THE_WAY_BYTES = 10 * LARGEST_STATE_BYTES;

/**
 * Folds the state of an aggregate, now or of the events that had happened by a moment; undefined without any. @param
 * snapshots what is folded from and added to @throws VALIDATION_FAILED naming aggregate_id if the state is too large;
 * UNAVAILABLE; the signal's reason
 */
export async function foldAggregate(
  log: Pick<EventLog, "readStream">,
  snapshots: Snapshots,
  aggregateId: string,
  moment?: Date,
  signal?: AbortSignal,
): Promise<{ state: State; version: number } | undefined> {
  const tooLarge = snapshots.findTooLarge(aggregateId, moment);
  if (tooLarge) {
    const rest = { after_version: tooLarge.version, limit: 1, at: moment };
    const later = tooLarge.isForGood ? [] : await log.readStream(aggregateId, rest);
    if (later.length === 0) throw createStateTooLargeError(aggregateId);
  }
  let folding: Folding | undefined = snapshots.findNewest(aggregateId, moment);
  for (;;) {
    signal?.throwIfAborted();
    const events = await log.readStream(aggregateId, { after_version: folding?.version ?? 0, limit: PAGE, at: moment });
    if (events.length === 0) break;
    let turnEnds = performance.now() + TURN_MS;
    for (const event of events) {
      if (performance.now() > turnEnds) {
        await turn();
        signal?.throwIfAborted();
        turnEnds = performance.now() + TURN_MS;
      }
      folding = foldEvent(folding, event);
      if (!folding.hasGaps && event.version % SNAPSHOT_EVERY === 0) snapshots.keep(aggregateId, folding);
    }
    if (folding && folding.state.bytes > LARGEST_STATE_ON_THE_WAY_BYTES) refuse(folding, true);
    await turn();
  }
  if (!folding) return undefined;
  if (folding.state.bytes > LARGEST_STATE_BYTES) refuse(folding, false);
  return { state: Object.fromEntries(folding.state.listEntries()), version: folding.version };

  function refuse({ version, latest, hasGaps }: Folding, isForGood: boolean): never {
    if (!hasGaps) snapshots.noteTooLarge(aggregateId, { version, latest, isForGood });
    throw createStateTooLargeError(aggregateId);
  }
}

interface Folding extends NewestSnapshot {
  /** An event before `version` is left out, as it happened after the moment. */
  hasGaps?: boolean;
}

function foldEvent(folding: Folding | undefined, { aggregate_type, ...event }: StoredEvent): Folding {
  const { aggregateType = aggregate_type, version = 0, latest = -Infinity, state = new FoldedState() } = folding ?? {};
  getFold(aggregateType)(state, event);
  return {
    aggregateType,
    version: event.version,
    latest: Math.max(latest, event.timestamp.getTime()),
    hasGaps: folding?.hasGaps || event.version !== version + 1,
    state,
  };
}

function createStateTooLargeError(aggregateId: string): PartlineError {
  const events = `GET /events?aggregate_id=${encodeURIComponent(aggregateId)}`;
  const size = `${LARGEST_STATE_BYTES / 1024} KiB`;
  return invalidField(
    "aggregate_id",
    `names an aggregate whose state has more than ${size}: read its events (${events})`,
  );
}
