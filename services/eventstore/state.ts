import { setImmediate as turn } from "node:timers/promises";
import { deserialize, serialize } from "node:v8";
import { LRUCache } from "lru-cache";
import { invalidField, type PartlineError } from "../../mixins/errors.ts";
import type { EventLog, StoredEvent } from "../../mixins/event-log/port.ts";
import { LARGEST_STATE_BYTES } from "./contract.ts";
import { FoldedState, foldOf, type State } from "./folds.ts";

const PAGE = 500;
/** In one turn of the event loop. */
const TURN_MS = 10;
/** Largest state on the way to a smaller one. */
const LARGEST_STATE_ON_THE_WAY_BYTES = 10 * LARGEST_STATE_BYTES;

/**
 * The state now or at a moment, folded on from a snapshot; undefined without events. @throws VALIDATION_FAILED naming
 * aggregate_id if it is too large; UNAVAILABLE; the signal's reason
 */
export async function stateOf(
  log: Pick<EventLog, "readStream">,
  snapshots: Snapshots,
  aggregateId: string,
  at?: Date,
  signal?: AbortSignal,
): Promise<{ state: State; version: number } | undefined> {
  const tooLarge = snapshots.tooLarge(aggregateId, at);
  if (tooLarge) {
    const rest = { after_version: tooLarge.version, limit: 1, at };
    const later = tooLarge.isForGood ? [] : await log.readStream(aggregateId, rest);
    if (later.length === 0) throw stateTooLarge(aggregateId);
  }
  let folding: Folding | undefined = snapshots.newest(aggregateId, at);
  for (;;) {
    signal?.throwIfAborted();
    const events = await log.readStream(aggregateId, { after_version: folding?.version ?? 0, limit: PAGE, at });
    if (events.length === 0) break;
    let turnEnds = performance.now() + TURN_MS;
    for (const event of events) {
      if (performance.now() > turnEnds) {
        await turn();
        signal?.throwIfAborted();
        turnEnds = performance.now() + TURN_MS;
      }
      folding = foldedOn(folding, event);
      if (!folding.hasGaps && event.version % SNAPSHOT_EVERY === 0) snapshots.keep(aggregateId, folding);
    }
    if (folding && folding.state.bytes > LARGEST_STATE_ON_THE_WAY_BYTES) refuse(folding, true);
    await turn();
  }
  if (!folding) return undefined;
  if (folding.state.bytes > LARGEST_STATE_BYTES) refuse(folding, false);
  return { state: Object.fromEntries(folding.state.entries()), version: folding.version };

  function refuse({ version, latest, hasGaps }: Folding, isForGood: boolean): never {
    if (!hasGaps) snapshots.noteTooLarge(aggregateId, { version, latest, isForGood });
    throw stateTooLarge(aggregateId);
  }
}

interface Folding extends NewestSnapshot {
  /** An event before `version` happened after the moment. */
  hasGaps?: boolean;
}

function foldedOn(folding: Folding | undefined, { aggregate_type, ...event }: StoredEvent): Folding {
  const { aggregateType = aggregate_type, version = 0, latest = -Infinity, state = new FoldedState() } = folding ?? {};
  foldOf(aggregateType)(state, event);
  return {
    aggregateType,
    version: event.version,
    latest: Math.max(latest, event.timestamp.getTime()),
    hasGaps: folding?.hasGaps || event.version !== version + 1,
    state,
  };
}

/** Versions: the events behind a snapshot are folded in a tenth of a millisecond. */
export const SNAPSHOT_EVERY = 100;
/** A larger state would push out many others. */
const LARGEST_SNAPSHOT_BYTES = 256 * 1024;
/** Of an aggregate; beyond, every second goes: newer ones are closer. */
const MOST_SNAPSHOTS = 16;
const MOST_TOO_LARGE = 1_000;
const KEPT_BYTES = 16 * 1024 * 1024;

interface Snapshot {
  /** Of the last event in it. */
  version: number;
  aggregateType: string;
  /** Of the event in it that happened last; milliseconds since 1970. */
  latest: number;
  fields: Buffer;
}

type NewestSnapshot = Omit<Snapshot, "fields"> & { state: FoldedState };

/** `isForGood`: no later event makes it smaller. */
type TooLarge = Pick<Snapshot, "version" | "latest"> & { isForGood: boolean };

/** States that this process has folded. Events never change, so a snapshot never grows old. */
export class Snapshots {
  readonly #byAggregate = new LRUCache<string, readonly Snapshot[]>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (snapshots, aggregateId) =>
      snapshots.reduce((sum, { fields }) => sum + fields.length, aggregateId.length + 1),
  });

  readonly #tooLarge = new LRUCache<string, TooLarge>({ max: MOST_TOO_LARGE });

  noteTooLarge(aggregateId: string, found: TooLarge): void {
    this.#tooLarge.set(aggregateId, found);
  }

  /** At a moment, if nothing in it is later. */
  tooLarge(aggregateId: string, at?: Date): TooLarge | undefined {
    const known = this.#tooLarge.get(aggregateId);
    return known && (!at || known.latest <= at.getTime()) ? known : undefined;
  }

  /** At a moment, of those with nothing later. */
  newest(aggregateId: string, at?: Date): NewestSnapshot | undefined {
    const found = this.#byAggregate.get(aggregateId)?.findLast(({ latest }) => !at || latest <= at.getTime());
    if (!found) return undefined;
    const { fields, ...rest } = found;
    return { ...rest, state: FoldedState.of(deserialize(fields) as [string, unknown][]) };
  }

  keep(aggregateId: string, { version, aggregateType, latest, state }: NewestSnapshot): void {
    const others = this.#byAggregate.peek(aggregateId) ?? [];
    // Another fold of the same aggregate may be ahead.
    if ((others.at(-1)?.version ?? 0) >= version) return;
    if (state.bytes > LARGEST_SNAPSHOT_BYTES) return;
    const kept = others.length < MOST_SNAPSHOTS ? others : others.filter((_, at) => at % 2 === 1);
    const fields = serialize(state.entries());
    this.#byAggregate.set(aggregateId, [...kept, { version, aggregateType, latest, fields }]);
  }
}

function stateTooLarge(aggregateId: string): PartlineError {
  const events = `GET /events?aggregate_id=${encodeURIComponent(aggregateId)}`;
  const size = `${LARGEST_STATE_BYTES / 1024} KiB`;
  return invalidField(
    "aggregate_id",
    `names an aggregate whose state has more than ${size}: read its events (${events})`,
  );
}
