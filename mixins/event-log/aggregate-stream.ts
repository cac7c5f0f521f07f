import { setImmediate as turn } from "node:timers/promises";
import type { EventLog, StoredEvent } from "./port.ts";

/** Events read at a time. */
const PAGE = 500;
/** Longest fold in one turn of the event loop, milliseconds. */
const TURN_MS = 10;

export interface Aggregation<S> {
  initialState: (first: StoredEvent) => S;
  evolve: (state: S, event: StoredEvent) => S;
  /** A known state and the version of the last event in it: only later events are read. */
  from?: { version: number; state: S };
  /** Sees the state after each page of events, and may throw. */
  check?: (state: S) => void;
  /** Leaves out what happened after this moment. */
  at?: Date;
  /** Aborted when the caller waits no longer. */
  signal?: AbortSignal;
}

/**
 * Folds the events of an aggregate, in the order of their versions. Returns the state with the version of the last
 * event; undefined when there is none. Lets other work have its turn. @throws UNAVAILABLE; the signal's reason
 */
export async function aggregateStream<S>(
  log: Pick<EventLog, "readStream">,
  aggregateId: string,
  { initialState, evolve, from, check, at, signal }: Aggregation<S>,
): Promise<{ version: number; state: S } | undefined> {
  let folded = from;
  for (let after = from?.version ?? 0; ;) {
    signal?.throwIfAborted();
    const events = await log.readStream(aggregateId, { after_version: after, limit: PAGE, at });
    let turnEnds = performance.now() + TURN_MS;
    for (const event of events) {
      if (performance.now() > turnEnds) {
        await turn();
        signal?.throwIfAborted();
        turnEnds = performance.now() + TURN_MS;
      }
      folded = { version: event.version, state: evolve(folded ? folded.state : initialState(event), event) };
    }
    const last = events.at(-1);
    if (!last) return folded;
    if (folded) check?.(folded.state);
    after = last.version;
    await turn();
  }
}
