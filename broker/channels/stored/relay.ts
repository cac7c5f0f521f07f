import type {
  BulkOperation,
  Collection,
  CollectionDefinition,
  Document,
  DocumentStore,
} from "../../../mixins/document-store/port.ts";
import { DELIVERIES, RETENTION_MS, type DeliveryRow } from "../deliveries.ts";
import { OUTBOX, type OutboxRow } from "../outbox.ts";

const BATCH = 200;

/** A consumer group that an event of a channel is handed to. */
export interface GroupRow extends Document {
  channel: string;
  group: string;
  /** It has got what the outbox kept when it came; absent when the process died before that. */
  caughtUp?: true;
}

export const GROUPS: CollectionDefinition = {
  name: "channel_groups",
  fields: { channel: "string", group: "string", caughtUp: "boolean" },
};

type ChannelGroup = Pick<GroupRow, "channel" | "group">;

/**
 * Moves events from the outbox to every group of their channel. Any number of processes may relay at once: a delivery
 * has one id for each group and event, so a repeat changes nothing.
 */
export class Relay {
  readonly #outbox: Collection<OutboxRow>;
  readonly #groups: Collection<GroupRow>;
  readonly #deliveries: Collection<DeliveryRow>;

  constructor(documents: DocumentStore) {
    this.#outbox = documents.collection<OutboxRow>(OUTBOX);
    this.#groups = documents.collection<GroupRow>(GROUPS);
    this.#deliveries = documents.collection<DeliveryRow>(DELIVERIES);
  }

  /** Remembers groups; one that is new gets what the outbox still keeps of its channel. Harmless to repeat. */
  async register(groups: readonly ChannelGroup[]): Promise<void> {
    const known = new Set((await this.#groups.find({ caughtUp: true })).map(({ _id }) => _id));
    await Promise.all(groups.filter((group) => !known.has(idOf(group))).map((group) => this.#registerNew(group)));
  }

  async #registerNew({ channel, group }: ChannelGroup): Promise<void> {
    const _id = idOf({ channel, group });
    const row = await this.#groups.findOneAndUpdate({ _id }, { $setOnInsert: { channel, group } }, { upsert: true });
    if (row?.caughtUp) return;
    let batch: OutboxRow[] = [];
    for await (const row of this.#outbox.iterate({ channel })) {
      batch.push(row);
      if (batch.length === BATCH) {
        await this.#deliver(batch, [{ channel, group }]);
        batch = [];
      }
    }
    await this.#deliver(batch, [{ channel, group }]);
    await this.#groups.updateOne({ _id }, { $set: { caughtUp: true } });
  }

  /** All that are known, whichever process they run in. */
  async groups(): Promise<ChannelGroup[]> {
    return (await this.#groups.find({})).map(({ channel, group }) => ({ channel, group }));
  }

  /** Relays what is new and answers how many events that were. */
  async relayNew(): Promise<number> {
    let relayed = 0;
    for (;;) {
      // Rows before groups: a group that registers in between finds the rows itself.
      const rows = await this.#outbox.find({ state: "new" }, { sort: { occurredAt: 1 }, limit: BATCH, durable: true });
      if (rows.length === 0) return relayed;
      await this.#deliver(rows, await this.#groups.find({}));
      const expiresAt = new Date(Date.now() + RETENTION_MS);
      await this.#outbox.bulkWrite(
        rows.map(({ _id }) => ({ updateOne: { filter: { _id }, update: { $set: { state: "relayed", expiresAt } } } })),
      );
      relayed += rows.length;
      if (rows.length < BATCH) return relayed;
    }
  }

  async #deliver(rows: OutboxRow[], groups: ChannelGroup[]): Promise<void> {
    const dueAt = new Date();
    const writes = rows.flatMap((row): BulkOperation<DeliveryRow>[] =>
      groups
        .filter((group) => group.channel === row.channel)
        .map(({ channel, group }) => ({
          updateOne: {
            filter: { _id: `${group}:${row._id}` },
            update: {
              $setOnInsert: {
                channel,
                group,
                eventId: row._id,
                occurredAt: row.occurredAt,
                payload: row.payload,
                ...(row.origin ? { origin: row.origin } : {}),
                state: "pending",
                attempts: 0,
                dueAt,
              },
            },
            upsert: true,
          },
        })),
    );
    if (writes.length === 0) return;
    for (const result of await this.#deliveries.bulkWrite(writes)) {
      // Two relays that insert the same delivery at once: it is there, which is what was wanted.
      if (!result.ok && result.error.code !== "DUPLICATE_KEY") throw result.error;
    }
  }
}

function idOf({ channel, group }: ChannelGroup): string {
  return `${channel}:${group}`;
}
