import { hash } from "node:crypto";
import type { ChannelEvent } from "../../broker/channels/port.ts";
import type { DurableEvents, EventDefinition, Recorded } from "../../broker/contract/define.ts";
import { personalFields, withoutPersonal } from "../../broker/contract/personal.ts";
import { aggregateIdOf } from "../../broker/contract/recorded.ts";
import { hasStoreCode, type AtomicWrite, type DocumentStore } from "../../mixins/document-store/port.ts";
import {
  AGGREGATES,
  DELIVERIES,
  deliveryId,
  KEPT_MS,
  MESSAGES,
  PERSONAL,
  PERSONAL_KEPT_MS,
  type DeliveryDocument,
  type EndpointDocument,
  type MessageDocument,
} from "./collections.ts";
import { enqueueDelivery } from "./queue.ts";

export type EventTypes = ReadonlyMap<string, EventDefinition & { recorded: Recorded }>;

/** Returns the durable events that endpoints can have: those that the event store records. */
export function eventTypesOf(events: DurableEvents): EventTypes {
  return new Map(
    [...events].flatMap(([channel, { recorded, ...rest }]) => (recorded ? [[channel, { ...rest, recorded }]] : [])),
  );
}

/** How long an ordered delivery waits for a missing event before it. */
const PATIENCE_MS = 30_000;

/**
 * Stores an event as a message with its deliveries, once however often it comes; for a disabled endpoint, failed ones
 * that can be replayed. @returns the endpoints with something to be sent
 */
export async function storeMessage(
  documents: DocumentStore,
  endpoints: readonly EndpointDocument[],
  types: EventTypes,
  event: ChannelEvent,
): Promise<string[]> {
  const { event_id, channel, v, occurred_at: occurredAt, payload } = event;
  const { recorded, payload: fields } = types.get(channel)!;
  const now = new Date();
  const purgeAt = later(now, KEPT_MS);
  const living = endpoints.filter(({ deletedAt }) => deletedAt === undefined);
  const to = living.filter(({ eventTypes }) => eventTypes.includes(channel));
  const isOrdered = living.some(({ ordered }) => ordered);
  if (to.length === 0 && !isOrdered) return [];
  const aggregateId = aggregateIdOf(payload, recorded, event_id);
  const position = typeof payload.version === "number" ? payload.version : 1;
  const messageId = messageIdOf(event_id);
  const personal = personalFields(fields).filter((name) => payload[name] !== undefined);

  const isPersonal = to.length > 0 && personal.length > 0;
  const data = withoutPersonal(fields, payload);
  const message = { type: channel, version: v, occurredAt, data, hasPersonal: isPersonal || undefined, purgeAt };
  const deliveries = to.map(({ _id: endpointId, ordered, disabled }): DeliveryDocument => ({
    _id: deliveryId(endpointId, messageId),
    endpointId,
    messageId,
    type: channel,
    occurredAt,
    state: disabled ? "failed" : "waiting",
    ...(ordered ? { lane: `${endpointId}:${aggregateId}`, aggregateId, patientUntil: later(now, PATIENCE_MS) } : {}),
    position,
    attempts: 0,
    tries: 0,
    nextAttemptAt: disabled ? undefined : now,
    purgeAt,
  }));
  const waiting = deliveries.filter(({ state }) => state === "waiting");
  const messages = documents.collection<MessageDocument>(MESSAGES);
  const writes: AtomicWrite[] = [
    { collection: MESSAGES, insertOne: { _id: messageId, ...message } },
    ...(isPersonal ? [personalWrite(messageId, aggregateId, payload, personal, now)] : []),
    ...deliveries.map((delivery): AtomicWrite => ({ collection: DELIVERIES, insertOne: { ...delivery } })),
    ...waiting.map((delivery) => enqueueDelivery(delivery, now)),
    ...(isOrdered ? [seen(aggregateId, position, purgeAt)] : []),
  ];
  try {
    await documents.atomically(writes);
  } catch (error) {
    // The event came before, unless another write of these lost a race.
    const isKnown = hasStoreCode(error, "DUPLICATE_KEY") && (await messages.findOne({ _id: messageId }));
    if (!isKnown) throw error;
  }
  return waiting.map(({ endpointId }) => endpointId);
}

/** The webhook-id: the same for all endpoints, and without dots, which part the signed text. */
function messageIdOf(eventId: string): string {
  return `msg_${hash("sha256", eventId, "base64url").slice(0, 22)}`;
}

function personalWrite(
  _id: string,
  aggregateId: string,
  payload: Record<string, unknown>,
  fields: readonly string[],
  now: Date,
): AtomicWrite {
  const data = Object.fromEntries(fields.map((name) => [name, payload[name]]));
  const { userId } = payload;
  const purgeAt = later(now, PERSONAL_KEPT_MS);
  return {
    collection: PERSONAL,
    updateOne: {
      filter: { _id },
      update: { $setOnInsert: { aggregateId, data, purgeAt, userId: typeof userId === "string" ? userId : undefined } },
      upsert: true,
    },
  };
}

function seen(_id: string, version: number, purgeAt: Date): AtomicWrite {
  return {
    collection: AGGREGATES,
    updateOne: { filter: { _id }, update: { $addToSet: { versions: version }, $set: { purgeAt } }, upsert: true },
  };
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
