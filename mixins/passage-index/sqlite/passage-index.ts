import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { unitVector } from "../../embeddings/port.ts";
import { lockFile, type FileLock } from "../../lock-file.ts";
import { SearchIndexError } from "../../search-index/port.ts";
import type { ManualPassages, Passage, PassageHit, PassageIndex, VectorQuery, WordQuery } from "../port.ts";
import { PassageThread } from "./passage-thread.ts";
import type { ManualVectors } from "./protocol.ts";

export interface EmbeddedOptions {
  directory: string;
  /** Groups of words or phrases that mean the same. */
  synonyms: readonly (readonly string[])[];
  /** The thread ends when nobody has asked for so long; milliseconds. */
  idleMs?: number;
}

/** A thread that starts takes as long as an answer may: whoever asks now and then finds it running. */
const IDLE_MS = 10 * 60_000;
/** Passages that go to the thread in one message: a search that comes meanwhile waits for so many. */
const SLICE = 100;

/**
 * The embedded index: one file, in a thread of its own that reads, writes and compares, so that the event loop waits
 * for none of it.
 * @throws UNAVAILABLE when another process has the directory open
 */
export function openEmbeddedPassages({ directory, synonyms, idleMs = IDLE_MS }: EmbeddedOptions): PassageIndex {
  mkdirSync(directory, { recursive: true });
  const lock = lockFile(join(directory, "lock.db"));
  if (!lock)
    throw new SearchIndexError(
      "UNAVAILABLE",
      "The passage index is open in another process, and an embedded one serves one process only",
    );
  return new EmbeddedPassages(
    new PassageThread(
      { path: join(directory, "passages.db"), synonyms },
      { idleMs, file: lock.file.watch(() => undefined) },
    ),
    lock,
  );
}

class EmbeddedPassages implements PassageIndex {
  readonly backend = "embedded";
  readonly #thread: PassageThread;
  readonly #lock: FileLock;

  constructor(thread: PassageThread, lock: FileLock) {
    this.#thread = thread;
    this.#lock = lock;
  }

  async put({ manual, vectorModel, passages }: ManualPassages): Promise<void> {
    const set = await this.#thread.request("begin", manual);
    for (let start = 0; start < passages.length; start += SLICE)
      await this.#thread.request(
        "add",
        set,
        passages.slice(start, start + SLICE).map(({ vector: _, ...passage }) => passage),
      );
    await this.#thread.request("publish", set, vectorModel === undefined ? null : vectorsOf(vectorModel, passages));
  }

  remove(manual: string): Promise<void> {
    return this.#thread.request("remove", manual);
  }

  manuals(): ReturnType<PassageIndex["manuals"]> {
    return this.#thread.request("manuals");
  }

  byWords(query: WordQuery): Promise<PassageHit[]> {
    return this.#thread.request("byWords", query);
  }

  byVector({ vector, ...query }: VectorQuery): Promise<PassageHit[]> {
    return this.#thread.request("byVector", { ...query, vector: unitVector(vector) });
  }

  async close(): Promise<void> {
    await this.#thread.close();
    this.#lock.release();
  }
}

/** Vectors of one length; null where there are none. @throws when they differ in length */
function vectorsOf(model: string, passages: readonly Passage[]): ManualVectors | null {
  const places = passages.flatMap(({ vector }, place) => (vector ? [place] : []));
  const [first] = places;
  if (first === undefined) return null;
  const dimensions = passages[first]!.vector!.length;
  const values = new Float32Array(places.length * dimensions);
  for (const [at, place] of places.entries()) {
    const vector = passages[place]!.vector!;
    if (vector.length !== dimensions) throw new Error("The vectors of a manual differ in length");
    values.set(unitVector(vector), at * dimensions);
  }
  return { model, dimensions, places, values };
}
