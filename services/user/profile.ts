import type { TokenUser } from "../../broker/contract/context.ts";
import type { Params, Result } from "../../broker/contract/define.ts";
import type { Tombstone, UserDocument, UserRecord } from "./collections.ts";
import type { userContract } from "./contract.ts";

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
  return {
    userId: token.sub,
    email: token.email ?? null,
    name: null,
    phone: null,
    role: token.role,
    addresses: [],
    createdAt: null,
    updatedAt: null,
  };
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
