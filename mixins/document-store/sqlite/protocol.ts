import type { CollectionDefinition, DocumentStoreErrorCode } from "../port.ts";
import type { SortKey } from "../model/order.ts";
import type { Predicate } from "../model/predicate.ts";
import type { UpdateStep } from "../model/update.ts";
import type { Equality } from "../model/upsert.ts";

/**
 * What the calling thread and the writer thread say to each other. Messages are JSON text: dates are numbers already,
 * documents are text within it, and nothing depends on which realm an object came from.
 */

/** A single write to one collection. `newId` makes it an upsert. */
export type Write =
  | { kind: "insert"; id: string; doc: string }
  | { kind: "update"; filter: Predicate; steps: UpdateStep[]; many?: boolean; sort?: SortKey[]; upsert?: { newId: string; equalities: Equality[] }; answerDocument?: boolean }
  | { kind: "replace"; filter: Predicate; id: string; doc: string; upsert?: boolean }
  | { kind: "delete"; filter: Predicate; many?: boolean };

export type Request =
  | { kind: "write"; collection: string; write: Write }
  | { kind: "bulk"; collection: string; writes: Write[] }
  | { kind: "atomic"; writes: { collection: string; write: Write; require: boolean }[] }
  | { kind: "ensure"; definition: CollectionDefinition }
  | { kind: "sweep"; collection: string; limit: number }
  | { kind: "ping" };

export interface WriteResult {
  matched: number;
  modified: number;
  upsertedId?: string;
  inserted?: boolean;
  deleted?: number;
  /** Text of the document after the update. */
  document?: string;
}

export interface WireError {
  /** Undefined for an error that is a fault of ours. */
  code?: DocumentStoreErrorCode;
  message: string;
  failedAt?: number;
}

export type Outcome<T> = { ok: true; value: T } | { ok: false; error: WireError };

/** The value by kind: a WriteResult, a list of outcomes (bulk), of WriteResults (atomic), or a number of documents (sweep). */
export type Reply = Outcome<WriteResult | Outcome<WriteResult>[] | WriteResult[] | number | null>;

export interface WriterOptions {
  path: string;
  busyTimeoutMs: number;
}
