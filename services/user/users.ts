import { presentFields, type Params, type Result } from "@partline/api-contracts";
import type { TokenUser } from "../../broker/contract/context.ts";
import { type AtomicWrite, type DocumentStore, compareAndSet, createReplacement } from "@partline/durable";
import { notFound, type PartlineError } from "../../mixins/errors.ts";
import { userContract } from "./contract.ts";
import { type UserDocument, USERS, type Tombstone, type UserRecord, type IdentityProfile } from "./collections.ts";

/**
 * Changes a user, and decides again after a concurrent write. @throws VERSION_CONFLICT; what `decide` throws; DUPLICATE_KEY or
 * CONDITION_FAILED of another write of the batch
 */
export function changeUser(
  documents: DocumentStore,
  _id: string,
  decide: (current: UserDocument | undefined) => { next: UserDocument; also?: AtomicWrite[] } | undefined,
): Promise<UserDocument | undefined> {
  return compareAndSet(documents, "The user", async () => {
    const current = await documents.collection<UserDocument>(USERS).findOne({ _id });
    const decided = decide(current ?? undefined);
    if (!decided) return { conditions: [], result: undefined };
    const { next, also } = decided;
    return { conditions: [createReplacement(USERS, current, "version", next)], also, result: next };
  });
}

/** Creates the error of a missing user, whose message repeats an id only if it can be one. */
export function createUserNotFoundError(id: string): PartlineError {
  return /^[\x21-\x7e]{1,100}$/.test(id) ? notFound("User", id) : notFound("User");
}

export type User = Result<typeof userContract.actions.get>;
export type ProfileChanges = Params<typeof userContract.actions.updateMe>;

export function isTombstone(document: UserDocument): document is Tombstone {
  return "deletedAt" in document && document.deletedAt != null;
}

export function toUserView(record: UserRecord): User {
  const { _id: userId, name = record.identityName, phone = record.identityPhone } = record;
  return presentFields(userContract.actions.get.result.props, {
    ...record,
    userId,
    name,
    phone,
    machines: record.machines ?? [],
  });
}

/** Returns the bearer's own profile. The verified token is newer than any webhook, so its role counts. */
export function toBearerView(token: TokenUser, record: UserRecord | undefined): User {
  if (record) return { ...toUserView(record), email: record.email ?? token.email ?? null, role: token.role };
  return { ...toUserView(createBearerRecord(token, new Date())), createdAt: null, updatedAt: null };
}

/** Returns a record for a bearer whose webhook has not come yet. */
export function createBearerRecord(token: TokenUser, now: Date): UserRecord {
  const { sub: _id, email, role } = token;
  return { _id, version: 0, email, role, addresses: [], createdAt: now, updatedAt: now };
}

/** Applies changes to a profile: null removes an own value, a field that is left out stays. */
export function applyChanges(record: UserRecord, changes: ProfileChanges, now: Date): UserRecord {
  const {
    name = record.name,
    phone = record.phone,
    addresses = record.addresses,
    machines = record.machines,
  } = changes;
  const profile = { name: name ?? undefined, phone: phone ?? undefined, addresses, machines };
  return { ...record, ...profile, version: record.version + 1, updatedAt: now };
}

/** A webhook of the identity provider, as far as it matters here. */
export type IdentityEvent =
  | {
      type: "user.created" | "user.updated";
      userId: string;
      profile: IdentityProfile;
      createdAt?: Date;
      updatedAt: number;
    }
  | { type: "user.deleted"; userId: string };

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
    machines: current?.machines,
    version,
    createdAt: event.createdAt ?? current?.createdAt ?? now,
    updatedAt: now,
    identityUpdatedAt: event.updatedAt,
  };
}
