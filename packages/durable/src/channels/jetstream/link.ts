import { setTimeout as delay } from "node:timers/promises";
import {
  connect,
  ErrorCode,
  Events,
  headers,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
  type NatsError,
  type PubAck,
} from "nats";
import { waitAtMost } from "@partline/toolkit";
import { parseNatsServers, STAY_CONNECTED } from "../../nats-servers.ts";
import type { ClusterSecret } from "../../cluster-secret.ts";
import { ChannelsUnavailable, type ChannelEvent } from "../port.ts";
import { formatReason } from "../redelivery.ts";
import { hasApiCode } from "./api-errors.ts";
import { ensureStream } from "./topology.ts";
import { encodeEvent, SIGNATURE_HEADER } from "./message.ts";
import type { Names } from "./names.ts";

/** A starting cluster needs some seconds to find its leader. */
const START_MS = 15_000;
const RETRY_MS = 500;
const REQUEST_MS = 5_000;
const FLUSH_MS = 2_000;

/** The stream of events as found; looked up again after each loss of the connection. */
export interface Ground {
  /** New at each look. */
  id: number;
  /** Time of the stream's creation: a new one has none of the published events. */
  createdAt: string;
  firstSequence: number;
}

interface LinkOptions {
  servers: string;
  secret?: ClusterSecret | undefined;
  clientName: string;
  names: Names;
  /** Called once for each loss of the server. */
  onLoss: (error: unknown) => void;
}

export class Link {
  readonly nc: NatsConnection;
  readonly jsm: JetStreamManager;
  readonly js: JetStreamClient;
  readonly names: Names;
  readonly secret: ClusterSecret | undefined;
  readonly #onLoss: (error: unknown) => void;
  readonly #releasing = new AbortController();
  #ground: Ground | undefined;
  #looking: Promise<Ground> | undefined;
  #looks = 0;
  isConnected = true;

  private constructor(nc: NatsConnection, jsm: JetStreamManager, { names, secret, onLoss }: LinkOptions) {
    this.nc = nc;
    this.jsm = jsm;
    this.js = nc.jetstream({ timeout: REQUEST_MS });
    this.names = names;
    this.secret = secret;
    this.#onLoss = onLoss;
    void this.#watch();
  }

  /** @throws ChannelsUnavailable */
  static async open(options: LinkOptions): Promise<Link> {
    let nc: NatsConnection | undefined;
    try {
      nc = await connect({
        ...parseNatsServers(options.servers),
        ...STAY_CONNECTED,
        name: options.clientName,
        reconnectTimeWait: RETRY_MS,
        timeout: REQUEST_MS,
      });
      const link = new Link(nc, await nc.jetstreamManager({ checkAPI: false, timeout: REQUEST_MS }), options);
      await link.#lookFirst();
      return link;
    } catch (error) {
      await nc?.close();
      throw toUnavailable(error);
    }
  }

  /** Sends an event to the stream, signed. The stream takes an id once. */
  publish(subject: string, event: ChannelEvent, msgID: string): Promise<PubAck> {
    const data = encodeEvent(event);
    const signature = this.secret?.sign?.(`${subject}\0`, data);
    const signed = signature && headers();
    signed?.set(SIGNATURE_HEADER, signature!.toString("base64url"));
    return this.js.publish(subject, data, { msgID, headers: signed, expect: { streamName: this.names.events } });
  }

  /** Resolves when the server is there with its stream. @throws if the link is released meanwhile */
  ground(): Promise<Ground> {
    if (this.#ground) return Promise.resolve(this.#ground);
    this.#looking ??= this.#lookUntilFound().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Makes `ground` look again. */
  mistrust(error: unknown): void {
    if (!this.#ground) return;
    this.#ground = undefined;
    if (!this.isReleased) this.#onLoss(error);
  }

  get isReleased(): boolean {
    return this.#releasing.signal.aborted;
  }

  /** Ends the wait for `ground`. The connection stays for running handlers. */
  release(): void {
    this.#releasing.abort(new Error("The channels are stopped"));
  }

  async close(): Promise<void> {
    this.release();
    // Acknowledgements are on their way; an absent server would never confirm them.
    if (this.isConnected) await waitAtMost(this.nc.flush(), FLUSH_MS);
    await this.nc.close();
  }

  async #watch(): Promise<void> {
    for await (const { type } of this.nc.status()) {
      if (type === Events.Disconnect) {
        this.isConnected = false;
        this.mistrust(new Error("NATS is away; events wait in the outbox"));
      }
      if (type === Events.Reconnect) this.isConnected = true;
    }
  }

  async #lookFirst(): Promise<void> {
    const deadline = performance.now() + START_MS;
    for (;;) {
      try {
        this.#ground = await this.#look();
        return;
      } catch (error) {
        if (isJetStreamMissing(error) || performance.now() > deadline) throw error;
        await delay(RETRY_MS);
      }
    }
  }

  async #lookUntilFound(): Promise<Ground> {
    let hasReported = false;
    for (;;) {
      this.#releasing.signal.throwIfAborted();
      try {
        if (this.isConnected) return (this.#ground = await this.#look());
      } catch (error) {
        if (!hasReported) this.#onLoss(error);
        hasReported = true;
      }
      await delay(RETRY_MS, undefined, { signal: this.#releasing.signal });
    }
  }

  async #look(): Promise<Ground> {
    const { created, state } = await ensureStream(this.nc, this.jsm, this.names);
    return { id: ++this.#looks, createdAt: created, firstSequence: state.first_seq };
  }
}

/** A server without JetStream says so; a starting cluster does not answer yet. */
function isJetStreamMissing(error: unknown): boolean {
  return (
    hasApiCode(error, "notEnabled", "notEnabledForAccount") ||
    (error as Partial<NatsError>).code === ErrorCode.NoResponders
  );
}

function toUnavailable(error: unknown): ChannelsUnavailable {
  const why = isJetStreamMissing(error)
    ? "the server has no JetStream, which durable events need (nats-server: -js)"
    : `durable events cannot use it: ${formatReason(error)}`;
  return new ChannelsUnavailable(why, { cause: error });
}
