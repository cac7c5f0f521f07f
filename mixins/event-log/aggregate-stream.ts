import { setImmediate as turn } from "node:timers/promises";
import type { EventLog, StoredEvent } from "./port.ts";

/** Events that are read at a time. */
const PAGE = 500;
/** Longest that the events of a page are folded in one turn of the event loop; milliseconds. */
const TURN_MS = 10;

export interface Aggregation<S> {
  initialState: (first: StoredEvent) => S;
  evolve: (state: S, event: StoredEvent) => S;
  /** A state that is known, with the version of the last event in it: only what came after is read. */
  from?: { version: number; state: S };
  /** Sees the state after each page of events, and may throw. */
  check?: (state: S) => void;
  /** Leaves out what happened after this moment. */
  at?: Date;
  /** Whoever asked waits no more: nothing is read or folded after it. */
  signal?: AbortSignal;
}

/**
 * The state that the events of an aggregate fold to, in the order of their versions, and the version of the last that
 * is in it; undefined when there is none. Other work of the process has its turn between events.
 * @throws UNAVAILABLE; the signal's reason
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
