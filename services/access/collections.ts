import type { Scope } from "../../broker/contract/scopes.ts";
import type { CollectionDefinition, Document } from "../../mixins/document-store/port.ts";

/** A system's key. It is known by its hash alone: 256 random bits need no salt and no slow hash. */
export interface KeyRecord extends Document {
  hash: string;
  name: string;
  scopes: Scope[];
  /** Who made it, as in events. */
  createdBy: string;
  createdAt: Date;
  expiresAt?: Date;
  revokedAt?: Date;
  /** To the minute. */
  lastUsedAt?: Date;
}

export const KEYS: CollectionDefinition = {
  name: "access_keys",
  fields: { hash: "string", createdAt: "date", expiresAt: "date", revokedAt: "date", lastUsedAt: "date" },
  indexes: [{ keys: { hash: 1 }, unique: true }, { keys: { createdAt: -1 } }],
};
