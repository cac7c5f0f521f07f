/**
 * The passage index port: pieces of manuals, found by words and by vectors. It is derived data: it may be lost and
 * filled again. Errors are `SearchIndexError` UNAVAILABLE.
 */

export interface Passage {
  page: number;
  text: string;
  /** Diagram or section. */
  schema?: string;
  heading?: string;
  /** Models. */
  equipment: string[];
  /** Vector of any length except 0. */
  vector?: Float32Array;
}

export interface ManualPassages {
  /** Its sha256. */
  manual: string;
  /** The model that made the vectors; absent if there are none. */
  vectorModel?: string;
  passages: Passage[];
}

export interface PassageHit {
  manual: string;
  page: number;
  text: string;
  equipment: string[];
  /** The higher the better, within one answer. For vectors the cosine. */
  score: number;
}

interface Narrowing {
  /** Restricts to passages of these models, in any spelling (`normalizePartNumber`). */
  models?: readonly string[];
  limit: number;
}

export interface WordQuery extends Narrowing {
  /** A question. Any word may match, rare ones count most, unknown ones are corrected. */
  words: string;
}

export interface VectorQuery extends Narrowing {
  vector: Float32Array;
  vectorModel: string;
}

export interface PassageIndex {
  /**
   * Replaces a manual. A search sees all of the old passages or all of the new ones. Of two calls at once the one
   * that began later wins; the other may throw.
   */
  put(manual: ManualPassages): Promise<void>;
  remove(manual: string): Promise<void>;
  manuals(): Promise<{ manual: string; passages: number; vectorModel?: string }[]>;
  /** Best first. */
  byWords(query: WordQuery): Promise<PassageHit[]>;
  /** Nearest first, among vectors of the same model and length. */
  byVector(query: VectorQuery): Promise<PassageHit[]>;
  close(): Promise<void>;
}
