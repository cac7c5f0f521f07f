import type { Passage, PassageHit, VectorQuery, WordQuery } from "../port.ts";

/** What the index asks of its thread. Vectors travel as one array a manual. */

export type StoredPassage = Omit<Passage, "vector">;

export interface ManualVectors {
  model: string;
  dimensions: number;
  /** Of which passages, by their place in the manual, and their vectors of length 1, one after another. */
  places: number[];
  values: Float32Array;
}

export interface Operations {
  /** Begins a new set of passages of the manual; what was begun before it is let go. */
  begin(manual: string): number;
  /** Adds to a set that was begun. */
  add(set: number, passages: StoredPassage[]): void;
  /** The set takes the place of the one before, and with it the vectors. */
  publish(set: number, vectors: ManualVectors | null): void;
  remove(manual: string): void;
  manuals(): { manual: string; passages: number; vectorModel?: string }[];
  byWords(query: WordQuery): PassageHit[];
  byVector(query: VectorQuery): PassageHit[];
  close(): void;
}

export type Operation = keyof Operations;

export interface ThreadData {
  path: string;
  synonyms: readonly (readonly string[])[];
}

export interface Request {
  id: number;
  operation: Operation;
  args: unknown[];
  /** Epoch milliseconds until which somebody waits for the answer. */
  until?: number;
}

export type Response = { id: number; value: unknown } | { id: number; error: string };
