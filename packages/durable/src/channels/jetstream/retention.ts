import type { ConsumerInfo, StoredMsg } from "nats";
import type { KeptMs } from "../deliveries.ts";
import { hasApiCode } from "./api-errors.ts";
import type { Link } from "./link.ts";

/**
 * Removes events that were kept long enough and that every group of their channel has: an age limit of the stream would
 * drop what an absent group has not seen.
 */
export async function purgeWhatAllHave(link: Link, keptMs: KeptMs, now = Date.now()): Promise<void> {
  const { jsm, names } = link;
  const { state } = await jsm.streams.info(names.events, { subjects_filter: ">" });
  const consumers = await listConsumers(link);
  const recents = new Map<number, number>();
  for (const subject of Object.keys(state.subjects ?? {})) {
    const retentionMs = keptMs(names.toChannel(subject));
    const recent = recents.get(retentionMs) ?? (await findFirstSequenceSince(link, new Date(now - retentionMs), state));
    recents.set(retentionMs, recent);
    // As a stream is made its first place is 0, before which the server would remove all.
    if (recent <= state.first_seq) continue;
    const floors = consumers.filter(({ config }) => config.filter_subjects?.includes(subject)).map(getFirstUnfinished);
    await jsm.streams.purge(names.events, { filter: subject, seq: Math.min(recent, ...floors) });
  }
}

/** The groups' consumers: those that another program made of the stream are not waited for. */
export async function listConsumers({ jsm, names }: Link): Promise<ConsumerInfo[]> {
  const consumers: ConsumerInfo[] = [];
  for await (const consumer of jsm.consumers.list(names.events))
    if (names.isGroup(consumer.name)) consumers.push(consumer);
  return consumers;
}

/** The group has acknowledged or given up everything before this place. */
export function getFirstUnfinished({ num_pending, num_ack_pending, ack_floor }: ConsumerInfo): number {
  return num_pending + num_ack_pending === 0 ? Infinity : ack_floor.stream_seq + 1;
}

/** The first message from a place on. */
export async function findMessageFrom(
  { jsm, names }: Link,
  sequence: number,
  subject: string,
): Promise<StoredMsg | undefined> {
  const query = { seq: sequence, next_by_subj: subject };
  try {
    return await jsm.streams.getMessage(names.events, query);
  } catch (error) {
    if (hasApiCode(error, "noMessage")) return undefined;
    throw error;
  }
}

async function findFirstSequenceSince(
  link: Link,
  since: Date,
  { first_seq, last_seq }: { first_seq: number; last_seq: number },
): Promise<number> {
  let low = first_seq;
  let high = last_seq + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const message = await findMessageFrom(link, middle, ">");
    if (message && message.time < since) low = message.seq + 1;
    else high = middle;
  }
  return low;
}
