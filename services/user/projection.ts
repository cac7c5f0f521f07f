import type { UserDocument } from "./collections.ts";
import type { IdentityEvent } from "./identity-event.ts";
import { isTombstone } from "./profile.ts";

/**
 * Applies an event of the identity provider to a user's document; undefined if something newer is known. Events may come
 * late, twice and in any order: the provider's own time decides between updates, and a deletion is final.
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
