import { hasStoreCode, type Collection, type DocumentStore, type Update } from "../../../mixins/document-store/port.ts";
import { DELIVERIES, done, letterOf, type DeliveryRow } from "../deliveries.ts";
import type { ChannelEvent, DeadLetter } from "../port.ts";

/**
 * What each group has done with an event, kept in the store, where the effects are: a repeat is recognised for seven
 * days, also by a server that has lost its own memory of it. The rows are those of the channels over the store, so a
 * system that goes from one to the other does nothing twice.
 */
export class Ledger {
  readonly #deliveries: Collection<DeliveryRow>;

  constructor(documents: DocumentStore) {
    this.#deliveries = documents.collection<DeliveryRow>(DELIVERIES);
  }

  async stateOf(group: string, eventId: string): Promise<"done" | "dead" | undefined> {
    const row = await this.#deliveries.findOne({ _id: deliveryId(group, eventId) });
    return row === null || row.state === "pending" ? undefined : row.state;
  }

  /** A handler failed on the first delivery of a message. */
  async failedAtFirst(group: string, event: ChannelEvent): Promise<void> {
    await this.#upsert(group, event, { $set: { handed: 1 }, $setOnInsert: pending(event) });
  }

  /** A handler is given a message that was delivered before; answers how often one was by now. */
  async handedAgain(group: string, event: ChannelEvent): Promise<number> {
    return (await this.#upsert(group, event, { $inc: { handed: 1 }, $setOnInsert: pending(event) }))?.handed ?? 1;
  }

  acknowledge(group: string, event: ChannelEvent): Promise<void> {
    return this.#write(group, event, done());
  }

  bury(
    group: string,
    event: ChannelEvent,
    { attempts, reason, diedAt }: { attempts: number; reason: string; diedAt: Date },
  ): Promise<void> {
    // A replay is another message, with deliveries of its own.
    return this.#write(group, event, { state: "dead", payload: event.payload, attempts, reason, diedAt, handed: 0 });
  }

  /** Every dead letter that this store knows of. */
  async *dead(): AsyncIterable<DeadLetter> {
    for await (const row of this.#deliveries.iterate({ state: "dead" })) yield letterOf(row);
  }

  /** An operator has dropped the dead letter: for its group the event is done. */
  async dropped(deadLetterId: string): Promise<void> {
    await this.#deliveries.updateOne({ _id: deadLetterId, state: "dead" }, { $set: done() });
  }

  async #write(group: string, event: ChannelEvent, fields: Partial<DeliveryRow>): Promise<void> {
    await this.#upsert(group, event, { $set: fields });
  }

  async #upsert(
    group: string,
    { channel, event_id: eventId, occurred_at: occurredAt, origin }: ChannelEvent,
    { $set, ...update }: Update,
  ): Promise<DeliveryRow | null> {
    const row = { channel, group, eventId, occurredAt, ...(origin ? { origin } : {}), ...$set };
    const write = () =>
      this.#deliveries.findOneAndUpdate(
        { _id: deliveryId(group, eventId) },
        { ...update, $set: row },
        { upsert: true },
      );
    try {
      return await write();
    } catch (error) {
      // Another member wrote the same row at this moment: now it is there to be updated.
      if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
      return write();
    }
  }
}

/** The row is a whole one, from which the event is delivered in a system that goes over to channels over the store. */
function pending({ payload }: ChannelEvent): Pick<DeliveryRow, "payload" | "state" | "attempts" | "dueAt"> {
  return { payload, state: "pending", attempts: 0, dueAt: new Date() };
}

/** Also the id of the dead letter that the delivery may become. */
export function deliveryId(group: string, eventId: string): string {
  return `${group}:${eventId}`;
}
