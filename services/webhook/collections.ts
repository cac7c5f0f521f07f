import type { Infer } from "@partline/api-contracts";
import type { CollectionDefinition, Document } from "@partline/durable";
import type { attemptRule, deliveryRule, endpointRule } from "./contract.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
export const KEPT_MS = 30 * DAY_MS;
/** Data of persons goes when the durable channels let go of it (decision 0031). */
export const PERSONAL_KEPT_MS = 7 * DAY_MS;
/** Lifetime of a deleted endpoint, longer than any retry: a repeated deletion finds it. */
export const DELETED_KEPT_MS = 4 * DAY_MS;

/**
 * Lifetime of a note on an ended creator, longer than any node trusts a revoked key and than tokens of a deleted
 * account are valid.
 */
export const ENDED_MAKER_KEPT_MS = 7 * DAY_MS;

interface Secret {
  value: string;
  /** ISO 8601; absent for the current one. */
  expiresAt?: string;
}

export interface EndpointDocument extends Document, Omit<Infer<typeof endpointRule>, "endpointId" | "secretExpiresAt"> {
  secrets: Secret[];
  deletedAt?: Date;
  purgeAt?: Date;
}

export const ENDPOINTS: CollectionDefinition = {
  name: "webhook_endpoints",
  fields: {
    createdAt: "date",
    updatedAt: "date",
    failingSince: "date",
    deletedAt: "date",
    purgeAt: "date",
    disabled: "boolean",
    createdBy: "string",
  },
  expires: "purgeAt",
};

/** A maker that has ended for good; `_id` names it as `createdBy` does. */
export interface EndedMaker extends Document {
  purgeAt: Date;
}

export const ENDED_MAKERS: CollectionDefinition = {
  name: "webhook_ended_makers",
  fields: { purgeAt: "date" },
  expires: "purgeAt",
};

/** An event, without data of persons. */
export interface MessageDocument extends Document {
  type: string;
  version: number;
  occurredAt: Date;
  data: Record<string, unknown>;
  /** The rest is in PERSONAL, as long as it is kept. */
  hasPersonal?: true;
  purgeAt: Date;
}

export const MESSAGES: CollectionDefinition = {
  name: "webhook_messages",
  fields: { occurredAt: "date", purgeAt: "date" },
  expires: "purgeAt",
};

export interface PersonalDocument extends Document {
  aggregateId: string;
  userId?: string;
  data: Record<string, unknown>;
  purgeAt: Date;
}

export const PERSONAL: CollectionDefinition = {
  name: "webhook_personal_data",
  fields: { aggregateId: "string", userId: "string", purgeAt: "date" },
  indexes: [{ keys: { aggregateId: 1 } }, { keys: { userId: 1 } }],
  expires: "purgeAt",
};

/** A message on its way to an endpoint; `_id` is `<endpointId>:<messageId>`. */
export interface DeliveryDocument extends Document, Infer<typeof deliveryRule> {
  endpointId: string;
  /** Lane of an ordered endpoint. */
  lane?: string;
  aggregateId?: string;
  /** Version of the aggregate that the event made; 1 without versions. */
  position: number;
  /** Time until which it waits for the event of the version before. */
  patientUntil?: Date;
  /** Attempts since it was made or replayed. */
  tries: number;
  replayId?: string;
  purgeAt: Date;
}

export const DELIVERIES: CollectionDefinition = {
  name: "webhook_deliveries",
  fields: {
    endpointId: "string",
    state: "string",
    lane: "string",
    position: "number",
    replayId: "string",
    occurredAt: "date",
    patientUntil: "date",
    nextAttemptAt: "date",
    deliveredAt: "date",
    purgeAt: "date",
  },
  indexes: [
    { keys: { endpointId: 1, state: 1, occurredAt: 1 } },
    { keys: { endpointId: 1, occurredAt: 1 } },
    { keys: { lane: 1, state: 1, position: 1 } },
  ],
  expires: "purgeAt",
};

export interface AttemptDocument extends Document, Infer<typeof attemptRule> {
  deliveryId: string;
  purgeAt: Date;
}

export const ATTEMPTS: CollectionDefinition = {
  name: "webhook_attempts",
  fields: { deliveryId: "string", attemptedAt: "date", purgeAt: "date" },
  indexes: [{ keys: { deliveryId: 1, attemptedAt: 1 } }],
  expires: "purgeAt",
};

/** Versions of an aggregate whose events have come; kept while an endpoint is ordered. */
export interface AggregateDocument extends Document {
  versions: number[];
  purgeAt: Date;
}

export const AGGREGATES: CollectionDefinition = {
  name: "webhook_aggregates",
  fields: { purgeAt: "date" },
  expires: "purgeAt",
};

export function toDeliveryId(endpointId: string, messageId: string): string {
  return `${endpointId}:${messageId}`;
}
