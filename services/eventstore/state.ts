import { aggregateStream } from "../../mixins/event-log/aggregate-stream.ts";
import type { EventLog } from "../../mixins/event-log/port.ts";
import { foldOf, type State } from "./folds.ts";

export interface AggregateState {
  state: State;
  /** Of the last event that is in it. */
  version: number;
}

/**
 * The state of an aggregate, now or as its events that had happened by a moment left it; undefined when it had none.
 * @throws UNAVAILABLE
 */
export async function stateOf(log: Pick<EventLog, "readStream">, aggregateId: string, at?: Date): Promise<AggregateState | undefined> {
  const found = await aggregateStream(log, aggregateId, {
    initialState: ({ aggregate_type }) => ({ fold: foldOf(aggregate_type), state: {} as State }),
    evolve: ({ fold, state }, event) => ({ fold, state: fold(state, event) }),
    at,
  });
  return found && { state: found.state.state, version: found.version };
}
