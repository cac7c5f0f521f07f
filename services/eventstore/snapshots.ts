import { deserialize, serialize } from "node:v8";
import { LRUCache } from "lru-cache";
import { FoldedState } from "./folds.ts";

/** Versions from one snapshot to the next: the events that are folded behind one take a tenth of a millisecond. */
export const SNAPSHOT_EVERY = 100;
/** Bytes of the largest state that is kept; it would push out many others. */
const LARGEST_SNAPSHOT_BYTES = 256 * 1024;
/** Maximum number of snapshots of an aggregate; beyond it, every second one is dropped. */
const MOST_SNAPSHOTS = 16;
const MOST_TOO_LARGE = 1_000;
const KEPT_BYTES = 16 * 1024 * 1024;

interface Snapshot {
  /** Version of the last event in it. */
  version: number;
  aggregateType: string;
  /** Time of the latest event in it; milliseconds since 1970. */
  latest: number;
  fields: Buffer;
}

export type NewestSnapshot = Omit<Snapshot, "fields"> & { state: FoldedState };

/** `isForGood`: no later event makes it smaller. */
type TooLarge = Pick<Snapshot, "version" | "latest"> & { isForGood: boolean };

/**
 * States of aggregates as this process has folded them, so that long ones need not be folded from the beginning.
 * Events never change, so a snapshot never grows old.
 */
export class Snapshots {
  readonly #byAggregate = new LRUCache<string, readonly Snapshot[]>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (snapshots, aggregateId) =>
      snapshots.reduce((sum, { fields }) => sum + fields.length, aggregateId.length + 1),
  });

  readonly #tooLarge = new LRUCache<string, TooLarge>({ max: MOST_TOO_LARGE });

  noteTooLarge(aggregateId: string, state: TooLarge): void {
    this.#tooLarge.set(aggregateId, state);
  }

  /** Finds the facts of a state that was too large; at a moment, if nothing in it is later. */
  findTooLarge(aggregateId: string, moment?: Date): TooLarge | undefined {
    const tooLarge = this.#tooLarge.get(aggregateId);
    return tooLarge && (!moment || tooLarge.latest <= moment.getTime()) ? tooLarge : undefined;
  }

  /** Finds the newest snapshot of an aggregate; at a moment, of those with nothing later. */
  findNewest(aggregateId: string, moment?: Date): NewestSnapshot | undefined {
    const snapshot = this.#byAggregate
      .get(aggregateId)
      ?.findLast(({ latest }) => !moment || latest <= moment.getTime());
    if (!snapshot) return undefined;
    const { fields, ...rest } = snapshot;
    return { ...rest, state: FoldedState.fromEntries(deserialize(fields) as [string, unknown][]) };
  }

  keep(aggregateId: string, { version, aggregateType, latest, state }: NewestSnapshot): void {
    const snapshots = this.#byAggregate.peek(aggregateId) ?? [];
    // Another fold of the same aggregate may be ahead.
    if ((snapshots.at(-1)?.version ?? 0) >= version) return;
    if (state.bytes > LARGEST_SNAPSHOT_BYTES) return;
    const keptSnapshots =
      snapshots.length < MOST_SNAPSHOTS ? snapshots : snapshots.filter((_, index) => index % 2 === 1);
    const fields = serialize(state.listEntries());
    this.#byAggregate.set(aggregateId, [...keptSnapshots, { version, aggregateType, latest, fields }]);
  }
}
