import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  nanos,
  type NatsConnection,
  ReplayPolicy,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from "nats";
import type { Names } from "./names.ts";
import { hasApiCode } from "./api-errors.ts";

/** JetStream recognises an id within it, the ledger after it. */
const DUPLICATE_WINDOW_MS = 120_000;
/** Deliveries of one group in handlers or waiting to come back. */
const MAX_ACK_PENDING = 20_000;
const REPLICAS = 3;

/** Makes the stream if it is missing, also from several processes at once. An operator's limits on it stay. */
export async function ensureStream(
  nc: NatsConnection,
  jsm: JetStreamManager,
  { events: name, allEvents: subjects }: Names,
): Promise<StreamInfo> {
  const config: Partial<StreamConfig> & { name: string } = {
    name,
    subjects,
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // A full stream refuses; by default it would forget the oldest, perhaps unread.
    discard: DiscardPolicy.New,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  };
  const existing = await jsm.streams.info(name).catch(ignoreApiCode("streamNotFound"));
  /** Undefined without two other servers for the copies. */
  const tryReplicated = async (make: () => Promise<StreamInfo>): Promise<StreamInfo | undefined> =>
    nc.info?.cluster === undefined ? undefined : make().catch(ignoreApiCode("noSuitablePeers", "replicasNeedCluster"));

  if (existing) {
    // One from before the cluster gets its copies.
    const lacksCopies = existing.config.num_replicas < REPLICAS;
    return (
      (lacksCopies && (await tryReplicated(() => jsm.streams.update(name, { num_replicas: REPLICAS })))) || existing
    );
  }
  try {
    const created = await tryReplicated(() => jsm.streams.add({ ...config, num_replicas: REPLICAS }));
    return created ?? (await jsm.streams.add({ ...config, num_replicas: 1 }));
  } catch (error) {
    if (hasApiCode(error, "streamNameTaken")) return jsm.streams.info(name);
    throw error;
  }
}

/**
 * Makes the durable consumer of a group if it is missing; it begins with the oldest kept event. Without a bound of
 * deliveries: the server would silently drop what passes it. Ours has a dead letter.
 */
export async function ensureConsumer(
  jsm: JetStreamManager,
  names: Names,
  { channel, group, ackWaitMs }: { channel: string; group: string; ackWaitMs: number },
): Promise<string> {
  const name = names.toConsumer(channel, group);
  const config = {
    durable_name: name,
    filter_subjects: [names.toEventSubject(channel), names.replaySubject(channel, group)],
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
    // Another process was faster, or another version made it with other numbers.
    if (!hasApiCode(error, "consumerExists", "consumerNameTaken")) throw error;
    await jsm.consumers.update(names.events, name, config);
  }
  return name;
}

function ignoreApiCode(...names: Parameters<typeof hasApiCode>[1][]): (error: unknown) => undefined {
  return (error) => {
    if (!hasApiCode(error, ...names)) throw error;
    return undefined;
  };
}
