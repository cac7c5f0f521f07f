import type { Collection, DocumentStore } from "../../../mixins/document-store/port.ts";
import { DELIVERIES, done, letterOf, type DeliveryRow } from "../deliveries.ts";
import { ageOf, depthOf, OUTBOX, type OutboxRow } from "../outbox.ts";
import type { ChannelHandler, Channels, DeadLetter, Depth, OutboxDepth, Queue } from "../port.ts";
import { ACK_WAIT_MS } from "../redelivery.ts";
import type { ChannelsReport } from "../report.ts";
import { Turns } from "../turns.ts";
import { Consumer } from "./consumer.ts";
import { Relay } from "./relay.ts";

/**
 * Deliveries that one look asks for. Where more are due, each group looks for its own: a long queue of one keeps none
 * from the others.
 */
const LOOKED_AT = 100;

export interface StoredChannelsDeps {
  documents: DocumentStore;
  report: ChannelsReport;
  /** ACK_WAIT_MS unless given. */
  ackWaitMs?: number;
}

/**
 * Durable channels over the document store alone: in one process with the embedded store, in several over one MongoDB.
 * What one process writes, another sees within a second; within a process `wake` makes it at once.
 */
export class StoredChannels implements Channels {
  readonly backend = "embedded";
  readonly #relay: Relay;
  readonly #consumers: Consumer[] = [];
  /** Those whose group the relay may not know yet. */
  readonly #unregistered: Consumer[] = [];
  readonly #outbox: Collection<OutboxRow>;
  readonly #deliveries: Collection<DeliveryRow>;
  readonly #deps: StoredChannelsDeps;
  readonly #turns: Turns;

  constructor(deps: StoredChannelsDeps) {
    this.#deps = deps;
    this.#relay = new Relay(deps.documents);
    this.#outbox = deps.documents.collection<OutboxRow>(OUTBOX);
    this.#deliveries = deps.documents.collection<DeliveryRow>(DELIVERIES);
    this.#turns = new Turns(
      () => this.#move(),
      (error) => deps.report.stuck(error),
    );
  }

  subscribe(channel: string, handler: ChannelHandler): void {
    const consumer = new Consumer(channel, handler, { ackWaitMs: ACK_WAIT_MS, ...this.#deps, wake: () => this.wake() });
    this.#consumers.push(consumer);
    this.#unregistered.push(consumer);
    // A service may be created while the others run.
    this.wake();
  }

  async start(): Promise<void> {
    await this.#registerAll();
    this.#turns.start();
  }

  async stop(): Promise<void> {
    await this.#turns.stop();
    await Promise.all(this.#consumers.map((consumer) => consumer.drain()));
  }

  wake(): void {
    this.#turns.wake();
  }

  async deadLetters(limit = 100): Promise<DeadLetter[]> {
    const rows = await this.#deliveries.find({ state: "dead" }, { sort: { occurredAt: 1 }, limit });
    return rows.map(letterOf);
  }

  async replay(deadLetterId: string): Promise<boolean> {
    const { matched } = await this.#deliveries.updateOne(
      { _id: deadLetterId, state: "dead" },
      { $set: { state: "pending", attempts: 0, dueAt: new Date() } },
    );
    this.wake();
    return matched > 0;
  }

  async drop(deadLetterId: string): Promise<boolean> {
    const { matched } = await this.#deliveries.updateOne({ _id: deadLetterId, state: "dead" }, { $set: done() });
    return matched > 0;
  }

  async depth(): Promise<Depth> {
    const [waiting, [oldestDelivery], dead] = await Promise.all([
      this.outboxDepth(),
      this.#deliveries.find({ state: "pending" }, { sort: { occurredAt: 1 }, limit: 1 }),
      this.#deliveries.count({ state: "dead" }),
    ]);
    const pending = oldestDelivery ? await this.#deliveries.count({ state: "pending" }) : 0;
    return { ...waiting, pending, dead, oldestAgeMs: Math.max(waiting.outboxAgeMs, ageOf(oldestDelivery?.occurredAt)) };
  }

  outboxDepth(): Promise<OutboxDepth> {
    return depthOf(this.#outbox);
  }

  async queues(): Promise<Queue[]> {
    const groups = await this.#relay.groups();
    const isIdle = (await this.#deliveries.find({ state: "pending" }, { limit: 1 })).length === 0;
    return Promise.all(
      groups.map(async (group) => ({
        ...group,
        pending: isIdle ? 0 : await this.#deliveries.count({ ...group, state: "pending" }),
      })),
    );
  }

  async #registerAll(): Promise<void> {
    const coming = [...this.#unregistered];
    if (coming.length === 0) return;
    await this.#relay.register(coming);
    for (const consumer of coming) await consumer.releaseTaken();
    this.#unregistered.splice(0, coming.length);
  }

  async #move(): Promise<void> {
    await this.#registerAll();
    await this.#relay.relayNew();
    if (this.#consumers.length === 0) return;
    const due = await this.#deliveries.find(
      {
        channel: { $in: this.#named(({ channel }) => channel) },
        group: { $in: this.#named(({ group }) => group) },
        state: "pending",
        dueAt: { $lte: new Date() },
      },
      { sort: { dueAt: 1 }, limit: LOOKED_AT },
    );
    for (const consumer of this.#consumers) {
      if (due.length < LOOKED_AT) consumer.begin(due);
      else await consumer.poll();
    }
  }

  #named(nameOf: (consumer: Consumer) => string): string[] {
    return [...new Set(this.#consumers.map(nameOf))];
  }
}
