import { setTimeout as delay } from "node:timers/promises";
import type { ClusterSecret } from "../../cluster-secret.ts";
import { isStoreAway, type DocumentStore } from "../../document-store/port.ts";
import { startPeriodic } from "../../periodic.ts";
import { createDeadLetters, type KeptMs, RETENTION_MS } from "../deliveries.ts";
import { computeAge, countDepth, OUTBOX, type OutboxRow } from "../outbox.ts";
import { ChannelsUnavailable, type ChannelEvent, type ChannelHandler, type Channels } from "../port.ts";
import { ACK_WAIT_MS, formatReason } from "../redelivery.ts";
import type { ChannelsReport } from "../report.ts";
import { createTurns } from "../turns.ts";
import { startGroupConsumer } from "./group-consumer.ts";
import { createLedger } from "./ledger.ts";
import { Link } from "./link.ts";
import { createNames } from "./names.ts";
import { createOutboxRelay } from "./outbox-relay.ts";
import { purgeWhatAllHave, listConsumers, getFirstUnfinished, findMessageFrom } from "./retention.ts";

const PURGE_EVERY_MS = 60 * 60 * 1000;
/** While a cluster makes consumers, it takes four seconds to list them, for which a stop would wait. */
const FIRST_PURGE_MS = 60_000;

export interface JetStreamChannelsDeps {
  documents: DocumentStore;
  /** Comma list, as in NATS_URL. */
  servers: string;
  namespace: string;
  /** Unless given, events are not signed. */
  secret?: ClusterSecret;
  /** Name of our connection at the server. */
  clientName: string;
  report: ChannelsReport;
  /** ACK_WAIT_MS unless given. */
  ackWaitMs?: number;
  /** RETENTION_MS unless given. */
  keptMs?: KeptMs;
}

/** Durable channels over NATS (docs/decisions/0015): the stores are the record, JetStream the transport. */
export function createJetStreamChannels(deps: JetStreamChannelsDeps): Channels {
  const { documents, servers, secret, clientName, report, ackWaitMs = ACK_WAIT_MS, keptMs = () => RETENTION_MS } = deps;
  const names = createNames(deps.namespace);
  const outbox = documents.collection<OutboxRow>(OUTBOX);
  const ledger = createLedger(documents);
  const deadLetters = createDeadLetters(documents);
  const handlers: [channel: string, handler: ChannelHandler][] = [];
  let session: Session | undefined;

  /** @throws ChannelsUnavailable */
  const openSession = async () => {
    const link = await Link.open({ servers, secret, clientName, names, onLoss: (error) => report.stuck(error) });
    const relay = createOutboxRelay({ link, documents, report, keptMs });
    const onError = (error: unknown): void => {
      if (!link.isReleased) report.stuck(error);
    };
    const relaying = createTurns(relay, onError);
    relaying.start();
    const purging = startPeriodic(
      { name: "channels-purge", everyMs: PURGE_EVERY_MS, run: () => purgeWhatAllHave(link, keptMs) },
      {
        documents,
        holder: clientName,
        onError: (_task, error) => onError(error),
        after: delay(FIRST_PURGE_MS, undefined, { ref: false }),
      },
    );
    const consumers: { stop(): Promise<void> }[] = [];
    return {
      link,
      relaying,
      consume: (channel: string, handler: ChannelHandler): void => {
        consumers.push(startGroupConsumer(channel, handler, { link, ledger, report, ackWaitMs }));
      },
      close: async (): Promise<void> => {
        link.release();
        await Promise.all([relaying, purging, ...consumers].map((part) => part.stop()));
        await link.close();
      },
    };
  };
  type Session = Awaited<ReturnType<typeof openSession>>;

  const ask = async <T>(question: (session: Session) => Promise<T>): Promise<T> => {
    if (!session) throw new ChannelsUnavailable("The channels are not started");
    // Without a connection each question would wait for its deadline.
    if (!session.link.isConnected) throw new ChannelsUnavailable("NATS is away");
    try {
      return await question(session);
    } catch (error) {
      throw isStoreAway(error)
        ? error
        : new ChannelsUnavailable(`NATS does not answer: ${formatReason(error)}`, { cause: error });
    }
  };

  return {
    backend: "jetstream",
    subscribe: (channel, handler) => {
      handlers.push([channel, handler]);
      // A service may be created while the others run.
      session?.consume(channel, handler);
    },
    start: async () => {
      session = await openSession();
      for (const [channel, handler] of handlers) session.consume(channel, handler);
    },
    stop: async () => {
      const ending = session;
      session = undefined;
      await ending?.close();
    },
    wake: () => session?.relaying.wake(),
    deadLetters: deadLetters.list,
    replay: (id) =>
      ask(async ({ link }) => {
        const letter = await deadLetters.find(id);
        if (!letter) return false;
        const { channel, group, event, diedAt } = letter;
        await link.publish(names.replaySubject(channel, group), event, `replay:${id}:${diedAt.getTime()}`);
        await deadLetters.revive(letter);
        return true;
      }),
    drop: deadLetters.drop,
    depth: () =>
      ask(async ({ link }) => {
        const [unrelayed, consumers, dead] = await Promise.all([
          countDepth(outbox),
          listConsumers(link),
          deadLetters.count(),
        ]);
        const since = consumers.flatMap((consumer) => {
          const from = getFirstUnfinished(consumer);
          if (from === Infinity) return [];
          return (consumer.config.filter_subjects ?? []).map(async (subject) => {
            const message = await findMessageFrom(link, from, subject);
            return message && new Date(message.json<ChannelEvent & { occurred_at: string }>().occurred_at);
          });
        });
        const oldestAgeMs = Math.max(unrelayed.outboxAgeMs, computeAge(...(await Promise.all(since))));
        const pending = consumers.reduce(
          (sum, { num_pending, num_ack_pending }) => sum + num_pending + num_ack_pending,
          0,
        );
        return { ...unrelayed, pending, dead, oldestAgeMs };
      }),
    outboxDepth: () => countDepth(outbox),
    queues: () =>
      ask(async ({ link }) =>
        (await listConsumers(link)).flatMap(({ name, config, num_pending, num_ack_pending }) => {
          const member = names.findMember(name, config.filter_subjects ?? []);
          return member ? [{ ...member, pending: num_pending + num_ack_pending }] : [];
        }),
      ),
  };
}
