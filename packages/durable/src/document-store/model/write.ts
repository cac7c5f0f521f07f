import { DocumentStoreError, isStoreAway, type BulkItemResult } from "../port.ts";
import type { SortKey } from "./order.ts";
import type { JsonObject } from "./paths.ts";
import { findPinnedId, type Predicate } from "./filter.ts";
import { type UpdateStep, applyUpdate } from "./update.ts";

export type StoredDocument = JsonObject & { _id: string };

/** A write to one collection, checked. The filter of an upsert is an id. */
export type Write =
  | { kind: "insert"; document: StoredDocument }
  | UpdateWrite
  | { kind: "replace"; filter: Predicate; document: StoredDocument; upsert?: boolean }
  | { kind: "delete"; filter: Predicate; many?: boolean };

export interface UpdateWrite {
  kind: "update";
  filter: Predicate;
  steps: UpdateStep[];
  many?: boolean;
  answerDocument?: boolean;
  upsert?: boolean;
}

export interface WriteResult {
  /** An inserted one counts, an upserted one does not. */
  matched: number;
  upsertedId?: string;
  /** Document after the update, with `answerDocument`. */
  document?: StoredDocument;
}

export interface Selection {
  predicate: Predicate;
  sort: readonly SortKey[];
  skip?: number;
  limit?: number;
}

export function createUpserted({ filter, steps }: UpdateWrite): StoredDocument {
  const document = { _id: findPinnedId(filter)! };
  applyUpdate(document, steps, true);
  return document;
}

export function isUpsert(write: Write): boolean {
  return "upsert" in write && write.upsert === true;
}

/** @throws CONDITION_FAILED when a write that is required had no effect */
export function assertEffect(
  { require, collection }: { require: boolean; collection: string },
  { matched, upsertedId }: WriteResult,
): void {
  if (require && matched === 0 && upsertedId === undefined)
    throw new DocumentStoreError("CONDITION_FAILED", `${collection}: no document met the condition`);
}

export function toBulkItemResult({ upsertedId }: WriteResult): BulkItemResult {
  return { ok: true, upsertedId };
}

/** The entry of a bulk's answer. @throws the error of a store that is away */
export async function toItemResult(writing: Promise<WriteResult>): Promise<BulkItemResult> {
  try {
    return toBulkItemResult(await writing);
  } catch (error) {
    if (error instanceof DocumentStoreError && !isStoreAway(error)) return { ok: false, error };
    throw error;
  }
}

/** Runs `work`; an error of the store says which write of an atomic batch it is about. */
export function asItem<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DocumentStoreError) error.failedAt = index;
    throw error;
  }
}
