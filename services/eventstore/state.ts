import { aggregateStream } from "../../mixins/event-log/aggregate-stream.ts";
import type { EventLog } from "../../mixins/event-log/port.ts";
import { FoldedState, type State } from "./folded-state.ts";
import { foldOf } from "./folds.ts";
import { LARGEST_STATE_BYTES, LARGEST_STATE_ON_THE_WAY_BYTES } from "./limits.ts";
import { stateTooLarge } from "./refusals.ts";
import { SNAPSHOT_EVERY, type Snapshots } from "./snapshots.ts";

export interface AggregateState {
  state: State;
  /** Of the last event that is in it. */
  version: number;
}

/**
 * The state of an aggregate, now or as its events that had happened by a moment left it; undefined when it had none.
 * @param snapshots what is folded from, where one fits, and is added to
 * @param signal whoever asked waits no more
 * @throws VALIDATION_FAILED naming aggregate_id where the state is too large to be told; UNAVAILABLE; the signal's
 * reason
 */
export async function stateOf(
  log: Pick<EventLog, "readStream">,
  snapshots: Snapshots,
  aggregateId: string,
  at?: Date,
  signal?: AbortSignal,
): Promise<AggregateState | undefined> {
  const tooLarge = snapshots.tooLarge(aggregateId, at);
  if (tooLarge && (tooLarge.isForGood || !(await hasEventsAfter(log, aggregateId, tooLarge.version, at))))
    throw stateTooLarge(aggregateId);
  const snapshot = snapshots.newest(aggregateId, at);
  const found = await aggregateStream<Folding>(log, aggregateId, {
    from: snapshot && { version: snapshot.version, state: { ...snapshot, isWhole: true } },
    initialState: ({ aggregate_type }) => ({
      aggregateType: aggregate_type,
      version: 0,
      isWhole: true,
      latest: -Infinity,
      state: new FoldedState(),
    }),
    evolve: (folding, event) => {
      foldOf(folding.aggregateType)(folding.state, event);
      folding.isWhole &&= event.version === folding.version + 1;
      folding.version = event.version;
      folding.latest = Math.max(folding.latest, event.timestamp.getTime());
      if (folding.isWhole && event.version % SNAPSHOT_EVERY === 0) snapshots.keep(aggregateId, folding);
      return folding;
    },
    check: (folding) => {
      if (folding.state.bytes > LARGEST_STATE_ON_THE_WAY_BYTES) refuse(folding, true);
    },
    at,
    signal,
  });
  if (!found) return undefined;
  if (found.state.state.bytes > LARGEST_STATE_BYTES) refuse(found.state, false);
  return { state: found.state.state.toObject(), version: found.version };

  function refuse({ version, latest, isWhole }: Folding, isForGood: boolean): never {
    if (isWhole) snapshots.noteTooLarge(aggregateId, { version, latest, isForGood });
    throw stateTooLarge(aggregateId);
  }
}

async function hasEventsAfter(
  log: Pick<EventLog, "readStream">,
  aggregateId: string,
  version: number,
  at?: Date,
): Promise<boolean> {
  return (await log.readStream(aggregateId, { after_version: version, limit: 1, at })).length > 0;
}

interface Folding {
  aggregateType: string;
  version: number;
  /** No event before `version` is left out: what happened after the moment asked for would be. */
  isWhole: boolean;
  /** Of the event in it that happened last; milliseconds since 1970. */
  latest: number;
  state: FoldedState;
}
