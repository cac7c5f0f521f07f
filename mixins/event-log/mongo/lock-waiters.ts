import { setTimeout as delay } from "node:timers/promises";
import { RIVALS, type Collections } from "./collections.ts";

/** Longest and shortest pause that is left to others; milliseconds. */
const [SHORTEST_GAP_MS, LONGEST_GAP_MS] = [20, 1_000];
/** Longest pause before an append that met another is tried again: shorter than the gaps that others leave. */
const LONGEST_PAUSE_MS = 25;

/**
 * What keeps a process that has many events to append from keeping others from it. Each of its transactions would begin
 * as soon as the one before has ended, and the server refuses, and does not keep waiting, whoever tries in the
 * meantime. So who is refused says so, and who sees that leaves as much time to others, after each of its transactions,
 * as that took.
 */
export class Rivals {
  readonly #head: Collections["head"];
  /** How often anybody was refused, when it was looked at last. */
  #refusals = 0;
  #gapMs = 0;

  constructor({ head }: Pick<Collections, "head">) {
    this.#head = head;
  }

  /** After a refusal, and before the next attempt. @throws the driver's errors */
  async refused(): Promise<void> {
    await this.#head.updateOne({ _id: RIVALS }, { $inc: { turn: 1 } }, { upsert: true });
    await delay(Math.random() * LONGEST_PAUSE_MS);
  }

  /** Before a transaction that follows on another. */
  async letThrough(): Promise<void> {
    const gapMs = this.#gapMs;
    this.#gapMs = 0;
    if (gapMs > 0) await delay(gapMs);
  }

  /** Looks, while a transaction is under way, whether others are waiting for its end. */
  async during<T>(transaction: () => Promise<T>): Promise<T> {
    const begunAt = performance.now();
    const looked = this.#head.findOne({ _id: RIVALS }).catch(() => null);
    const result = await transaction();
    const refusals = (await looked)?.turn ?? this.#refusals;
    if (refusals !== this.#refusals)
      this.#gapMs = Math.min(LONGEST_GAP_MS, Math.max(SHORTEST_GAP_MS, performance.now() - begunAt));
    this.#refusals = refusals;
    return result;
  }
}
