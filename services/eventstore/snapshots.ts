import { deserialize, serialize } from "node:v8";
import { LRUCache } from "lru-cache";
import { FoldedState } from "./folded-state.ts";

/** Versions from one snapshot to the next: the events that are folded behind one take a tenth of a millisecond. */
export const SNAPSHOT_EVERY = 100;
/** Of a state; a larger one is folded anew, as it would push out many. */
const LARGEST_SNAPSHOT_BYTES = 256 * 1024;
/** Of an aggregate; of more, every second goes, so that they are the closer the newer they are. */
const MOST_SNAPSHOTS = 16;
/** Aggregates that are remembered to be too large. */
const MOST_TOO_LARGE = 1_000;
/** Of all snapshots of a process; those of one aggregate have room in it. */
const KEPT_BYTES = 16 * 1024 * 1024;

interface Snapshot {
  /** All events up to this version are in it. */
  version: number;
  aggregateType: string;
  /** Of the event in it that happened last; milliseconds since 1970. */
  latest: number;
  fields: Buffer;
}

/** A snapshot's copy, to be folded on. */
export type NewestSnapshot = Omit<Snapshot, "fields"> & { state: FoldedState };

interface TooLarge {
  /** All events up to this version were in the state that was too large. */
  version: number;
  /** Of the event in it that happened last; milliseconds since 1970. */
  latest: number;
  /** No later event makes it smaller: whoever folds it again comes by this version. */
  isForGood: boolean;
}

/**
 * The states of aggregates at some of their versions, as this process has folded them, so that long aggregates need not
 * be folded from the beginning again. Events never change, so a snapshot never grows old. Those that were not asked for
 * the longest go first.
 */
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

  /**
   * What is known of a state that was too large; with `at` nothing where something that is in it happened after that
   * moment.
   */
  tooLarge(aggregateId: string, at?: Date): TooLarge | undefined {
    const known = this.#tooLarge.get(aggregateId);
    return known && (!at || known.latest <= at.getTime()) ? known : undefined;
  }

  /** The newest of an aggregate; with `at` the newest of those that hold nothing that happened after that moment. */
  newest(aggregateId: string, at?: Date): NewestSnapshot | undefined {
    const found = this.#byAggregate.get(aggregateId)?.findLast(({ latest }) => !at || latest <= at.getTime());
    if (!found) return undefined;
    const { fields, ...rest } = found;
    return { ...rest, state: FoldedState.of(deserialize(fields) as [string, unknown][]) };
  }

  /** @param state is copied */
  keep(aggregateId: string, { version, aggregateType, latest, state }: NewestSnapshot): void {
    const others = this.#byAggregate.peek(aggregateId) ?? [];
    const newest = others.at(-1);
    // Another fold of the same aggregate is ahead.
    if (newest && newest.version >= version) return;
    if (state.bytes > LARGEST_SNAPSHOT_BYTES) return;
    const kept = others.length < MOST_SNAPSHOTS ? others : others.filter((_, at) => at % 2 === 1);
    this.#byAggregate.set(aggregateId, [
      ...kept,
      { version, aggregateType, latest, fields: serialize([...state.entries()]) },
    ]);
  }
}
