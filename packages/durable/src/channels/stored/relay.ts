import type { BulkItemResult, CollectionDefinition, Document, DocumentStore } from "../../document-store/port.ts";
import { DELIVERIES, type DeliveryRow, type KeptMs } from "../deliveries.ts";
import { OUTBOX, type OutboxRow } from "../outbox.ts";
import type { Consumer } from "./consumer.ts";

const BATCH = 200;

export interface GroupRow extends Document {
  channel: string;
  group: string;
  /** True once the group has what the outbox kept when it was registered. */
  caughtUp?: true;
}

export const GROUPS: CollectionDefinition = {
  name: "channel_groups",
  fields: { channel: "string", group: "string", caughtUp: "boolean" },
};

type ChannelGroup = Pick<GroupRow, "channel" | "group">;

/**
 * Moves events from the outbox to every group of their channel. Any number of processes may relay at once: a delivery's
 * id is group and event, so a repeat changes nothing.
 */
export function createRelay(documents: DocumentStore, keptMs: KeptMs) {
  const outbox = documents.collection<OutboxRow>(OUTBOX);
  const groups = documents.collection<GroupRow>(GROUPS);
  const deliveries = documents.collection<DeliveryRow>(DELIVERIES);

  /** @param members take what they have room for in the write that stores it */
  const deliver = async (rows: OutboxRow[], to: ChannelGroup[], members: readonly Consumer[] = []): Promise<void> => {
    const dueAt = new Date();
    const coming = rows.flatMap(({ _id: eventId, channel, occurredAt, payload, v, origin }) =>
      to
        .filter((member) => member.channel === channel)
        .map(({ group }) => {
          const taker = members.find(
            (member) => member.channel === channel && member.group === group && member.reserve(),
          );
          const row: DeliveryRow = {
            _id: `${group}:${eventId}`,
            ...{ channel, group, eventId, occurredAt, payload, v, origin },
            state: "pending",
            ...(taker ? { attempts: 1, dueAt: taker.heldUntil() } : { attempts: 0, dueAt }),
          };
          return { row, taker };
        }),
    );
    if (coming.length === 0) return;
    let results: BulkItemResult[] = [];
    try {
      results = await deliveries.bulkWrite(
        coming.map(({ row: { _id, ...row } }) => ({
          updateOne: { filter: { _id }, update: { $setOnInsert: row }, upsert: true },
        })),
      );
    } finally {
      for (const [index, { row, taker }] of coming.entries()) {
        const result = results[index];
        taker?.begin(result?.ok && result.upsertedId !== undefined ? row : undefined);
      }
    }
    for (const result of results) {
      // Two relays inserted the same delivery at once.
      if (!result.ok && result.error.code !== "DUPLICATE_KEY") throw result.error;
    }
  };

  const registerNew = async ({ channel, group }: ChannelGroup): Promise<void> => {
    const _id = toGroupId({ channel, group });
    const existing = await groups.findOneAndUpdate({ _id }, { $setOnInsert: { channel, group } }, { upsert: true });
    if (existing?.caughtUp) return;
    let batch: OutboxRow[] = [];
    for await (const row of outbox.iterate({ channel })) {
      batch.push(row);
      if (batch.length < BATCH) continue;
      await deliver(batch, [{ channel, group }]);
      batch = [];
    }
    await deliver(batch, [{ channel, group }]);
    await groups.updateOne({ _id }, { $set: { caughtUp: true } });
  };

  return {
    /** Remembers groups; a new one gets what the outbox still keeps. Harmless to repeat. */
    register: async (coming: readonly ChannelGroup[]): Promise<void> => {
      const caughtUpIds = new Set((await groups.find({ caughtUp: true })).map(({ _id }) => _id));
      await Promise.all(coming.filter((group) => !caughtUpIds.has(toGroupId(group))).map(registerNew));
    },
    groups: async (): Promise<ChannelGroup[]> =>
      (await groups.find({})).map(({ channel, group }) => ({ channel, group })),
    /** Moves the oldest new events. @returns whether there may be more */
    relayNew: async (members: readonly Consumer[]): Promise<boolean> => {
      // Rows before groups: a group that registers in between finds them itself.
      const rows = await outbox.find({ state: "new" }, { sort: { occurredAt: 1 }, limit: BATCH, durable: true });
      if (rows.length === 0) return false;
      await deliver(rows, await groups.find({}), members);
      const createRelayFilter = (channel: string) => ({
        $set: { state: "relayed", expiresAt: new Date(Date.now() + keptMs(channel)) },
      });
      await outbox.bulkWrite(
        rows.map(({ _id, channel }) => ({ updateOne: { filter: { _id }, update: createRelayFilter(channel) } })),
      );
      return rows.length === BATCH;
    },
  };
}

function toGroupId({ channel, group }: ChannelGroup): string {
  return `${channel}:${group}`;
}
