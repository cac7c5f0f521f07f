import { AckPolicy, DeliverPolicy, DiscardPolicy, ReplayPolicy, RetentionPolicy, StorageType, nanos } from "nats";
import type { JetStreamManager, NatsConnection, StreamConfig, StreamInfo } from "nats";
import { hasApiCode } from "./api-errors.ts";
import type { Names } from "./names.ts";

/** JetStream itself recognises an id within it; what repeats later, the ledger does. */
const DUPLICATE_WINDOW_MS = 120_000;
/** Deliveries of one group that are in handlers or wait to come back. */
const MAX_ACK_PENDING = 20_000;
const REPLICAS = 3;

/**
 * The two streams, made if they are not there; any number of processes may do so at once. Answers the stream of events.
 * Limits that an operator has set on a stream stay.
 */
export async function ensureStreams(nc: NatsConnection, jsm: JetStreamManager, names: Names): Promise<StreamInfo> {
  const events = await ensureStream(nc, jsm, { name: names.events, subjects: names.allEvents });
  await ensureStream(nc, jsm, { name: names.dead, subjects: [names.allDead], max_msgs_per_subject: 1 });
  return events;
}

async function ensureStream(
  nc: NatsConnection,
  jsm: JetStreamManager,
  own: Partial<StreamConfig> & { name: string },
): Promise<StreamInfo> {
  const config: Partial<StreamConfig> = {
    ...own,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // What is full refuses; the default forgets the oldest, which nobody may have read.
    discard: DiscardPolicy.New,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
  const found = await jsm.streams.info(own.name).catch(unlessApiCode("streamNotFound"));
  if (found) return raiseReplicas(nc, jsm, found);
  try {
    return await withReplicas(nc, (num_replicas) => jsm.streams.add({ ...config, num_replicas }));
  } catch (error) {
    // Another process was faster.
    if (hasApiCode(error, "streamNameTaken")) return jsm.streams.info(own.name);
    throw error;
  }
}

/** A stream that was made before there was a cluster of three gets its copies now. */
async function raiseReplicas(nc: NatsConnection, jsm: JetStreamManager, found: StreamInfo): Promise<StreamInfo> {
  if (!isClustered(nc) || found.config.num_replicas >= REPLICAS) return found;
  const raised = await jsm.streams
    .update(found.config.name, { num_replicas: REPLICAS })
    .catch(unlessApiCode("noSuitablePeers", "replicasNeedCluster"));
  return raised ?? found;
}

/** Three copies where the server has two others to put them on, one elsewhere. */
async function withReplicas<T>(nc: NatsConnection, make: (replicas: number) => Promise<T>): Promise<T> {
  if (isClustered(nc)) {
    const made = await make(REPLICAS).catch(unlessApiCode("noSuitablePeers", "replicasNeedCluster"));
    if (made !== undefined) return made;
  }
  return make(1);
}

function isClustered(nc: NatsConnection): boolean {
  return nc.info?.cluster !== undefined;
}

/**
 * The durable consumer of a group, made if it is not there. It begins with the oldest event that is kept. The server
 * sets no bound to deliveries: it would drop in silence what passes it. The bound is ours, and has a dead letter.
 */
export async function ensureConsumer(
  jsm: JetStreamManager,
  names: Names,
  { channel, group, ackWaitMs }: { channel: string; group: string; ackWaitMs: number },
): Promise<string> {
  const name = names.consumer(channel, group);
  const config = {
    durable_name: name,
    filter_subjects: [names.eventSubject(channel), names.replaySubject(channel, group)],
    deliver_policy: DeliverPolicy.All,
    replay_policy: ReplayPolicy.Instant,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ackWaitMs),
    max_ack_pending: MAX_ACK_PENDING,
    max_deliver: -1,
  };
  try {
    await jsm.consumers.add(names.events, config);
  } catch (error) {
    // Another process was faster, or it was made by another version with other numbers.
    if (!hasApiCode(error, "consumerExists", "consumerNameTaken")) throw error;
    await jsm.consumers.update(names.events, name, config);
  }
  return name;
}

function unlessApiCode(...names: Parameters<typeof hasApiCode>[1][]): (error: unknown) => undefined {
  return (error) => {
    if (!hasApiCode(error, ...names)) throw error;
    return undefined;
  };
}
