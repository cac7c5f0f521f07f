import { ulid } from "ulid";
import type { AtomicWrite, Collection, CollectionDefinition, Document } from "../../mixins/document-store/port.ts";
import { originOf } from "./origin.ts";
import type { EventOrigin, OutboxDepth } from "./port.ts";

export interface OutboxRow extends Document {
  channel: string;
  occurredAt: Date;
  payload: Record<string, unknown>;
  origin?: EventOrigin;
  state: "new" | "relayed";
  /** Set once relayed: until then the row recognises a repeat of its event and serves groups that come later. */
  expiresAt?: Date;
  /** Its place in the stream that it was relayed to. */
  sequence?: number;
}

export const OUTBOX: CollectionDefinition = {
  name: "outbox",
  fields: { channel: "string", occurredAt: "date", state: "string", expiresAt: "date", sequence: "number" },
  indexes: [{ keys: { state: 1, occurredAt: 1 } }, { keys: { channel: 1 } }, { keys: { state: 1, sequence: 1 } }],
  expires: "expiresAt",
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
      update: {
        $setOnInsert: { channel, occurredAt: new Date(), payload, ...originOf(channel, eventId), state: "new" },
      },
      upsert: true,
    },
  });
}

export async function depthOf(outbox: Collection<OutboxRow>): Promise<OutboxDepth> {
  const [oldest] = await outbox.find({ state: "new" }, { sort: { occurredAt: 1 }, limit: 1 });
  // Mostly nothing waits, and then there is nothing to count.
  return oldest
    ? { outbox: await outbox.count({ state: "new" }), outboxAgeMs: ageOf(oldest.occurredAt) }
    : { outbox: 0, outboxAgeMs: 0 };
}

/** Milliseconds since the earliest of these; 0 when there is none. */
export function ageOf(...dates: readonly (Date | undefined)[]): number {
  const since = dates.flatMap((date) => (date ? [date.getTime()] : []));
  return since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since));
}
