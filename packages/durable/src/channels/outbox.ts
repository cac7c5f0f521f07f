import { ulid } from "@partline/toolkit";
import type { AtomicWrite, Collection, CollectionDefinition, Document } from "../document-store/port.ts";
import type { EventOrigin, OutboxDepth } from "./port.ts";
import { getOrigin } from "./origin.ts";

/** An event, in the outbox and in each delivery. */
export interface EventRow extends Document {
  channel: string;
  occurredAt: Date;
  payload: Record<string, unknown>;
  /** 1 unless given. */
  v?: number;
  origin?: EventOrigin;
}

export interface OutboxRow extends EventRow {
  state: "new" | "relayed";
  /** The process that wrote it, which relays it at once; others do so if it has not after a while. */
  writer?: string;
  /** Set once relayed. Until it is over the row recognises a repeat and serves later groups. */
  expiresAt?: Date;
  /** The message's place in the stream. */
  sequence?: number;
}

export const OUTBOX: CollectionDefinition = {
  name: "outbox",
  fields: { channel: "string", occurredAt: "date", state: "string", expiresAt: "date", sequence: "number" },
  indexes: [{ keys: { state: 1, occurredAt: 1 } }, { keys: { channel: 1 } }, { keys: { state: 1, sequence: 1 } }],
  expires: "expiresAt",
};

/** This process, as the writer of outbox rows. */
export const WRITER = ulid();

/** Notes of the NATS stream that has this store's events; without the note, the whole outbox is relayed again. */
export const TARGETS: CollectionDefinition = { name: "channel_targets" };

/**
 * The outbox row of an event, for `documents.atomically` together with the state that causes it. With an `eventId` a
 * repeated write changes nothing. Call `channels.wake()` after the write.
 * @param v version of the payload by the contract
 */
export function createOutboxWrite<Events>() {
  return <K extends keyof Events & string>(
    channel: K,
    payload: Events[K],
    eventId: string = ulid(),
    v?: number,
  ): AtomicWrite => ({
    collection: OUTBOX,
    updateOne: {
      filter: { _id: eventId },
      update: {
        $setOnInsert: {
          channel,
          occurredAt: new Date(),
          payload,
          v,
          ...getOrigin(channel, eventId),
          state: "new",
          writer: WRITER,
        },
      },
      upsert: true,
    },
  });
}

export async function countDepth(outbox: Collection<OutboxRow>): Promise<OutboxDepth> {
  const [oldest] = await outbox.find({ state: "new" }, { sort: { occurredAt: 1 }, limit: 1 });
  // Usually nothing waits, and nothing need be counted.
  return oldest
    ? { outbox: await outbox.count({ state: "new" }), outboxAgeMs: computeAge(oldest.occurredAt) }
    : { outbox: 0, outboxAgeMs: 0 };
}

/** Milliseconds since the earliest; 0 without one. */
export function computeAge(...dates: readonly (Date | undefined)[]): number {
  const since = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since));
}
