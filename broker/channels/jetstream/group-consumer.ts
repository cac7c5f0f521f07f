import { setTimeout as delay } from "node:timers/promises";
import type { Consumer, ConsumerMessages, JsMsg } from "nats";
import type { ChannelEvent, ChannelHandler } from "../port.ts";
import {
  backoffMs,
  DEFAULT_CONCURRENCY,
  DEFAULT_RETRIES,
  diesEachTime,
  ENDED_WITHOUT_A_WORD,
  isLast,
  reasonOf,
} from "../redelivery.ts";
import type { ChannelsReport, FailedDelivery } from "../report.ts";
import type { DeadLetterStream } from "./dead-letter-stream.ts";
import { deliveryId, type Ledger } from "./ledger.ts";
import type { Link } from "./link.ts";
import { decodeEvent } from "./message.ts";
import { ensureConsumer } from "./topology.ts";

/** A request for messages stands for so long. One whose server died is repeated after it. */
const PULL_MS = 5_000;
const PAUSE_MS = 1_000;

export interface ConsumerDeps {
  link: Link;
  ledger: Ledger;
  deadLetters: DeadLetterStream;
  report: ChannelsReport;
  ackWaitMs: number;
}

/**
 * An event in hand. `attempts` says how often a handler had it, this time included. The server counts more: what a
 * member pulled as it stopped was delivered too, and restarts must not use up an event's retries. A first delivery
 * whose process died is not known of.
 */
interface Delivery {
  message: JsMsg;
  event: ChannelEvent;
  attempts: number;
}

/**
 * One process's member of a consumer group: asks for as many events as it has room for, runs the handler, acknowledges
 * after it.
 */
export class GroupConsumer {
  readonly #channel: string;
  readonly #handler: ChannelHandler;
  readonly #deps: ConsumerDeps;
  readonly #concurrency: number;
  readonly #retries: number;
  readonly #loop: Promise<void>;
  #running = 0;
  #isStopping = false;
  #ended = Promise.withResolvers<void>();
  #pulled: ConsumerMessages | undefined;
  #consumer: { ground: number; at: Consumer } | undefined;

  constructor(channel: string, handler: ChannelHandler, deps: ConsumerDeps) {
    this.#channel = channel;
    this.#handler = handler;
    this.#deps = deps;
    this.#concurrency = handler.concurrency ?? DEFAULT_CONCURRENCY;
    this.#retries = handler.maxRetries ?? DEFAULT_RETRIES;
    this.#loop = this.#pullUntilStopped();
  }

  /** Takes nothing new; resolves when what is in the handler has ended and is acknowledged. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    void this.#pulled?.close();
    await this.#loop;
    while (this.#running > 0) await this.#ended.promise;
  }

  async #pullUntilStopped(): Promise<void> {
    while (!this.#isStopping) {
      try {
        await this.#pull();
      } catch (error) {
        if (this.#isStopping || this.#deps.link.isReleased) return;
        this.#deps.link.mistrust(error);
        await delay(PAUSE_MS);
      }
    }
  }

  async #pull(): Promise<void> {
    await this.#room();
    const consumer = await this.#ensured();
    if (this.#isStopping) return;
    this.#pulled = await consumer.fetch({ max_messages: this.#concurrency - this.#running, expires: PULL_MS });
    for await (const message of this.#pulled) {
      if (this.#isStopping) {
        message.nak();
        continue;
      }
      // There is room, but where the client repeated its request after it had lost the server.
      await this.#room();
      void this.#take(message);
    }
  }

  /** The durable consumer; looked for again when the server was away. */
  async #ensured(): Promise<Consumer> {
    const { link, ackWaitMs } = this.#deps;
    const { id } = await link.ground();
    if (this.#consumer?.ground !== id) {
      const name = await ensureConsumer(link.jsm, link.names, {
        channel: this.#channel,
        group: this.#handler.group,
        ackWaitMs,
      });
      this.#consumer = { ground: id, at: await link.js.consumers.get(link.names.events, name) };
    }
    return this.#consumer.at;
  }

  async #room(): Promise<void> {
    while (this.#running >= this.#concurrency) await this.#ended.promise;
  }

  async #take(message: JsMsg): Promise<void> {
    this.#running++;
    const stillAtIt = setInterval(() => message.working(), this.#deps.ackWaitMs / 3);
    try {
      await this.#handle(message);
    } catch (error) {
      // Neither acknowledged nor given back: it comes again when the acknowledgement is overdue.
      this.#deps.report.stuck(error);
    } finally {
      clearInterval(stillAtIt);
      this.#running--;
      this.#ended.resolve();
      this.#ended = Promise.withResolvers();
    }
  }

  async #handle(message: JsMsg): Promise<void> {
    const { ledger, link } = this.#deps;
    const { group } = this.#handler;
    const event = readable(message);
    if (!event) {
      message.term("not an event");
      this.#deps.report.unreadable({ channel: this.#channel, group, sequence: message.seq });
      return;
    }
    const known = await this.#insist(() => ledger.stateOf(group, event.event_id));
    if (known === "done" || (known === "dead" && !link.names.isReplay(message.subject))) {
      message.ack();
      return;
    }
    const delivery = {
      message,
      event,
      attempts: message.redelivered ? await this.#insist(() => ledger.handedAgain(group, event)) : 1,
    };
    if (diesEachTime({ ...delivery, retries: this.#retries })) {
      await this.#bury(delivery, new Error(ENDED_WITHOUT_A_WORD));
      return;
    }
    try {
      await this.#handler.handler(event);
    } catch (error) {
      if (isLast({ ...delivery, retries: this.#retries, error })) await this.#bury(delivery, error);
      else {
        if (!message.redelivered) await this.#insist(() => ledger.failedAtFirst(group, event));
        this.#giveBack(delivery, "comes back", error);
      }
      return;
    }
    await this.#insist(() => ledger.acknowledge(group, event));
    message.ack();
  }

  #giveBack(delivery: Delivery, outcome: FailedDelivery["outcome"], error: unknown): void {
    delivery.message.nak(backoffMs(delivery.attempts));
    this.#tell(delivery, outcome, error);
  }

  async #bury(delivery: Delivery, error: unknown): Promise<void> {
    const { message, event, attempts } = delivery;
    const { deadLetters, ledger } = this.#deps;
    const { group } = this.#handler;
    const death = { attempts, reason: reasonOf(error), diedAt: new Date() };
    // A member that was too slow may fail after another has done its work: that is not undone.
    if ((await this.#insist(() => ledger.stateOf(group, event.event_id))) === "done") {
      message.ack();
      return;
    }
    try {
      await deadLetters.add({ id: deliveryId(group, event.event_id), channel: this.#channel, group, event, ...death });
    } catch (refusal) {
      this.#giveBack(delivery, "dead letter refused", refusal);
      return;
    }
    await this.#insist(() => ledger.bury(group, event, death));
    message.term(death.reason.slice(0, 100).replaceAll(/\s+/g, " "));
    this.#tell(delivery, "dead letter", error);
  }

  #tell(
    { event: { event_id: eventId }, attempts }: Delivery,
    outcome: FailedDelivery["outcome"],
    error: unknown,
  ): void {
    this.#deps.report.failed({ channel: this.#channel, group: this.#handler.group, eventId, attempts, outcome }, error);
  }

  /** While the store is away the event stays in hand: given back, it would use up its deliveries for nothing. */
  async #insist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (this.#isStopping) throw error;
        this.#deps.report.stuck(error);
        await delay(PAUSE_MS);
      }
    }
  }
}

/** Undefined for what is no event of ours; why it is not would quote its payload. */
function readable(message: JsMsg): ChannelEvent | undefined {
  try {
    return decodeEvent(message.data);
  } catch {
    return undefined;
  }
}
