import type { Collection, DocumentStore } from "../../../mixins/document-store/port.ts";
import type { ChannelEvent, ChannelHandler } from "../port.ts";
import { DELIVERIES, RETENTION_MS, type DeliveryRow } from "./collections.ts";

/** A taken delivery that is not acknowledged by then is taken again: its process is taken for dead. */
const ACK_WAIT_MS = 30_000;
const DEFAULT_RETRIES = 8;
/** Deliveries beyond the retries that ended without a word, by a process that died: it may have been for another reason. */
const DEATHS_FORGIVEN = 5;
const DEFAULT_CONCURRENCY = 8;
const LONGEST_BACKOFF_MS = 60_000;

export interface ConsumerReport {
  /** The store failed while events were moved; the next turn tries again. */
  stuck(error: unknown): void;
  /** A handler failed; the delivery comes back later, or is dead. */
  failed(delivery: { channel: string; group: string; eventId: string; attempts: number; dead: boolean }, error: unknown): void;
}

/** One process's member of a consumer group: takes deliveries that are due, runs the handler, acknowledges after it. */
export class Consumer {
  readonly channel: string;
  readonly #handler: ChannelHandler;
  readonly #deliveries: Collection<DeliveryRow>;
  readonly #report: ConsumerReport;
  readonly #wake: () => void;
  readonly #running = new Set<Promise<void>>();

  /** `wake` asks for a `poll`: there is room for more, or a failed delivery is due again. */
  constructor(channel: string, handler: ChannelHandler, deps: { documents: DocumentStore; report: ConsumerReport; wake: () => void }) {
    const { documents, report, wake } = deps;
    this.#wake = wake;
    this.channel = channel;
    this.#handler = handler;
    this.#deliveries = documents.collection<DeliveryRow>(DELIVERIES);
    this.#report = report;
  }

  get group(): string {
    return this.#handler.group;
  }

  /** What a process that was killed had taken is due at once; only right where no other process can hold it. */
  async releaseTaken(): Promise<void> {
    await this.#deliveries.updateMany(
      { channel: this.channel, group: this.group, state: "pending", attempts: { $gt: 0 } },
      { $set: { dueAt: new Date() } },
    );
  }

  /** Starts what is due, as far as the concurrency allows. */
  async poll(): Promise<void> {
    const free = (this.#handler.concurrency ?? DEFAULT_CONCURRENCY) - this.#running.size;
    if (free <= 0) return;
    const due = await this.#deliveries.find(
      { channel: this.channel, group: this.group, state: "pending", dueAt: { $lte: new Date() } },
      { sort: { dueAt: 1 }, limit: free },
    );
    for (const row of due) {
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
      { $set: { dueAt: new Date(now.getTime() + ACK_WAIT_MS) }, $inc: { attempts: 1 } },
    );
    if (!row) return;
    if (row.attempts > this.#retries + 1 + DEATHS_FORGIVEN) {
      await this.#bury(row, new Error(row.reason ?? "Each time the process ended while it handled the event"));
      return;
    }
    try {
      await this.#handler.handler(eventOf(row));
    } catch (error) {
      await this.#giveBack(row, error);
      return;
    }
    await this.#deliveries.updateOne(
      { _id },
      { $set: { state: "done", expiresAt: new Date(Date.now() + RETENTION_MS) } },
    );
  }

  async #giveBack(row: DeliveryRow, error: unknown): Promise<void> {
    if (row.attempts > this.#retries) return this.#bury(row, error);
    const delay = backoffMs(row.attempts);
    if (!(await this.#mark(row, { reason: reasonOf(error), dueAt: new Date(Date.now() + delay) }))) return;
    setTimeout(this.#wake, delay).unref();
    this.#report.failed({ ...idOf(row), dead: false }, error);
  }

  async #bury(row: DeliveryRow, error: unknown): Promise<void> {
    if (await this.#mark(row, { state: "dead", reason: reasonOf(error), diedAt: new Date() })) {
      this.#report.failed({ ...idOf(row), dead: true }, error);
    }
  }

  /** A handler that took too long may fail after another member has done its work: that is not undone. */
  async #mark({ _id }: DeliveryRow, fields: Partial<DeliveryRow>): Promise<boolean> {
    const { matched } = await this.#deliveries.updateOne({ _id, state: "pending" }, { $set: fields });
    return matched > 0;
  }

  get #retries(): number {
    return this.#handler.maxRetries ?? DEFAULT_RETRIES;
  }
}

function idOf({ channel, group, eventId, attempts }: DeliveryRow) {
  return { channel, group, eventId, attempts };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function eventOf(row: DeliveryRow): ChannelEvent {
  return { v: 1, event_id: row.eventId, channel: row.channel, occurred_at: row.occurredAt, payload: row.payload };
}

/** 100 ms doubled with each attempt, at most a minute, spread by half so that failures do not come back together. */
function backoffMs(attempts: number): number {
  const delay = Math.min(LONGEST_BACKOFF_MS, 100 * 2 ** (attempts - 1));
  return delay / 2 + Math.random() * (delay / 2);
}
