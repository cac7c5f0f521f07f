import { setTimeout as delay } from "node:timers/promises";
import {
  type AtomicWrite,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
  hasStoreCode,
  type Scalar,
} from "./port.ts";

/** One of those that collide gets through in each round, so this many rivals are served. */
const MAX_ROUNDS = 100;
/** Pauses grow by this with each lost round; they are random, so that rivals do not meet again. */
const PAUSE_STEP_MS = 2;
const LONGEST_PAUSE_MS = 50;

export interface Decision<T> {
  /**
   * Writes that fail if what was read has changed: with `require` and what was read in the filter, or an insert. If
   * there is none, nothing is written.
   */
  conditions: AtomicWrite[];
  /** Writes of the same atomic batch, after the conditions. */
  also?: AtomicWrite[];
  result: T;
}

class TooManyRivals extends Error {
  override readonly name = "TooManyRivals";
  readonly code = "VERSION_CONFLICT";
}

/**
 * Reads and decides by `decide`, then writes in one atomic batch if nothing has changed; else tries again after a
 * growing random pause. `what` (`The cart`) begins the error message.
 * @throws VERSION_CONFLICT after 100 lost rounds; what `decide` throws; DUPLICATE_KEY or CONDITION_FAILED of a write in
 * `also`
 */
export async function compareAndSet<T>(
  documents: Pick<DocumentStore, "atomically">,
  what: string,
  decide: () => Promise<Decision<T>>,
): Promise<T> {
  for (let lost = 0; lost < MAX_ROUNDS; lost += 1) {
    if (lost > 0) await delay(Math.random() * Math.min(lost * PAUSE_STEP_MS, LONGEST_PAUSE_MS));
    const { conditions, also = [], result } = await decide();
    if (conditions.length === 0) return result;
    try {
      await documents.atomically([...conditions, ...also]);
      return result;
    } catch (error) {
      if (!isOvertaken(error, conditions.length)) throw error;
    }
  }
  throw new TooManyRivals(`${what} is being changed by too many at once; try again`);
}

/**
 * Returns the condition that replaces the known document, whose `field` changes with each write, or inserts the first.
 */
export function createReplacement<T extends Document>(
  collection: CollectionDefinition,
  document: T | null,
  field: keyof T & string,
  next: T,
): AtomicWrite {
  const replacement = { ...next } as Document & Record<string, unknown>;
  if (!document) return { collection, insertOne: replacement };
  const filter = { _id: document._id, [field]: document[field] as Scalar };
  return { collection, require: true, replaceOne: { filter, replacement } };
}

function isOvertaken(error: unknown, conditions: number): boolean {
  return (
    hasStoreCode(error, "CONDITION_FAILED", "DUPLICATE_KEY") &&
    error.failedAt !== undefined &&
    error.failedAt < conditions
  );
}
