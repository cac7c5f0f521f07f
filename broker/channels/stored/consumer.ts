import type { Collection, DocumentStore } from "../../../mixins/document-store/port.ts";
import { DELIVERIES, done, eventOf, type DeliveryRow } from "../deliveries.ts";
import type { ChannelHandler } from "../port.ts";
import {
  backoffMs,
  DEFAULT_CONCURRENCY,
  DEFAULT_RETRIES,
  diesEachTime,
  ENDED_WITHOUT_A_WORD,
  isLast,
  reasonOf,
} from "../redelivery.ts";
import type { ChannelsReport } from "../report.ts";

interface ConsumerDeps {
  documents: DocumentStore;
  report: ChannelsReport;
  ackWaitMs: number;
  /** Asks for a `poll`: there is room for more, or a failed delivery is due again. */
  wake: () => void;
}

/** Groups that have or had a member in this process, by store. */
const seen = new WeakMap<DocumentStore, Set<string>>();

/** One process's member of a consumer group: takes deliveries that are due, runs the handler, acknowledges after it. */
export class Consumer {
  readonly channel: string;
  readonly #handler: ChannelHandler;
  readonly #documents: DocumentStore;
  readonly #deliveries: Collection<DeliveryRow>;
  readonly #report: ChannelsReport;
  readonly #ackWaitMs: number;
  readonly #wake: () => void;
  readonly #running = new Set<Promise<void>>();

  constructor(channel: string, handler: ChannelHandler, { documents, report, ackWaitMs, wake }: ConsumerDeps) {
    this.channel = channel;
    this.#handler = handler;
    this.#documents = documents;
    this.#deliveries = documents.collection<DeliveryRow>(DELIVERIES);
    this.#report = report;
    this.#ackWaitMs = ackWaitMs;
    this.#wake = wake;
  }

  get group(): string {
    return this.#handler.group;
  }

  /**
   * What a process that was killed had taken is due at once. An embedded store is this process's alone: what is taken
   * before the group's first member comes is of no other, and what is taken later is of a member that lives.
   */
  async releaseTaken(): Promise<void> {
    const known = seen.get(this.#documents) ?? new Set();
    seen.set(this.#documents, known);
    const member = `${this.channel}:${this.group}`;
    if (this.#documents.backend !== "embedded" || known.has(member)) return;
    await this.#deliveries.updateMany(
      { channel: this.channel, group: this.group, state: "pending", attempts: { $gt: 0 } },
      { $set: { dueAt: new Date() } },
    );
    known.add(member);
  }

  /** Starts what is due, as far as the concurrency allows. */
  async poll(): Promise<void> {
    if (this.#free <= 0) return;
    const filter = { channel: this.channel, group: this.group, state: "pending", dueAt: { $lte: new Date() } };
    this.begin(await this.#deliveries.find(filter, { sort: { dueAt: 1 }, limit: this.#free }));
  }

  /** The same of deliveries that are known to be due; those of other groups are left to them. */
  begin(due: readonly DeliveryRow[]): void {
    const own = due.filter(({ channel, group }) => channel === this.channel && group === this.group);
    for (const row of own.slice(0, Math.max(0, this.#free))) {
      const work = this.#take(row)
        .catch((error: unknown) => this.#report.stuck(error))
        .finally(() => {
          this.#running.delete(work);
          this.#wake();
        });
      this.#running.add(work);
    }
  }

  async drain(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async #take({ _id }: DeliveryRow): Promise<void> {
    const now = new Date();
    const row = await this.#deliveries.findOneAndUpdate(
      { _id, state: "pending", dueAt: { $lte: now } },
      { $set: { dueAt: new Date(now.getTime() + this.#ackWaitMs) }, $inc: { attempts: 1 } },
    );
    if (!row) return;
    if (diesEachTime({ ...row, retries: this.#retries })) {
      await this.#bury(row, new Error(row.reason ?? ENDED_WITHOUT_A_WORD));
      return;
    }
    try {
      await this.#whileHeld(row, () => this.#handler.handler(eventOf(row)));
    } catch (error) {
      await this.#giveBack(row, error);
      return;
    }
    await this.#deliveries.updateOne({ _id }, { $set: done() });
  }

  /** Keeps the delivery hidden from other members for as long as the work takes. */
  async #whileHeld({ _id }: DeliveryRow, work: () => Promise<void>): Promise<void> {
    let renewal: Promise<unknown> | undefined;
    const renew = (): void => {
      renewal = this.#deliveries
        .updateOne({ _id, state: "pending" }, { $set: { dueAt: new Date(Date.now() + this.#ackWaitMs) } })
        .catch((error: unknown) => this.#report.stuck(error));
    };
    const timer = setInterval(renew, this.#ackWaitMs / 3);
    try {
      await work();
    } finally {
      clearInterval(timer);
      // It must not come after what is written of the outcome.
      await renewal;
    }
  }

  async #giveBack(row: DeliveryRow, error: unknown): Promise<void> {
    if (isLast({ ...row, retries: this.#retries, error })) return this.#bury(row, error);
    const delay = backoffMs(row.attempts);
    if (!(await this.#mark(row, { reason: reasonOf(error), dueAt: new Date(Date.now() + delay) }))) return;
    setTimeout(this.#wake, delay).unref();
    this.#report.failed({ ...idOf(row), outcome: "comes back" }, error);
  }

  async #bury(row: DeliveryRow, error: unknown): Promise<void> {
    if (await this.#mark(row, { state: "dead", reason: reasonOf(error), diedAt: new Date() })) {
      this.#report.failed({ ...idOf(row), outcome: "dead letter" }, error);
    }
  }

  /** A handler that took too long may fail after another member has done its work: that is not undone. */
  async #mark({ _id }: DeliveryRow, fields: Partial<DeliveryRow>): Promise<boolean> {
    const { matched } = await this.#deliveries.updateOne({ _id, state: "pending" }, { $set: fields });
    return matched > 0;
  }

  get #free(): number {
    return (this.#handler.concurrency ?? DEFAULT_CONCURRENCY) - this.#running.size;
  }

  get #retries(): number {
    return this.#handler.maxRetries ?? DEFAULT_RETRIES;
  }
}

function idOf({ channel, group, eventId, attempts }: DeliveryRow) {
  return { channel, group, eventId, attempts };
}
