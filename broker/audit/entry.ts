import type { AtomicWrite, CollectionDefinition, Document } from "@partline/durable";
import { ulid } from "@partline/toolkit";

/** A field that an action changed. Null is none; a person's data is `***`. */
export interface FieldChange {
  /** Path with dots: `shipments.0.carrier`. */
  field: string;
  before: unknown;
  after: unknown;
}

/**
 * Record of an action for the shop, written before the action and completed after it. Nothing else changes it, except
 * that the address is erased with its person.
 */
export interface AuditEntry extends Document {
  at: Date;
  /** `user:…`, `key:…`, `admin`, `system`, `payment-provider`, `identity-provider` or `shipping-provider`. */
  actor: string;
  adminToken?: true;
  address?: string;
  requestId: string;
  action: string;
  object?: string;
  objectId?: string;
  /** `done`, `waiting`, or the code of the refusal. Absent: a read, an action under way, or one whose process died. */
  outcome?: string;
  changes?: FieldChange[];
  /** AUDIT_KEPT after it was written. */
  purgeAt?: Date;
}

export const AUDIT: CollectionDefinition = {
  name: "audit",
  fields: {
    at: "date",
    actor: "string",
    action: "string",
    object: "string",
    objectId: "string",
    outcome: "string",
    purgeAt: "date",
  },
  indexes: [
    { keys: { at: -1 } },
    { keys: { actor: 1, at: -1 } },
    { keys: { action: 1, at: -1 } },
    { keys: { object: 1, objectId: 1, at: -1 } },
  ],
  expires: "purgeAt",
};

/** Returns when an entry is deleted; undefined if entries are kept for ever. */
export function findPurgeTime(writtenAt: Date, keptMs: number | undefined): Date | undefined {
  return keptMs === undefined ? undefined : new Date(writtenAt.getTime() + keptMs);
}

/** Creates the write of an entry about what the system did by itself, for the batch of its change. */
export function auditSystemWork(
  facts: Pick<AuditEntry, "at" | "requestId" | "action" | "object" | "objectId" | "changes">,
  keptMs: number | undefined,
): AtomicWrite {
  const purgeAt = findPurgeTime(facts.at, keptMs);
  return { collection: AUDIT, insertOne: { _id: ulid(), actor: "system", outcome: "done", ...facts, purgeAt } };
}
