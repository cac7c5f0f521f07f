import { setTimeout as delay } from "node:timers/promises";
import type { Consumer, ConsumerMessages, JsMsg } from "nats";
import type { ChannelEvent, ChannelHandler } from "../port.ts";
import { DEFAULT_CONCURRENCY, DEFAULT_RETRIES, handleTaken, formatReason } from "../redelivery.ts";
import type { ChannelsReport, FailedDelivery } from "../report.ts";
import type { Link } from "./link.ts";
import { decodeEvent, findRefusal } from "./message.ts";
import { ensureConsumer } from "./topology.ts";
import type { Ledger } from "./ledger.ts";

/** How long a request for messages stands, milliseconds; it is repeated after that if its server died. */
const PULL_MS = 5_000;
const PAUSE_MS = 1_000;
/** Pause until an event of an unknown secret is tried again. */
const REFUSED_PAUSE_MS = 60_000;

interface ConsumerDeps {
  link: Link;
  ledger: Ledger;
  report: ChannelsReport;
  ackWaitMs: number;
}

/**
 * An event in hand. `attempts` counts a handler's runs, this one included. The server's count also has what a member
 * pulled as it stopped, and restarts must not use up retries. A first delivery whose process died is not counted.
 */
interface Delivery {
  message: JsMsg;
  event: ChannelEvent;
  attempts: number;
}

/** One process's member of a consumer group. `stop` resolves when the running handlers have ended. */
export function startGroupConsumer(
  channel: string,
  { group, handler, concurrency = DEFAULT_CONCURRENCY, maxRetries: retries = DEFAULT_RETRIES }: ChannelHandler,
  { link, ledger, report, ackWaitMs }: ConsumerDeps,
): { stop(): Promise<void> } {
  let running = 0;
  let isStopping = false;
  let ended = Promise.withResolvers<void>();
  let pulled: ConsumerMessages | undefined;
  let current: { ground: number; consumer: Consumer } | undefined;

  const waitForRoom = async (): Promise<void> => {
    while (running >= concurrency) await ended.promise;
  };

  /** The durable consumer is looked for again after the server was away. */
  const ensureDurable = async (): Promise<Consumer> => {
    const { id } = await link.ground();
    if (current?.ground !== id) {
      const name = await ensureConsumer(link.jsm, link.names, { channel, group, ackWaitMs });
      current = { ground: id, consumer: await link.js.consumers.get(link.names.events, name) };
    }
    return current.consumer;
  };

  /** Retries while the store is away: an event given back would use up its deliveries. */
  const retryWhileAway = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (isStopping) throw error;
        report.stuck(error);
        await delay(PAUSE_MS);
      }
    }
  };

  const handleFailure = (
    { event: { event_id: eventId }, attempts }: Delivery,
    outcome: FailedDelivery["outcome"],
    error: unknown,
  ): void => report.onFailed({ channel, group, eventId, attempts, outcome }, error);

  const bury = async (delivery: Delivery, error: unknown): Promise<void> => {
    const { message, event, attempts } = delivery;
    const death = { attempts, reason: formatReason(error), diedAt: new Date() };
    // A member that was too slow may fail after another has succeeded.
    if ((await retryWhileAway(() => ledger.getState(group, event.event_id))) === "done") {
      message.ack();
      return;
    }
    await retryWhileAway(() => ledger.bury(group, event, death));
    message.term(death.reason.slice(0, 100).replaceAll(/\s+/g, " "));
    handleFailure(delivery, "dead letter", error);
  };

  const handle = async (message: JsMsg): Promise<void> => {
    const refusal = findRefusal(message, link.secret);
    if (refusal) {
      report.unsigned(new Error(`It is ${refusal} (${message.subject}, ${message.seq})`));
      // The secret of a process that publishes may still come to this one.
      message.nak(REFUSED_PAUSE_MS);
      return;
    }
    const event = decodeEvent(message.data);
    if (!event) {
      message.term("not an event");
      report.onUnreadable({ channel, group, sequence: message.seq });
      return;
    }
    const state = await retryWhileAway(() => ledger.getState(group, event.event_id));
    if (state === "done" || (state === "dead" && !link.names.isReplay(message.subject))) {
      message.ack();
      return;
    }
    const attempts = message.redelivered ? await retryWhileAway(() => ledger.countRedelivery(group, event)) : 1;
    const delivery = { message, event, attempts };
    await handleTaken({
      attempts,
      retries,
      handle: () => handler(event),
      acknowledge: async () => {
        await retryWhileAway(() => ledger.acknowledge(group, event));
        message.ack();
      },
      comeBack: async (delayMs, error) => {
        if (!message.redelivered) await retryWhileAway(() => ledger.recordFirstFailure(group, event));
        message.nak(delayMs);
        handleFailure(delivery, "comes back", error);
      },
      bury: (error) => bury(delivery, error),
    });
  };

  const take = async (message: JsMsg): Promise<void> => {
    running++;
    const stillAtIt = setInterval(() => message.working(), ackWaitMs / 3);
    try {
      await handle(message);
    } catch (error) {
      // Neither acknowledged nor given back, it comes again when the acknowledgement is overdue.
      report.stuck(error);
    } finally {
      clearInterval(stillAtIt);
      running--;
      ended.resolve();
      ended = Promise.withResolvers();
    }
  };

  const pull = async (): Promise<void> => {
    await waitForRoom();
    const consumer = await ensureDurable();
    if (isStopping) return;
    pulled = await consumer.fetch({ max_messages: concurrency - running, expires: PULL_MS });
    for await (const message of pulled) {
      if (isStopping) {
        message.nak();
        continue;
      }
      // There is no room only if the client repeated its request after a loss of the server.
      await waitForRoom();
      void take(message);
    }
  };

  const pullUntilStopped = async (): Promise<void> => {
    while (!isStopping) {
      try {
        await pull();
      } catch (error) {
        if (isStopping || link.isReleased) return;
        link.mistrust(error);
        await delay(PAUSE_MS);
      }
    }
  };

  const loop = pullUntilStopped();
  return {
    stop: async () => {
      isStopping = true;
      void pulled?.close();
      await loop;
      while (running > 0) await ended.promise;
    },
  };
}
