import { setImmediate as turn } from "node:timers/promises";
import type { EventLog, StoredEvent } from "./port.ts";

/** Events that one turn of the event loop reads and folds at most: a few milliseconds. */
const PAGE = 500;

export interface Aggregation<S> {
  initialState: (first: StoredEvent) => S;
  evolve: (state: S, event: StoredEvent) => S;
  /** Leaves out what happened after this moment. */
  at?: Date;
}

/**
 * The state that the events of an aggregate fold to, in the order of their versions, and the version of the last that is in it;
 * undefined when there is none.
 * @throws UNAVAILABLE
 */
export async function aggregateStream<S>(
  log: Pick<EventLog, "readStream">, aggregateId: string, { initialState, evolve, at }: Aggregation<S>,
): Promise<{ version: number; state: S } | undefined> {
  let folded: { version: number; state: S } | undefined;
  for (let after = 0; ; ) {
    const events = await log.readStream(aggregateId, { after_version: after, limit: PAGE });
    for (const event of events) {
      if (at && event.timestamp > at) continue;
      folded = { version: event.version, state: evolve(folded ? folded.state : initialState(event), event) };
    }
    const last = events.at(-1);
    if (!last) return folded;
    after = last.version;
    await turn();
  }
}
