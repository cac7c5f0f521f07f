import { isStoreAway, type DocumentStore } from "../../../mixins/document-store/port.ts";
import { depthOf, OUTBOX, type OutboxRow } from "../outbox.ts";
import {
  ChannelsUnavailable,
  type Channels,
  type ChannelHandler,
  type DeadLetter,
  type Depth,
  type OutboxDepth,
  type Queue,
} from "../port.ts";
import { ACK_WAIT_MS, reasonOf } from "../redelivery.ts";
import type { ChannelsReport } from "../report.ts";
import { namesFor } from "./names.ts";
import type { Session } from "./session.ts";

export interface JetStreamChannelsDeps {
  documents: DocumentStore;
  /** Comma list, as in NATS_URL. */
  servers: string;
  namespace: string;
  /** What the server calls our connection. */
  clientName: string;
  report: ChannelsReport;
  /** ACK_WAIT_MS unless given. */
  ackWaitMs?: number;
}

/**
 * Durable channels over NATS: the outbox of this process's store is relayed to a stream, from which each group takes
 * its events. The stores are the record and JetStream is the transport. The client is loaded at the start: a process
 * without NATS has none.
 */
export class JetStreamChannels implements Channels {
  readonly backend = "jetstream";
  readonly #deps: JetStreamChannelsDeps;
  readonly #handlers: { channel: string; handler: ChannelHandler }[] = [];
  #session: Session | undefined;

  constructor(deps: JetStreamChannelsDeps) {
    this.#deps = deps;
  }

  subscribe(channel: string, handler: ChannelHandler): void {
    this.#handlers.push({ channel, handler });
    // A service may be created while the others run.
    this.#session?.consume(channel, handler);
  }

  /** @throws ChannelsUnavailable */
  async start(): Promise<void> {
    const { Session } = await import("./session.ts");
    const { namespace, ackWaitMs = ACK_WAIT_MS, ...deps } = this.#deps;
    const session = await Session.open({ ...deps, ackWaitMs, names: namesFor(namespace) });
    this.#session = session;
    for (const { channel, handler } of this.#handlers) session.consume(channel, handler);
  }

  async stop(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.close();
  }

  wake(): void {
    this.#session?.wake();
  }

  deadLetters(limit = 100): Promise<DeadLetter[]> {
    return this.#ask((session) => session.deadLetters.list(limit));
  }

  replay(deadLetterId: string): Promise<boolean> {
    return this.#ask((session) => session.deadLetters.replay(deadLetterId));
  }

  drop(deadLetterId: string): Promise<boolean> {
    return this.#ask((session) => session.drop(deadLetterId));
  }

  depth(): Promise<Depth> {
    return this.#ask((session) => session.depth());
  }

  outboxDepth(): Promise<OutboxDepth> {
    return depthOf(this.#deps.documents.collection<OutboxRow>(OUTBOX));
  }

  queues(): Promise<Queue[]> {
    return this.#ask((session) => session.queues());
  }

  async #ask<T>(question: (session: Session) => Promise<T>): Promise<T> {
    if (!this.#session) throw new ChannelsUnavailable("The channels are not started");
    if (!this.#session.isConnected) throw new ChannelsUnavailable("NATS is away");
    try {
      return await question(this.#session);
    } catch (error) {
      throw isStoreAway(error)
        ? error
        : new ChannelsUnavailable(`NATS does not answer: ${reasonOf(error)}`, { cause: error });
    }
  }
}
