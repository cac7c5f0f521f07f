import { hasStoreCode, type Collection, type DocumentStore } from "../../../mixins/document-store/port.ts";
import type { ChannelEvent, DeadLetter } from "../port.ts";
import { DELIVERIES, letterOf, RETENTION_MS, type DeliveryRow } from "../stored/collections.ts";

/**
 * What each group has done with an event, kept in the store, where the effects are: a repeat is recognised for seven days, also by
 * a server that has lost its own memory of it. The rows are those of the channels over the store, so a system that goes from one
 * to the other does nothing twice.
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

  acknowledge(group: string, event: ChannelEvent): Promise<void> {
    return this.#write(group, event, { state: "done", expiresAt: new Date(Date.now() + RETENTION_MS) });
  }

  bury(group: string, event: ChannelEvent, { attempts, reason, diedAt }: { attempts: number; reason: string; diedAt: Date }): Promise<void> {
    return this.#write(group, event, { state: "dead", payload: event.payload, attempts, reason, diedAt });
  }

  /** Every dead letter that this store knows of. */
  async *dead(): AsyncIterable<DeadLetter> {
    for await (const row of this.#deliveries.iterate({ state: "dead" })) yield letterOf(row);
  }

  /** An operator has dropped the dead letter: for its group the event is done. */
  async dropped(deadLetterId: string): Promise<void> {
    await this.#deliveries.updateOne({ _id: deadLetterId, state: "dead" }, { $set: { state: "done", expiresAt: new Date(Date.now() + RETENTION_MS) } });
  }

  async #write(group: string, event: ChannelEvent, fields: Partial<DeliveryRow>): Promise<void> {
    const { channel, event_id: eventId, occurred_at: occurredAt } = event;
    const row = { channel, group, eventId, occurredAt, ...fields };
    const write = () => this.#deliveries.updateOne({ _id: deliveryId(group, eventId) }, { $set: row }, { upsert: true });
    try {
      await write();
    } catch (error) {
      // Another member wrote the same row at this moment: now it is there to be updated.
      if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
      await write();
    }
  }
}

/** Also the id of the dead letter that the delivery may become. */
export function deliveryId(group: string, eventId: string): string {
  return `${group}:${eventId}`;
}
