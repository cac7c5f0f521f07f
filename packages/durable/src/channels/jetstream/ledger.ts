import { hasStoreCode, type DocumentStore, type Update } from "../../document-store/port.ts";
import { DELIVERIES, completeDelivery, type DeliveryRow } from "../deliveries.ts";
import type { ChannelEvent, DeadLetter } from "../port.ts";

export type Ledger = ReturnType<typeof createLedger>;

/**
 * Records in the store what each group has done with an event: a repeat is recognised for seven days, even if the
 * server forgot it. The rows are those of the channels over the store, so a change from one to the other repeats
 * nothing.
 */
export function createLedger(documents: DocumentStore) {
  const deliveries = documents.collection<DeliveryRow>(DELIVERIES);

  const upsert = async (
    group: string,
    { channel, event_id: eventId, occurred_at: occurredAt, origin }: ChannelEvent,
    { $set, ...update }: Update,
  ): Promise<DeliveryRow | null> => {
    const row = { channel, group, eventId, occurredAt, origin, ...$set };
    const write = () =>
      deliveries.findOneAndUpdate({ _id: getDeliveryId(group, eventId) }, { ...update, $set: row }, { upsert: true });
    try {
      return await write();
    } catch (error) {
      // Another member inserted the row at this moment.
      if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
      return write();
    }
  };

  return {
    getState: async (group: string, eventId: string): Promise<"done" | "dead" | undefined> => {
      const row = await deliveries.findOne({ _id: getDeliveryId(group, eventId) });
      return row === null || row.state === "pending" ? undefined : row.state;
    },
    recordFirstFailure: (group: string, event: ChannelEvent) =>
      upsert(group, event, { $set: { handed: 1 }, $setOnInsert: toPendingRow(event) }),
    /** Counts and returns how often a handler got a message that was delivered before. */
    countRedelivery: async (group: string, event: ChannelEvent): Promise<number> =>
      (await upsert(group, event, { $inc: { handed: 1 }, $setOnInsert: toPendingRow(event) }))?.handed ?? 1,
    acknowledge: (group: string, event: ChannelEvent) => upsert(group, event, completeDelivery()),
    /** A replay is another message: `handed` begins at 0. */
    bury: (group: string, event: ChannelEvent, death: Pick<DeadLetter, "attempts" | "reason" | "diedAt">) =>
      upsert(group, event, { $set: { state: "dead", payload: event.payload, v: event.v, ...death, handed: 0 } }),
  };
}

/** A whole row, from which the channels over the store could deliver the event. */
function toPendingRow({ payload, v }: ChannelEvent): Partial<DeliveryRow> {
  return { payload, v, state: "pending", attempts: 0, dueAt: new Date() };
}

/** Returns the id of a delivery, which is also that of its dead letter. */
function getDeliveryId(group: string, eventId: string): string {
  return `${group}:${eventId}`;
}
