import type { DocumentStore } from "../../document-store/port.ts";
import { createDeadLetters, DELIVERIES, type DeliveryRow, type KeptMs, RETENTION_MS } from "../deliveries.ts";
import { computeAge, countDepth, OUTBOX, type OutboxRow } from "../outbox.ts";
import type { Channels } from "../port.ts";
import { ACK_WAIT_MS } from "../redelivery.ts";
import type { ChannelsReport } from "../report.ts";
import { createTurns, POLL_MS } from "../turns.ts";
import { createConsumer, type Consumer } from "./consumer.ts";
import { createRelay } from "./relay.ts";

/** Deliveries per look. If more are due, each group looks for its own: a long queue delays no other. */
const LOOKED_AT = 100;

export interface StoredChannelsDeps {
  documents: DocumentStore;
  report: ChannelsReport;
  /** ACK_WAIT_MS unless given. */
  ackWaitMs?: number;
  /** RETENTION_MS unless given. */
  keptMs?: KeptMs;
}

/**
 * Durable channels over the document store alone (docs/decisions/0003). Another process sees an event within a second,
 * this one after `wake` at once.
 */
export function createStoredChannels(deps: StoredChannelsDeps): Channels {
  const { documents, report, ackWaitMs = ACK_WAIT_MS, keptMs = () => RETENTION_MS } = deps;
  const relay = createRelay(documents, keptMs);
  const outbox = documents.collection<OutboxRow>(OUTBOX);
  const deliveries = documents.collection<DeliveryRow>(DELIVERIES);
  const deadLetters = createDeadLetters(documents);
  const consumers: Consumer[] = [];
  /** Consumers whose group may be unknown to the relay. */
  const unregistered: Consumer[] = [];

  const registerAll = async (): Promise<void> => {
    const coming = [...unregistered];
    if (coming.length === 0) return;
    await relay.register(coming);
    for (const consumer of coming) await consumer.releaseTaken();
    unregistered.splice(0, coming.length);
  };
  /** Time of the next look at the store, even without a known change. */
  let lookAt = 0;
  const move = async (): Promise<void> => {
    await registerAll();
    const members = consumers.filter((consumer) => !unregistered.includes(consumer));
    // What waits has its turn between two batches of new events.
    if (await relay.relayNew(members)) wake();
    const isTime = performance.now() >= lookAt;
    // Less than a tick, which may come early.
    if (isTime) lookAt = performance.now() + POLL_MS / 2;
    const hungry = members.filter((member) => member.isHungry(isTime));
    if (hungry.length === 0) return;
    const dueRows = await deliveries.find(
      {
        channel: { $in: [...new Set(hungry.map(({ channel }) => channel))] },
        group: { $in: [...new Set(hungry.map(({ group }) => group))] },
        state: "pending",
        dueAt: { $lte: new Date() },
      },
      { sort: { dueAt: 1 }, limit: LOOKED_AT },
    );
    for (const member of hungry) await member.look(dueRows.length < LOOKED_AT ? dueRows : undefined);
  };
  const turns = createTurns(move, (error) => report.stuck(error));
  const { wake } = turns;

  return {
    backend: "embedded",
    subscribe: (channel, handler) => {
      const consumer = createConsumer(channel, handler, { documents, report, ackWaitMs, wake });
      consumers.push(consumer);
      unregistered.push(consumer);
      // A service may be created while the others run.
      wake();
    },
    start: async () => {
      await registerAll();
      lookAt = 0;
      turns.start();
    },
    stop: async () => {
      await turns.stop();
      await Promise.all(consumers.map((consumer) => consumer.drain()));
    },
    wake,
    deadLetters: deadLetters.list,
    replay: async (id) => {
      const letter = await deadLetters.find(id);
      if (!letter) return false;
      await deadLetters.revive(letter);
      lookAt = 0;
      wake();
      return true;
    },
    drop: deadLetters.drop,
    depth: async () => {
      const [waiting, [oldest], dead] = await Promise.all([
        countDepth(outbox),
        deliveries.find({ state: "pending" }, { sort: { occurredAt: 1 }, limit: 1 }),
        deadLetters.count(),
      ]);
      const pending = oldest ? await deliveries.count({ state: "pending" }) : 0;
      return { ...waiting, pending, dead, oldestAgeMs: Math.max(waiting.outboxAgeMs, computeAge(oldest?.occurredAt)) };
    },
    outboxDepth: () => countDepth(outbox),
    queues: async () => {
      const counted = await deliveries.countBy({ state: "pending" }, ["channel", "group"]);
      const pending = new Map(counted.map(({ values, count }) => [values.join(" "), count]));
      return (await relay.groups()).map(({ channel, group }) => ({
        ...{ channel, group },
        pending: pending.get(`${channel} ${group}`) ?? 0,
      }));
    },
  };
}
