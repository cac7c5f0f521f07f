/**
 * The passage index port: pieces of manuals, found by words and by vectors. `embedded/` is the embedded adapter,
 * `elasticsearch/` the real one; `test/contract/passage-index` runs on both.
 *
 * It is derived data: it may be lost and filled anew. Errors are `SearchIndexError` UNAVAILABLE.
 */

export interface Passage {
  page: number;
  text: string;
  /** Diagram or section that it belongs to. */
  schema?: string;
  /** Heading that it stands under. */
  heading?: string;
  /** Models that it is for. */
  equipment: string[];
  /** Of any length but 0. */
  vector?: Float32Array;
}

export interface ManualPassages {
  /** Its sha256. */
  manual: string;
  /** What made the vectors; vectors of another model are never compared with these. Absent, there are none. */
  vectorModel?: string;
  passages: Passage[];
}

export interface PassageHit {
  manual: string;
  page: number;
  text: string;
  schema?: string;
  equipment: string[];
  /** The higher the better, comparable within one answer. Of vectors the cosine. */
  score: number;
}

interface Narrowing {
  /** Of these models alone, as `normalizePartNumber` makes them the same. Absent, of all. */
  models?: readonly string[];
  limit: number;
}

export interface WordQuery extends Narrowing {
  /**
   * What somebody asks, in any words: any of them may match, and the rare ones count most. What is nowhere is
   * corrected.
   */
  words: string;
}

export interface VectorQuery extends Narrowing {
  vector: Float32Array;
  vectorModel: string;
}

export interface PassageIndex {
  readonly backend: "embedded" | "elasticsearch";
  /**
   * Takes the place of all that is known of the manual: a search sees all of the old or all of the new, never some of
   * each. Of two at once for one manual, that which began later counts, and the other may throw.
   */
  put(manual: ManualPassages): Promise<void>;
  remove(manual: string): Promise<void>;
  /** Which manuals there are, with what made their vectors. */
  manuals(): Promise<{ manual: string; passages: number; vectorModel?: string }[]>;
  /** Best first. */
  byWords(query: WordQuery): Promise<PassageHit[]>;
  /** Nearest first, among passages with vectors of the same model and length. */
  byVector(query: VectorQuery): Promise<PassageHit[]>;
  close(): Promise<void>;
}
