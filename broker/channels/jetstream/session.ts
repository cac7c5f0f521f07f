import type { Collection, DocumentStore } from "../../../mixins/document-store/port.ts";
import { startPeriodic } from "../../periodic.ts";
import { ageOf, depthOf, OUTBOX, type OutboxRow } from "../outbox.ts";
import type { ChannelEvent, ChannelHandler, Depth, Queue } from "../port.ts";
import type { ChannelsReport } from "../report.ts";
import { Turns } from "../turns.ts";
import { DeadLetterStream } from "./dead-letter-stream.ts";
import { GroupConsumer } from "./group-consumer.ts";
import { Ledger } from "./ledger.ts";
import { Link, type LinkOptions } from "./link.ts";
import { OutboxRelay } from "./outbox-relay.ts";
import { consumersOf, firstUnfinished, messageFrom, purgeWhatAllHave } from "./retention.ts";

const PURGE_EVERY_MS = 60 * 60 * 1000;

interface SessionOptions extends Omit<LinkOptions, "onLoss"> {
  documents: DocumentStore;
  report: ChannelsReport;
  ackWaitMs: number;
}

/** What runs between a start and a stop. */
export class Session {
  readonly deadLetters: DeadLetterStream;
  readonly #link: Link;
  readonly #ledger: Ledger;
  readonly #report: ChannelsReport;
  readonly #ackWaitMs: number;
  readonly #outbox: Collection<OutboxRow>;
  readonly #relaying: Turns;
  readonly #purging: { stop(): Promise<void> };
  readonly #consumers: GroupConsumer[] = [];

  private constructor(link: Link, { documents, report, clientName, ackWaitMs }: SessionOptions) {
    this.#link = link;
    this.#report = report;
    this.#ackWaitMs = ackWaitMs;
    this.#ledger = new Ledger(documents);
    this.deadLetters = new DeadLetterStream(link);
    this.#outbox = documents.collection<OutboxRow>(OUTBOX);
    const relay = new OutboxRelay({ link, documents, ledger: this.#ledger, deadLetters: this.deadLetters, report });
    const onError = (error: unknown): void => {
      if (!link.isReleased) report.stuck(error);
    };
    this.#relaying = new Turns(() => relay.relayNew(), onError);
    this.#relaying.start();
    this.#purging = startPeriodic(
      { name: "channels-purge", everyMs: PURGE_EVERY_MS, run: () => purgeWhatAllHave(link) },
      { documents, holder: clientName, onError: (_task, error) => onError(error) },
    );
  }

  /** @throws ChannelsUnavailable */
  static async open(options: SessionOptions): Promise<Session> {
    return new Session(await Link.open({ ...options, onLoss: (error) => options.report.stuck(error) }), options);
  }

  consume(channel: string, handler: ChannelHandler): void {
    const deps = {
      link: this.#link,
      ledger: this.#ledger,
      deadLetters: this.deadLetters,
      report: this.#report,
      ackWaitMs: this.#ackWaitMs,
    };
    this.#consumers.push(new GroupConsumer(channel, handler, deps));
  }

  /** Without it every question would wait for its deadline. */
  get isConnected(): boolean {
    return this.#link.isConnected;
  }

  wake(): void {
    this.#relaying.wake();
  }

  async drop(deadLetterId: string): Promise<boolean> {
    const isDropped = await this.deadLetters.drop(deadLetterId);
    if (isDropped) await this.#ledger.dropped(deadLetterId);
    return isDropped;
  }

  async depth(): Promise<Depth> {
    const [unrelayed, waiting, dead] = await Promise.all([
      depthOf(this.#outbox),
      consumersOf(this.#link),
      this.deadLetters.count(),
    ]);
    const pending = waiting.reduce((sum, { num_pending, num_ack_pending }) => sum + num_pending + num_ack_pending, 0);
    const since = await Promise.all(
      waiting.flatMap((consumer) => {
        const from = firstUnfinished(consumer);
        return from === Infinity
          ? []
          : (consumer.config.filter_subjects ?? []).map((subject) => this.#occurredAt(from, subject));
      }),
    );
    return { ...unrelayed, pending, dead, oldestAgeMs: Math.max(unrelayed.outboxAgeMs, ageOf(...since)) };
  }

  async queues(): Promise<Queue[]> {
    const consumers = await consumersOf(this.#link);
    return consumers.flatMap(({ name, config, num_pending, num_ack_pending }) => {
      const member = this.#link.names.memberOf(name, config.filter_subjects ?? []);
      return member ? [{ ...member, pending: num_pending + num_ack_pending }] : [];
    });
  }

  async close(): Promise<void> {
    this.#link.release();
    await Promise.all([
      this.#relaying.stop(),
      this.#purging.stop(),
      ...this.#consumers.map((consumer) => consumer.stop()),
    ]);
    await this.#link.close();
  }

  async #occurredAt(from: number, subject: string): Promise<Date | undefined> {
    const message = await messageFrom(this.#link, from, subject);
    return message && new Date(message.json<ChannelEvent & { occurred_at: string }>().occurred_at);
  }
}
