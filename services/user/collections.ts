import type { Role } from "../../broker/contract/scopes.ts";
import type { ShippingAddress } from "../shared/commerce.ts";
import type { CollectionDefinition, Document } from "@partline/durable";

/** Data of a user from the identity provider. */
export interface IdentityProfile {
  email?: string;
  identityName?: string;
  identityPhone?: string;
  role: Role;
}

/** Profile that the user or an admin set here; it overrides the identity provider's. */
interface OwnProfile {
  name?: string;
  phone?: string;
  addresses: ShippingAddress[];
  machines?: { model: string; name: string; serial?: string }[];
}

export interface UserRecord extends Document, IdentityProfile, OwnProfile {
  /** Counts changes; a write names the version it was made from. */
  version: number;
  createdAt: Date;
  updatedAt: Date;
  /** The identity provider's own time of the newest update seen, in milliseconds since 1970; absent until one came. */
  identityUpdatedAt?: number;
}

/** Remains of a deleted user, so that a late event does not recreate the user. */
export interface Tombstone extends Document {
  version: number;
  deletedAt: Date;
}

export type UserDocument = UserRecord | Tombstone;

export const USERS: CollectionDefinition = {
  name: "users",
  fields: {
    version: "number",
    email: "string",
    identityName: "string",
    name: "string",
    createdAt: "date",
    updatedAt: "date",
    deletedAt: "date",
  },
  indexes: [{ keys: { createdAt: -1 } }, { keys: { deletedAt: 1, createdAt: -1 } }],
};

/** A webhook that has taken effect, by svix-id. Kept longer than its sender retries. */
export interface IdentityEventRecord extends Document {
  type: string;
  userId: string;
  expiresAt: Date;
}

export const IDENTITY_EVENTS: CollectionDefinition = {
  name: "identity_events",
  fields: { expiresAt: "date" },
  expires: "expiresAt",
};
