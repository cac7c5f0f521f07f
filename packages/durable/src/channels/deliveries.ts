import type { CollectionDefinition, DocumentStore, Update } from "../document-store/port.ts";
import type { EventRow } from "./outbox.ts";
import type { ChannelEvent, DeadLetter } from "./port.ts";

/** One event on its way to one group. `dueAt` is when it may be taken; a taken one is hidden until then. */
export interface DeliveryRow extends EventRow {
  group: string;
  eventId: string;
  state: "pending" | "done" | "dead";
  attempts: number;
  /** Number of times that a handler got the current message (over NATS). */
  handed?: number;
  dueAt: Date;
  reason?: string;
  diedAt?: Date;
  expiresAt?: Date;
}

export const DELIVERIES: CollectionDefinition = {
  name: "channel_deliveries",
  fields: {
    channel: "string",
    group: "string",
    state: "string",
    eventId: "string",
    attempts: "number",
    occurredAt: "date",
    dueAt: "date",
    diedAt: "date",
    expiresAt: "date",
  },
  indexes: [{ keys: { channel: 1, group: 1, state: 1, dueAt: 1 } }, { keys: { state: 1, occurredAt: 1 } }],
  expires: "expiresAt",
};

/** How long a relayed event and an acknowledged delivery are remembered to recognise repeats. */
export const RETENTION_MS = 7 * 24 * 60 * 60 * 1000;

/** How long an event of a channel is kept for later groups, milliseconds. */
export type KeptMs = (channel: string) => number;

/** The end of a delivery that its group no longer needs: it is kept, without its payload, to recognise repeats. */
export function completeDelivery(): Update {
  return { $set: { state: "done", expiresAt: new Date(Date.now() + RETENTION_MS) }, $unset: { payload: true } };
}

export function toChannelEvent(id: string, { channel, occurredAt, payload, v = 1, origin }: EventRow): ChannelEvent {
  return { v, event_id: id, channel, occurred_at: occurredAt, payload: freeze(payload), origin };
}

/** Freezes a payload: groups of a process may be handed the same one, and none changes what the others see. */
function freeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}

function toDeadLetter(row: DeliveryRow): DeadLetter {
  const { _id: id, channel, group, attempts, reason = "", diedAt = row.dueAt } = row;
  return { id, channel, group, event: toChannelEvent(row.eventId, row), attempts, reason, diedAt };
}

/** Stores the deliveries that were given up, also if JetStream carries the events. */
export function createDeadLetters(documents: DocumentStore) {
  const deliveries = documents.collection<DeliveryRow>(DELIVERIES);
  return {
    list: async (limit = 100): Promise<DeadLetter[]> =>
      (await deliveries.find({ state: "dead" }, { sort: { occurredAt: 1 }, limit })).map(toDeadLetter),
    find: async (_id: string): Promise<DeadLetter | undefined> => {
      const row = await deliveries.findOne({ _id, state: "dead" });
      return row ? toDeadLetter(row) : undefined;
    },
    /** Makes this death undone, and no later one of the same event. */
    revive: async ({ id: _id, diedAt }: DeadLetter): Promise<void> => {
      const revived = { state: "pending", attempts: 0, dueAt: new Date() };
      await deliveries.updateOne({ _id, state: "dead", diedAt }, { $set: revived });
    },
    drop: async (_id: string): Promise<boolean> =>
      (await deliveries.updateOne({ _id, state: "dead" }, completeDelivery())).matched > 0,
    count: (): Promise<number> => deliveries.count({ state: "dead" }),
  };
}
