import type { OpeningOptions } from "../../sqlite/group-commit.ts";
import { createStoreErrors } from "../../sqlite/store-errors.ts";
import { DocumentStoreError, type CollectionDefinition } from "../port.ts";
import type { Write, WriteResult } from "../model/write.ts";

/** Request of the calling thread to the writer thread, as JSON text with dates as numbers. */
export type Request =
  | { kind: "write"; collection: string; write: Write }
  | { kind: "atomic"; writes: { collection: string; write: Write; require: boolean }[] }
  | { kind: "ensure"; definition: CollectionDefinition }
  | { kind: "sweep"; collection: string; limit: number }
  | { kind: "ping" };

/** The value by kind: of a write, or a number of documents (sweep). */
export type Answer = WriteResult | number | null;

export interface WriterOptions extends OpeningOptions {
  definitions: readonly CollectionDefinition[];
}

/** Dates lie in the file as milliseconds since 1970: exact, in order, and quick to turn back. */
export const encodeDate = (date: Date): number => date.getTime();

export const errors = createStoreErrors("document store", DocumentStoreError);
