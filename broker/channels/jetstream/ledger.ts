import { hasStoreCode, type DocumentStore, type Update } from "../../../mixins/document-store/port.ts";
import { DELIVERIES, done, letterOf, type DeliveryRow } from "../deliveries.ts";
import type { ChannelEvent, DeadLetter } from "../port.ts";

export type Ledger = ReturnType<typeof createLedger>;

/**
 * What each group has done with an event, kept in the store, where the effects are: a repeat is recognised for seven
 * days, even if the server has lost its own memory of it. The rows are those of the channels over the store, so a
 * system that changes from one to the other does nothing twice.
 */
export function createLedger(documents: DocumentStore) {
  const deliveries = documents.collection<DeliveryRow>(DELIVERIES);

  const upsert = async (
    group: string,
    { channel, event_id: eventId, occurred_at: occurredAt, origin }: ChannelEvent,
    { $set, ...update }: Update,
  ): Promise<DeliveryRow | null> => {
    const row = { channel, group, eventId, occurredAt, ...(origin ? { origin } : {}), ...$set };
    const write = () =>
      deliveries.findOneAndUpdate({ _id: deliveryId(group, eventId) }, { ...update, $set: row }, { upsert: true });
    try {
      return await write();
    } catch (error) {
      // Another member inserted the same row at this moment: now it can be updated.
      if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
      return write();
    }
  };

  return {
    stateOf: async (group: string, eventId: string): Promise<"done" | "dead" | undefined> => {
      const row = await deliveries.findOne({ _id: deliveryId(group, eventId) });
      return row === null || row.state === "pending" ? undefined : row.state;
    },
    /** A handler failed on the first delivery of a message. */
    failedAtFirst: (group: string, event: ChannelEvent) =>
      upsert(group, event, { $set: { handed: 1 }, $setOnInsert: pending(event) }),
    /** Counts that a handler gets a message that was delivered before; returns the count. */
    handedAgain: async (group: string, event: ChannelEvent): Promise<number> =>
      (await upsert(group, event, { $inc: { handed: 1 }, $setOnInsert: pending(event) }))?.handed ?? 1,
    acknowledge: (group: string, event: ChannelEvent) => upsert(group, event, { $set: done() }),
    /** A replay is another message, with deliveries of its own: `handed` begins at 0. */
    bury: (group: string, event: ChannelEvent, death: Pick<DeadLetter, "attempts" | "reason" | "diedAt">) =>
      upsert(group, event, { $set: { state: "dead", payload: event.payload, ...death, handed: 0 } }),
    /** Every dead letter that this store knows. */
    dead: async function* (): AsyncGenerator<DeadLetter> {
      for await (const row of deliveries.iterate({ state: "dead" })) yield letterOf(row);
    },
    /** An operator has dropped the dead letter: for its group the event is done. */
    dropped: (deadLetterId: string) => deliveries.updateOne({ _id: deadLetterId, state: "dead" }, { $set: done() }),
  };
}

/** A whole row: channels over the store would deliver the event from it. */
function pending({ payload }: ChannelEvent): Pick<DeliveryRow, "payload" | "state" | "attempts" | "dueAt"> {
  return { payload, state: "pending", attempts: 0, dueAt: new Date() };
}

/** Also the id of the dead letter that the delivery may become. */
export function deliveryId(group: string, eventId: string): string {
  return `${group}:${eventId}`;
}
