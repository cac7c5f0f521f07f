import { aggregateStream } from "../../mixins/event-log/aggregate-stream.ts";
import type { EventLog } from "../../mixins/event-log/port.ts";
import { FoldedState, type State } from "./folded-state.ts";
import { foldOf } from "./folds.ts";
import { LARGEST_STATE_BYTES, LARGEST_STATE_ON_THE_WAY_BYTES } from "./limits.ts";
import { stateTooLarge } from "./refusals.ts";

export interface AggregateState {
  state: State;
  /** Of the last event that is in it. */
  version: number;
}

/**
 * The state of an aggregate, now or as its events that had happened by a moment left it; undefined when it had none.
 * @param signal whoever asked waits no more
 * @throws VALIDATION_FAILED naming aggregate_id where the state is too large to be told; UNAVAILABLE; the signal's reason
 */
export async function stateOf(log: Pick<EventLog, "readStream">, aggregateId: string, at?: Date, signal?: AbortSignal): Promise<AggregateState | undefined> {
  const found = await aggregateStream(log, aggregateId, {
    initialState: ({ aggregate_type }) => ({ fold: foldOf(aggregate_type), state: new FoldedState() }),
    evolve: ({ fold, state }, event) => {
      fold(state, event);
      return { fold, state };
    },
    check: ({ state }) => {
      if (state.bytes > LARGEST_STATE_ON_THE_WAY_BYTES) throw stateTooLarge(aggregateId);
    },
    at,
    signal,
  });
  if (!found) return undefined;
  const { version, state: { state } } = found;
  if (state.bytes > LARGEST_STATE_BYTES) throw stateTooLarge(aggregateId);
  return { state: state.toObject(), version };
}
