import { join } from "node:path";
import { lockDirectory } from "../../embedded-index/lock.ts";
import { toUnitVector } from "../unit-vector.ts";
import { type Ask, KeyedQueue, RequestThread } from "@partline/toolkit";
import type { Passage, PassageIndex } from "../port.ts";
import type { ManualVectors } from "./passage-file.ts";
import type { PassageOperations, WorkerData } from "./worker.ts";

/**
 * Milliseconds without a request after which the thread ends; fewer if nobody has searched for as long: starting one
 * takes as long as an answer may.
 */
const IDLE_MS = 10 * 60_000;
/** Idle time after a write, for which nobody waits. */
const IDLE_AFTER_WRITE_MS = 5_000;

/**
 * Opens the embedded index: one file, in a thread of its own that reads, writes and compares.
 * @throws UNAVAILABLE when another process has the directory open
 */
export function openEmbeddedPassages(directory: string, synonyms: readonly string[], idleMs = IDLE_MS): PassageIndex {
  const { unavailable, assertThere, release } = lockDirectory(directory, "passage index");
  let askedAt = -Infinity;
  const thread = new RequestThread<PassageOperations>({
    module: new URL("./worker.ts", import.meta.url),
    name: "passages",
    youngGenerationMb: 12,
    data: (): WorkerData => ({ path: join(directory, "passages.db"), synonyms }),
    reads: ["manuals", "byWords", "byVector"],
    idleMs: () => (performance.now() - askedAt < idleMs ? idleMs : Math.min(idleMs, IDLE_AFTER_WRITE_MS)),
    unavailable,
  });
  const writes = new KeyedQueue();
  const request: Ask<PassageOperations> = async (...operation) => {
    assertThere();
    return thread.request(...operation);
  };
  const search: typeof request = (...operation) => {
    askedAt = performance.now();
    return request(...operation);
  };

  return {
    put: async ({ manual, vectorModel, passages }) => {
      const vectors = vectorModel === undefined ? undefined : collectVectors(vectorModel, passages);
      const stored = passages.map(({ vector: _, ...passage }) => passage);
      await writes.run("write", () => request("replace", manual, stored, vectors));
    },
    remove: (manual) => writes.run("write", () => request("replace", manual)),
    manuals: () => request("manuals"),
    byWords: (query) => search("byWords", query),
    byVector: ({ vector, ...query }) => search("byVector", { ...query, vector: toUnitVector(vector) }),
    close: async () => {
      await thread.close();
      release();
    },
  };
}

/** Returns undefined if no passage has a vector. @throws when their lengths differ */
function collectVectors(model: string, passages: readonly Passage[]): ManualVectors | undefined {
  const places = passages.flatMap(({ vector }, place) => (vector ? [place] : []));
  const [first] = places;
  if (first === undefined) return undefined;
  const dimensions = passages[first]!.vector!.length;
  const values = new Float32Array(places.length * dimensions);
  for (const [index, place] of places.entries()) {
    const vector = passages[place]!.vector!;
    if (vector.length !== dimensions) throw new Error("The vectors of a manual differ in length");
    values.set(toUnitVector(vector), index * dimensions);
  }
  return { model, dimensions, places, values };
}
