import { ulid } from "ulid";
import type { AtomicWrite, CollectionDefinition, Document } from "../../mixins/document-store/port.ts";

export interface OutboxRow extends Document {
  channel: string;
  occurredAt: Date;
  payload: Record<string, unknown>;
}

export const OUTBOX: CollectionDefinition = {
  name: "outbox",
  fields: { channel: "string", occurredAt: "date" },
};

/**
 * The outbox row of an event, to be written by `documents.atomically` together with the state that causes it.
 * `eventId` is given where the write may be repeated: the row is then written once, a second one changes nothing.
 * Call `channels.wake()` after the write.
 */
export function outboxWrite<Events>() {
  return <K extends keyof Events & string>(channel: K, payload: Events[K], eventId: string = ulid()): AtomicWrite => ({
    collection: OUTBOX,
    updateOne: {
      filter: { _id: eventId },
      update: { $setOnInsert: { channel, occurredAt: new Date(), payload } },
      upsert: true,
    },
  });
}
