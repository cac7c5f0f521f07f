/**
 * Durable channels: what must not be lost. An event is written to the outbox in the same atomic batch as the state that
 * causes it, relayed from there to every consumer group, and delivered to each group until its handler resolves.
 *
 * Promises, the same on every adapter: delivery at least once to each group, also to one that subscribes days later;
 * a handler that throws is tried again with growing delays, after `maxRetries` retries the event is a dead letter with
 * the reason; the same event id is not handed twice to a group that has acknowledged it. Order is not promised.
 * Acknowledgements are remembered, and events kept for groups that come later, for seven days.
 */

export interface ChannelEvent<P = Record<string, unknown>> {
  v: 1;
  event_id: string;
  channel: string;
  occurred_at: Date;
  payload: P;
  /** Absent where nobody's request caused it. */
  origin?: EventOrigin;
}

/** The request that caused an event: for logs and traces, and for nothing else. */
export interface EventOrigin {
  request_id: string;
  /** Of the span in which the event was written, where that request is traced. */
  traceparent?: string;
}

export interface ChannelHandler<P = Record<string, unknown>> {
  /** Consumer group: each event is handled by one member of it. */
  group: string;
  /**
   * Deliveries after the first before the event becomes a dead letter; 22 unless given, the last some ten minutes
   * after the first. Infinity where the handler itself decides, by throwing `GivenUp`.
   */
  maxRetries?: number;
  /** Events in the handler at once in this process; 8 unless given. */
  concurrency?: number;
  /** Resolves when the effect is durable. It must be harmless to repeat: after a crash it is. */
  handler: (event: ChannelEvent<P>) => Promise<void>;
}

/** What a service's schema holds under `channels`; with `Events`, each handler gets the payload of its event. */
export type ChannelHandlers<Events = Record<string, Record<string, unknown>>> = {
  [Channel in keyof Events]?: ChannelHandler<Events[Channel]>;
};

export interface DeadLetter {
  id: string;
  channel: string;
  group: string;
  event: ChannelEvent;
  attempts: number;
  reason: string;
  diedAt: Date;
}

export interface Channels {
  readonly backend: "embedded" | "jetstream";
  /** Registers a consumer; the group is remembered, so events that come while no member runs wait for it. */
  subscribe(channel: string, handler: ChannelHandler): void;
  /** Starts relaying and delivering. @throws ChannelsUnavailable */
  start(): Promise<void>;
  /** Finishes what is in handlers, takes nothing new. */
  stop(): Promise<void>;
  /** A hint that the outbox has something new; without it, it is looked at once a second. */
  wake(): void;
  /** The oldest first; 100 unless given. This and what follows @throws ChannelsUnavailable while NATS is away. */
  deadLetters(limit?: number): Promise<DeadLetter[]>;
  /** Hands a dead letter to its group again, with its attempts counted from nothing. */
  replay(deadLetterId: string): Promise<boolean>;
  drop(deadLetterId: string): Promise<boolean>;
  depth(): Promise<Depth>;
  /** That alone of it which this process's store tells, also while NATS is away. */
  outboxDepth(): Promise<OutboxDepth>;
  /**
   * What waits for each group, as far as it is known here: over NATS of the whole system, else of this process's store.
   */
  queues(): Promise<Queue[]>;
}

/** Events of this process's store that are not relayed yet. */
export interface OutboxDepth {
  outbox: number;
  /** Age of the oldest, from when it happened; 0 when there is none. */
  outboxAgeMs: number;
}

/**
 * What waits. `outbox` is of this process's store. `pending` (for any group, one in a handler included) and `dead` are
 * of that store too, and over NATS of the whole system: every process tells the same number, so the largest is true and
 * not the sum.
 */
export interface Depth extends OutboxDepth {
  pending: number;
  dead: number;
  /** Age of the oldest event that waits, from when it happened; 0 when none does. */
  oldestAgeMs: number;
}

export interface Queue {
  channel: string;
  group: string;
  /** Those in a handler included. */
  pending: number;
}

/**
 * Thrown by a handler whose event another delivery cannot help: it becomes a dead letter
 * at once, with this message as the reason.
 */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
  readonly code = "GIVEN_UP";
}

/** The transport cannot be used; the message says why in words for the operator, without its address. */
export class ChannelsUnavailable extends Error {
  override readonly name = "ChannelsUnavailable";
}
