import { setTimeout as delay } from "node:timers/promises";
import { RIVALS, type Collections } from "./collections.ts";

/** Shortest and longest pause left to others, milliseconds. */
const [SHORTEST_GAP_MS, LONGEST_GAP_MS] = [20, 1_000];
/** Longest pause before a refused append is repeated: shorter than the gaps that others leave. */
const LONGEST_PAUSE_MS = 25;

/**
 * Keeps a process with many events from starving others. Its transactions would follow each other at once, and the
 * server refuses concurrent ones instead of queueing them. So a refused process counts that up, and a process that sees
 * it leaves a gap after each transaction as long as the transaction took.
 */
export class Rivals {
  readonly #head: Collections["head"];
  /** Refusals by all processes, when last looked at. */
  #refusals = 0;
  #gapMs = 0;

  constructor({ head }: Pick<Collections, "head">) {
    this.#head = head;
  }

  /** After a refusal, before the next attempt. @throws the driver's errors */
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

  /** Checks during a transaction whether others wait for its end. */
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
