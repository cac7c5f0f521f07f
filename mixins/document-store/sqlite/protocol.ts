import type { Outcome } from "../../sqlite/protocol.ts";
import type { CollectionDefinition, DocumentStoreErrorCode } from "../port.ts";
import type { Write, WriteResult } from "../model/write.ts";

/**
 * What the calling thread and the writer thread say to each other. Messages are JSON text: dates are numbers already,
 * and nothing depends on which realm an object came from.
 */

export type Request =
  | { kind: "write"; collection: string; write: Write }
  | { kind: "bulk"; collection: string; writes: Write[] }
  | { kind: "atomic"; writes: { collection: string; write: Write; require: boolean }[] }
  | { kind: "ensure"; definition: CollectionDefinition }
  | { kind: "sweep"; collection: string; limit: number }
  | { kind: "ping" };

export interface WireError {
  /** Undefined for an error that is a fault of ours. */
  code?: DocumentStoreErrorCode;
  message: string;
  failedAt?: number;
}

/**
 * The value by kind: a WriteResult, a list of outcomes (bulk), of WriteResults (atomic), or a number of documents
 * (sweep).
 */
export type Answer = WriteResult | Outcome<WriteResult, WireError>[] | WriteResult[] | number | null;

export interface WriterOptions {
  path: string;
  busyTimeoutMs: number;
  /** Collections whose tables exist. */
  definitions: readonly CollectionDefinition[];
}
