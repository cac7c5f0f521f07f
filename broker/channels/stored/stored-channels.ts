import type { Collection, DocumentStore } from "../../../mixins/document-store/port.ts";
import { OUTBOX, type OutboxRow } from "../outbox.ts";
import type { ChannelHandler, Channels, DeadLetter } from "../port.ts";
import { DELIVERIES, type DeliveryRow } from "./collections.ts";
import { Consumer, eventOf, type ConsumerReport } from "./consumer.ts";
import { Relay } from "./relay.ts";

const POLL_MS = 1_000;

export interface StoredChannelsDeps {
  documents: DocumentStore;
  report: ConsumerReport;
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
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> | undefined;
  #again = false;

  constructor(deps: StoredChannelsDeps) {
    this.#deps = deps;
    this.#relay = new Relay(deps.documents);
    this.#outbox = deps.documents.collection<OutboxRow>(OUTBOX);
    this.#deliveries = deps.documents.collection<DeliveryRow>(DELIVERIES);
  }

  subscribe(channel: string, handler: ChannelHandler): void {
    const consumer = new Consumer(channel, handler, { ...this.#deps, wake: () => this.wake() });
    this.#consumers.push(consumer);
    this.#unregistered.push(consumer);
    // A service may be created while the others run.
    this.wake();
  }

  async start(): Promise<void> {
    await this.#registerAll();
    this.#timer = setInterval(() => this.wake(), POLL_MS);
    this.#timer.unref();
    this.wake();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#turn;
    await Promise.all(this.#consumers.map((consumer) => consumer.drain()));
  }

  wake(): void {
    if (this.#timer === undefined) return;
    if (this.#turn) {
      this.#again = true;
      return;
    }
    this.#turn = this.#move()
      .catch((error: unknown) => this.#deps.report.stuck(error))
      .finally(() => {
        this.#turn = undefined;
        if (!this.#again) return;
        this.#again = false;
        this.wake();
      });
  }

  async deadLetters(limit = 100): Promise<DeadLetter[]> {
    const rows = await this.#deliveries.find({ state: "dead" }, { sort: { occurredAt: 1 }, limit });
    return rows.map((row) => ({
      id: row._id, channel: row.channel, group: row.group, event: eventOf(row), attempts: row.attempts,
      reason: row.reason ?? "", diedAt: row.diedAt ?? row.dueAt,
    }));
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
    return (await this.#deliveries.deleteOne({ _id: deadLetterId, state: "dead" })) > 0;
  }

  async depth(): Promise<{ outbox: number; pending: number; dead: number; oldestAgeMs: number }> {
    const [outbox, pending, dead, [oldest], [oldestDelivery]] = await Promise.all([
      this.#outbox.count({ state: "new" }),
      this.#deliveries.count({ state: "pending" }),
      this.#deliveries.count({ state: "dead" }),
      this.#outbox.find({ state: "new" }, { sort: { occurredAt: 1 }, limit: 1 }),
      this.#deliveries.find({ state: "pending" }, { sort: { occurredAt: 1 }, limit: 1 }),
    ]);
    const since = [oldest?.occurredAt, oldestDelivery?.occurredAt].filter((date) => date !== undefined).map(Number);
    return { outbox, pending, dead, oldestAgeMs: since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since)) };
  }

  async #registerAll(): Promise<void> {
    for (let consumer = this.#unregistered[0]; consumer; consumer = this.#unregistered[0]) {
      await this.#relay.register(consumer.channel, consumer.group);
      if (this.#deps.documents.backend === "embedded") await consumer.releaseTaken();
      this.#unregistered.shift();
    }
  }

  async #move(): Promise<void> {
    await this.#registerAll();
    await this.#relay.relayNew();
    for (const consumer of this.#consumers) await consumer.poll();
  }
}
