import type { TokenUser } from "../../broker/contract/context.ts";
import type { Params, Result } from "../../broker/contract/define.ts";
import type { Tombstone, UserDocument, UserRecord } from "./collections.ts";
import type { userContract } from "./contract.ts";
import type { IdentityEvent } from "./identity-webhook.ts";

export type User = Result<typeof userContract.actions.get>;
export type ProfileChanges = Params<typeof userContract.actions.updateMe>;

export function isTombstone(document: UserDocument): document is Tombstone {
  return "deletedAt" in document && document.deletedAt != null;
}

export function viewOfRecord(record: UserRecord): User {
  return {
    userId: record._id,
    email: record.email ?? null,
    name: record.name ?? record.identityName ?? null,
    phone: record.phone ?? record.identityPhone ?? null,
    role: record.role,
    addresses: record.addresses,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}

/** Returns the bearer's own profile. The verified token is newer than any webhook, so its role counts. */
export function viewOfBearer(token: TokenUser, record: UserRecord | undefined): User {
  if (record) return { ...viewOfRecord(record), email: record.email ?? token.email ?? null, role: token.role };
  return { ...viewOfRecord(recordOfBearer(token, new Date())), createdAt: null, updatedAt: null };
}

/** Returns a record for a bearer whose webhook has not come yet. */
export function recordOfBearer(token: TokenUser, now: Date): UserRecord {
  return {
    _id: token.sub,
    version: 0,
    email: token.email,
    role: token.role,
    addresses: [],
    createdAt: now,
    updatedAt: now,
  };
}

/** Null removes an own value; a field that is left out stays. */
export function withChanges(record: UserRecord, changes: ProfileChanges, now: Date): UserRecord {
  const { name = record.name, phone = record.phone, addresses = record.addresses } = changes;
  return {
    ...record,
    name: name ?? undefined,
    phone: phone ?? undefined,
    addresses,
    version: record.version + 1,
    updatedAt: now,
  };
}

/**
 * Applies an event, which may come late, twice and in any order; undefined if something newer is known. The provider's
 * own time decides between updates, and a deletion is final.
 */
export function applyIdentityEvent(
  current: UserDocument | undefined,
  event: IdentityEvent,
  now: Date,
): UserDocument | undefined {
  if (current && isTombstone(current)) return undefined;
  const version = (current?.version ?? 0) + 1;
  if (event.type === "user.deleted") return { _id: event.userId, version, deletedAt: now };
  if (event.updatedAt < (current?.identityUpdatedAt ?? -Infinity)) return undefined;
  return {
    _id: event.userId,
    ...event.profile,
    name: current?.name,
    phone: current?.phone,
    addresses: current?.addresses ?? [],
    version,
    createdAt: event.createdAt ?? current?.createdAt ?? now,
    updatedAt: now,
    identityUpdatedAt: event.updatedAt,
  };
}
