import { hash } from "node:crypto";
import { type AtomicWrite, type ChannelEvent, type DocumentStore, hasStoreCode } from "@partline/durable";
import { getFrom } from "@partline/toolkit";
import {
  type DurableEvents,
  type EventDefinition,
  type Recorded,
  listPersonalFields,
  omitPersonal,
} from "@partline/api-contracts";
import { toAggregateId } from "../../broker/contract/recorded.ts";
import { enqueue } from "../contracts.ts";
import {
  AGGREGATES,
  DELIVERIES,
  toDeliveryId,
  KEPT_MS,
  MESSAGES,
  PERSONAL,
  PERSONAL_KEPT_MS,
  type DeliveryDocument,
  type EndpointDocument,
} from "./collections.ts";

export type EventTypes = ReadonlyMap<string, EventDefinition & { recorded: Recorded }>;

/** Returns the durable events that endpoints can have: those that the event store records. */
export function listEventTypes(events: DurableEvents): EventTypes {
  return new Map(
    [...events].flatMap(([channel, { recorded, ...rest }]) => (recorded ? [[channel, { ...rest, recorded }]] : [])),
  );
}

/** How long an ordered delivery waits for a missing event before it. */
const PATIENCE_MS = 30_000;

/**
 * Stores an event as a message with its deliveries, once however often it comes; for a disabled endpoint, failed ones
 * that can be replayed. @returns whether something is due
 */
export async function storeMessage(
  documents: DocumentStore,
  endpoints: readonly EndpointDocument[],
  types: EventTypes,
  event: ChannelEvent,
): Promise<boolean> {
  const { event_id, channel, v, occurred_at: occurredAt, payload } = event;
  const { recorded, payload: fields } = getFrom(types, channel);
  const now = new Date();
  const purgeAt = addMs(now, KEPT_MS);
  const to = endpoints.filter(({ eventTypes }) => eventTypes.includes(channel));
  const isOrdered = endpoints.some(({ ordered }) => ordered);
  if (to.length === 0 && !isOrdered) return false;
  const aggregateId = toAggregateId(payload, recorded, event_id);
  const position = typeof payload.version === "number" ? payload.version : 1;
  const messageId = toMessageId(event_id);
  const personal = listPersonalFields(fields).filter((name) => payload[name] !== undefined);

  const isPersonal = to.length > 0 && personal.length > 0;
  const personalDocument = {
    aggregateId,
    userId: typeof payload.userId === "string" ? payload.userId : undefined,
    data: Object.fromEntries(personal.map((name) => [name, payload[name]])),
    purgeAt: addMs(now, PERSONAL_KEPT_MS),
  };
  const data = omitPersonal(fields, payload);
  const message = { type: channel, version: v, occurredAt, data, hasPersonal: isPersonal || undefined, purgeAt };
  const deliveries = to.map(({ _id: endpointId, ordered, disabled }): DeliveryDocument => ({
    _id: toDeliveryId(endpointId, messageId),
    endpointId,
    messageId,
    type: channel,
    occurredAt,
    state: disabled ? "failed" : "waiting",
    ...(ordered ? { lane: `${endpointId}:${aggregateId}`, aggregateId, patientUntil: addMs(now, PATIENCE_MS) } : {}),
    position,
    attempts: 0,
    tries: 0,
    nextAttemptAt: disabled ? undefined : now,
    purgeAt,
  }));
  const update = { $addToSet: { versions: position }, $set: { purgeAt } };
  const aggregateWrite = { collection: AGGREGATES, updateOne: { filter: { _id: aggregateId }, update, upsert: true } };
  const waiting = deliveries.filter(({ state }) => state === "waiting");
  const writes: AtomicWrite[] = [
    { collection: MESSAGES, insertOne: { _id: messageId, ...message } },
    ...(isPersonal ? [{ collection: PERSONAL, insertOne: { _id: messageId, ...personalDocument } }] : []),
    ...deliveries.map((delivery): AtomicWrite => ({ collection: DELIVERIES, insertOne: { ...delivery } })),
    ...waiting.map((delivery) => enqueueDelivery(delivery, now)),
    ...(isOrdered ? [aggregateWrite] : []),
  ];
  try {
    await documents.atomically(writes);
  } catch (error) {
    // The event came before, unless another write of these lost a race.
    if (!hasStoreCode(error, "DUPLICATE_KEY") || !(await documents.collection(MESSAGES).findOne({ _id: messageId })))
      throw error;
  }
  return waiting.length > 0;
}

/** Type of the event that staff send to test an endpoint: in no list of events, accepted by every endpoint. */
export const TEST_TYPE = "webhook.test";

/** Stores a test event for an endpoint, once for an id. @returns its delivery */
export async function storeTest(
  documents: DocumentStore,
  { _id: endpointId }: EndpointDocument,
  id: string,
): Promise<DeliveryDocument> {
  const now = new Date();
  const messageId = toMessageId(`${TEST_TYPE}:${id}`);
  const message = { type: TEST_TYPE, occurredAt: now, purgeAt: addMs(now, KEPT_MS) };
  const delivery: DeliveryDocument = {
    ...{ _id: toDeliveryId(endpointId, messageId), endpointId, messageId, ...message },
    ...{ state: "waiting", position: 1, attempts: 0, tries: 0, nextAttemptAt: now },
  };
  const deliveries = documents.collection<DeliveryDocument>(DELIVERIES);
  const existing = await deliveries.findOne({ _id: delivery._id });
  if (existing) return existing;
  await documents.atomically([
    { collection: MESSAGES, insertOne: { _id: messageId, ...message, version: 1, data: { endpointId } } },
    { collection: DELIVERIES, insertOne: { ...delivery } },
    enqueueDelivery(delivery, now),
  ]);
  return delivery;
}

/** The webhook-id: the same for all endpoints, and without dots, which part the signed text. */
function toMessageId(eventId: string): string {
  return `msg_${hash("sha256", eventId, "base64url").slice(0, 22)}`;
}

function addMs(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}

/**
 * Returns the write that makes a delivery due. Each endpoint is a lane: a long queue of one delays no other. Ordered
 * deliveries of an aggregate share a task, which sends them one after another.
 */
export function enqueueDelivery(
  { _id, endpointId, lane }: Pick<DeliveryDocument, "_id" | "endpointId" | "lane">,
  dueAt: Date,
): AtomicWrite {
  const queued = { endpointId, ...(lane === undefined ? { deliveryId: _id } : { lane }) };
  return enqueue("webhook.deliver", lane ?? _id, queued, { dueAt, lane: endpointId });
}
