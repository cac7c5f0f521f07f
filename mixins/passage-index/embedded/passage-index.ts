import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { unitVector } from "../../embeddings/port.ts";
import { KeyedQueue } from "../../keyed-queue.ts";
import { lockFile } from "../../lock-file.ts";
import { RequestThread, type Ask } from "../../request-thread.ts";
import { SearchIndexError } from "../../search-index/port.ts";
import type { Passage, PassageIndex } from "../port.ts";
import type { ManualVectors } from "./passage-file.ts";
import type { PassageOperations, WorkerData } from "./worker.ts";

export interface EmbeddedOptions {
  directory: string;
  /** Groups of words or phrases that mean the same. */
  synonyms: readonly (readonly string[])[];
  /** The thread ends after so long without a request, milliseconds. */
  idleMs?: number;
}

/** Starting a thread takes as long as an answer may. */
const IDLE_MS = 10 * 60_000;
/** Passages in one message: a search waits for at most so many. */
const SLICE = 100;

/**
 * Opens the embedded index: one file, in a thread of its own that reads, writes and compares.
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
  const unavailable = (reason: string, options?: ErrorOptions): SearchIndexError =>
    new SearchIndexError("UNAVAILABLE", `The passage index is unavailable: ${reason}`, options);
  const file = lock.file.watch(() => undefined);
  const thread = new RequestThread<PassageOperations>({
    module: new URL("./worker.ts", import.meta.url),
    name: "passages",
    youngGenerationMb: 12,
    data: (): WorkerData => ({ path: join(directory, "passages.db"), synonyms }),
    reads: ["manuals", "byWords", "byVector"],
    idleMs,
    unavailable,
  });
  const writes = new KeyedQueue();
  /** Removes the manual's passages in the transaction that `finish` ends. */
  const replace = (manual: string, finish: (ask: Ask<PassageOperations>) => Promise<void>): Promise<void> => {
    assertThere();
    return writes.run("write", async () => {
      const ask = await thread.session();
      await ask("begin");
      while (await ask("removeSome", manual, SLICE));
      await finish(ask);
    });
  };
  const assertThere = (): void => {
    if (file.moved !== undefined) throw unavailable(file.moved);
  };
  const request: Ask<PassageOperations> = async (...operation) => {
    assertThere();
    return thread.request(...operation);
  };

  return {
    backend: "embedded",
    put: async ({ manual, vectorModel, passages }) => {
      const vectors = vectorModel === undefined ? null : vectorsOf(vectorModel, passages);
      await replace(manual, async (ask) => {
        for (let start = 0; start < passages.length; start += SLICE) {
          const slice = passages.slice(start, start + SLICE).map(({ vector: _, ...passage }) => passage);
          await ask("add", manual, slice);
        }
        await ask("publish", manual, vectors);
      });
    },
    remove: async (manual) => replace(manual, (ask) => ask("publishRemoval", manual)),
    manuals: () => request("manuals"),
    byWords: (query) => request("byWords", query),
    byVector: ({ vector, ...query }) => request("byVector", { ...query, vector: unitVector(vector) }),
    close: async () => {
      await thread.close();
      lock.release();
    },
  };
}

/** Returns null if no passage has a vector. @throws when their lengths differ */
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
