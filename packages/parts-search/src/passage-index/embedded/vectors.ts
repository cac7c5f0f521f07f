import type { PassageHit, VectorQuery } from "../port.ts";
import type { PassageFile } from "./passage-file.ts";
import { modelKeys } from "../terms.ts";
import { hitsOf, ofModels } from "./search.ts";

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
    const held = this.#held.get(manual);
    if (!held) return;
    this.#held.delete(manual);
    this.#heldBytes -= bytesOf(held);
  }

  search({ vector, vectorModel, models, limit }: VectorQuery): PassageHit[] {
    if (models && modelKeys(models).length === 0) return [];
    const allowed =
      models &&
      new Set(
        this.#file.rows<[number]>("SELECT rowid FROM terms WHERE terms MATCH ?", ofModels(models)).map(([id]) => id),
      );
    const best: { id: number; score: number }[] = [];
    for (const [manual] of this.#file.rows<[string]>(
      "SELECT manual FROM manuals WHERE model = ? AND dimensions = ?",
      vectorModel,
      vector.length,
    )) {
      const { ids, values } = this.#vectorsOf(manual);
      for (let at = 0; at < ids.length; at += 1) {
        const id = ids[at]!;
        if (allowed && !allowed.has(id)) continue;
        const score = dot(vector, values, at * vector.length);
        if (best.length < limit || score > best.at(-1)!.score) insert(best, { id, score }, limit);
      }
    }
    return hitsOf(this.#file, best);
  }

  #vectorsOf(manual: string): HeldVectors {
    const held = this.#held.get(manual);
    if (held) return held;
    const [row] = this.#file.rows<[Uint8Array, Uint8Array]>(
      "SELECT ids, vectors FROM manuals WHERE manual = ?",
      manual,
    );
    // Copies are aligned.
    const [ids, values] = row!.map((bytes) => bytes.slice().buffer) as [ArrayBuffer, ArrayBuffer];
    const read = { ids: new Uint32Array(ids), values: new Float32Array(values) };
    if (this.#heldBytes + bytesOf(read) <= MOST_HELD) {
      this.#held.set(manual, read);
      this.#heldBytes += bytesOf(read);
    }
    return read;
  }
}

function bytesOf({ ids, values }: HeldVectors): number {
  return ids.byteLength + values.byteLength;
}

function dot(a: Float32Array, b: Float32Array, from: number): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[from + at]!;
  return sum;
}

function insert<T extends { score: number }>(best: T[], entry: T, limit: number): void {
  let at = best.length;
  while (at > 0 && best[at - 1]!.score < entry.score) at -= 1;
  best.splice(at, 0, entry);
  if (best.length > limit) best.pop();
}
