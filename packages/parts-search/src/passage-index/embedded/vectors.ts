import type { PassageHit, VectorQuery } from "../port.ts";
import type { PassageFile } from "./passage-file.ts";
import { toModelKeys } from "../terms.ts";
import { readHits, matchModels } from "./search.ts";

/** Bytes of vectors in memory; the others are read from the file at each search. */
const MOST_HELD = 64 * 1024 * 1024;

interface HeldVectors {
  /** Ids of the passages. */
  ids: Uint32Array;
  values: Float32Array;
}

/** Finds the nearest vectors by looking at each: of 60,000 in 384 dimensions that takes some 20 ms. */
export class VectorSearch {
  readonly #file: PassageFile;
  // The first ones stay: each search reads all, so a cache that drops the oldest would never hit.
  readonly #held = new Map<string, HeldVectors>();
  #heldBytes = 0;

  constructor(file: PassageFile) {
    this.#file = file;
  }

  /** The manual's vectors have changed. */
  forget(manual: string): void {
    const vectors = this.#held.get(manual);
    if (!vectors) return;
    this.#held.delete(manual);
    this.#heldBytes -= countBytes(vectors);
  }

  search({ vector, vectorModel, models, limit }: VectorQuery): PassageHit[] {
    if (models && toModelKeys(models).length === 0) return [];
    const allowed =
      models &&
      new Set(
        this.#file
          .queryRows<[number]>("SELECT rowid FROM terms WHERE terms MATCH ?", matchModels(models))
          .map(([id]) => id),
      );
    const best: { id: number; score: number }[] = [];
    for (const [manual] of this.#file.queryRows<[string]>(
      "SELECT manual FROM manuals WHERE model = ? AND dimensions = ?",
      vectorModel,
      vector.length,
    )) {
      const { ids, values } = this.#loadVectors(manual);
      for (let index = 0; index < ids.length; index += 1) {
        const id = ids[index]!;
        if (allowed && !allowed.has(id)) continue;
        const score = multiply(vector, values, index * vector.length);
        if (best.length < limit || score > best.at(-1)!.score) insert(best, { id, score }, limit);
      }
    }
    return readHits(this.#file, best);
  }

  #loadVectors(manual: string): HeldVectors {
    const cached = this.#held.get(manual);
    if (cached) return cached;
    const [row] = this.#file.queryRows<[Uint8Array, Uint8Array]>(
      "SELECT ids, vectors FROM manuals WHERE manual = ?",
      manual,
    );
    // Copies are aligned.
    const [ids, values] = row!.map((bytes) => bytes.slice().buffer) as [ArrayBuffer, ArrayBuffer];
    const vectors = { ids: new Uint32Array(ids), values: new Float32Array(values) };
    if (this.#heldBytes + countBytes(vectors) <= MOST_HELD) {
      this.#held.set(manual, vectors);
      this.#heldBytes += countBytes(vectors);
    }
    return vectors;
  }
}

function countBytes({ ids, values }: HeldVectors): number {
  return ids.byteLength + values.byteLength;
}

function multiply(a: Float32Array, b: Float32Array, from: number): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += a[index]! * b[from + index]!;
  return sum;
}

function insert<T extends { score: number }>(best: T[], entry: T, limit: number): void {
  let place = best.length;
  while (place > 0 && best[place - 1]!.score < entry.score) place -= 1;
  best.splice(place, 0, entry);
  if (best.length > limit) best.pop();
}
