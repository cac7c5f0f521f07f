/**
 * Durable channels. An event is written to the outbox in the same atomic batch as the state that causes it, relayed to
 * every consumer group, and delivered to each until its handler resolves.
 *
 * Promises of every adapter: at least one delivery to each group, also to one that subscribes days later; a handler
 * that throws is tried again with growing delays, after `maxRetries` retries the event is a dead letter with the
 * reason; a group does not get an event id again that it has acknowledged. Order is not promised. Acknowledgements are
 * kept for seven days, and so are events for later groups, unless the contract has another `keptMs`.
 */

export interface ChannelEvent<P = Record<string, unknown>> {
  /** Version of the payload, as the contract numbers it; a higher one adds fields. */
  v: number;
  event_id: string;
  channel: string;
  occurred_at: Date;
  payload: P;
  /** Absent if no request caused it. */
  origin?: EventOrigin;
}

/** The request that caused an event, for logs and traces. */
export interface EventOrigin {
  request_id: string;
  /** Traceparent of the span in which the event was written. */
  traceparent?: string;
}

export interface ChannelHandler<P = Record<string, unknown>> {
  /** Each event is handled by one member of the group. */
  group: string;
  /**
   * Deliveries after the first before the event is a dead letter; 22 unless given. Infinity: the handler decides, by
   * `GivenUp`.
   */
  maxRetries?: number;
  /** Events in the handler at once in this process; 8 unless given. */
  concurrency?: number;
  /** Resolves when the effect is durable. Must be harmless to repeat, for example after a crash. */
  handler: (event: ChannelEvent<P>) => Promise<void>;
}

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
  /** The group is remembered: events wait for it while no member runs. */
  subscribe(channel: string, handler: ChannelHandler): void;
  /** Starts relaying and delivering. @throws ChannelsUnavailable */
  start(): Promise<void>;
  /** Takes nothing new and finishes what is in handlers. */
  stop(): Promise<void>;
  /** Hints at something new in the outbox; it is looked at once a second anyway. */
  wake(): void;
  /** The oldest first; 100 unless given. */
  deadLetters(limit?: number): Promise<DeadLetter[]>;
  drop(deadLetterId: string): Promise<boolean>;
  /**
   * Hands a dead letter to its group again, its attempts counted from zero. From here on every operation
   * @throws ChannelsUnavailable while NATS is away.
   */
  replay(deadLetterId: string): Promise<boolean>;
  depth(): Promise<Depth>;
  /** The part that this process's store knows, also while NATS is away. */
  outboxDepth(): Promise<OutboxDepth>;
  /** Returns the queues of the whole system (over NATS) or of this process's store. */
  queues(): Promise<Queue[]>;
}

/** Events of this process's store that are not relayed yet. */
export interface OutboxDepth {
  outbox: number;
  /** Age of the oldest event; 0 without one. */
  outboxAgeMs: number;
}

/**
 * Depth of this process's store; over NATS, `pending` (for any group, handlers included) is of the whole system. Of
 * several processes the largest number is true, not the sum.
 */
export interface Depth extends OutboxDepth {
  pending: number;
  dead: number;
  /** Age of the oldest waiting event; 0 without one. */
  oldestAgeMs: number;
}

interface Queue {
  channel: string;
  group: string;
  /** Handlers included. */
  pending: number;
}

/** Thrown by a handler if retries cannot help: the event is a dead letter at once, with this message as the reason. */
export class GivenUp extends Error {
  override readonly name = "GivenUp";
  readonly code = "GIVEN_UP";
}

/** The transport cannot be used; the message is for the operator and holds no address. */
export class ChannelsUnavailable extends Error {
  override readonly name = "ChannelsUnavailable";
}
