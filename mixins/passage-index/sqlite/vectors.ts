import type { PassageHit, VectorQuery } from "../port.ts";
import type { PassageFile } from "./passage-file.ts";
import { modelKeys } from "../terms.ts";
import { hitsOf, ofModels } from "./search.ts";

/**
 * Bytes of vectors that are held in memory, those that were asked for first; the others are read from the file at each
 * search.
 */
const MOST_HELD = 64 * 1024 * 1024;

interface SetVectors {
  places: Uint32Array;
  values: Float32Array;
}

/**
 * Finds the passages whose vectors are nearest, by looking at each: of 60,000 in 384 dimensions that takes some 20 ms.
 */
export class VectorSearch {
  readonly #file: PassageFile;
  // Each search goes through all of them: whoever lets go of the oldest then never finds what it needs next.
  readonly #held = new Map<number, SetVectors>();
  #heldBytes = 0;

  constructor(file: PassageFile) {
    this.#file = file;
  }

  /** Lets go of what is in no live set. */
  forget(): void {
    for (const [set, vectors] of this.#held) {
      if (this.#file.live.has(set)) continue;
      this.#held.delete(set);
      this.#heldBytes -= bytesOf(vectors);
    }
  }

  search({ vector, vectorModel, models, limit }: VectorQuery): PassageHit[] {
    if (models && modelKeys(models).length === 0) return [];
    const allowed = models === undefined ? undefined : this.#placesOf(models);
    const best: { set: number; place: number; score: number }[] = [];
    for (const [set] of this.#file.rows<[number]>(
      "SELECT set_id FROM vectors WHERE model = ? AND dimensions = ?",
      vectorModel,
      vector.length,
    )) {
      const allowedHere = allowed?.get(set);
      if (!this.#file.live.has(set) || (allowed && !allowedHere)) continue;
      const { places, values } = this.#vectorsOf(set);
      for (let at = 0; at < places.length; at += 1) {
        const place = places[at]!;
        if (allowedHere && !allowedHere.has(place)) continue;
        const score = dot(vector, values, at * vector.length);
        if (best.length < limit || score > best.at(-1)!.score) insert(best, { set, place, score }, limit);
      }
    }
    return best.flatMap(({ set, place, score }) => {
      const [row] = this.#file.rows<[number]>("SELECT id FROM passages WHERE set_id = ? AND place = ?", set, place);
      return row ? hitsOf(this.#file, [{ id: row[0], score }]) : [];
    });
  }

  #placesOf(models: readonly string[]): Map<number, Set<number>> {
    const rows = this.#file.rows<[set: number, place: number]>(
      "SELECT set_id, place FROM terms JOIN passages ON passages.id = terms.rowid WHERE terms MATCH ?",
      ofModels(models),
    );
    const places = new Map<number, Set<number>>();
    for (const [set, place] of rows) places.set(set, (places.get(set) ?? new Set()).add(place));
    return places;
  }

  #vectorsOf(set: number): SetVectors {
    const held = this.#held.get(set);
    if (held) return held;
    const [row] = this.#file.rows<[Uint8Array, Uint8Array]>(
      "SELECT places, vectors FROM vectors WHERE set_id = ?",
      set,
    );
    const read = { places: new Uint32Array(alignedCopy(row![0])), values: new Float32Array(alignedCopy(row![1])) };
    if (this.#heldBytes + bytesOf(read) <= MOST_HELD) {
      this.#held.set(set, read);
      this.#heldBytes += bytesOf(read);
    }
    return read;
  }
}

function bytesOf({ places, values }: SetVectors): number {
  return places.byteLength + values.byteLength;
}

function alignedCopy(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
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
