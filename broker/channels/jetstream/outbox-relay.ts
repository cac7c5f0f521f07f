import type {
  Collection,
  CollectionDefinition,
  Document,
  DocumentStore,
  Filter,
} from "../../../mixins/document-store/port.ts";
import { RETENTION_MS } from "../deliveries.ts";
import { OUTBOX, type OutboxRow } from "../outbox.ts";
import type { ChannelsReport } from "../report.ts";
import { hasApiCode, isRefusal } from "./api-errors.ts";
import type { DeadLetterStream } from "./dead-letter-stream.ts";
import type { Ledger } from "./ledger.ts";
import type { Ground, Link } from "./link.ts";
import { encodeEvent } from "./message.ts";

/** Rows that are on their way at once. */
const BATCH = 200;

/** The stream that what is relayed in this store was relayed to, by when it was made. */
interface TargetRow extends Document {
  createdAt: string;
  /** Of the stream beside which all dead letters of this store are. */
  lettersBeside?: string;
}

const TARGETS: CollectionDefinition = { name: "channel_targets" };

interface RelayDeps {
  link: Link;
  documents: DocumentStore;
  ledger: Ledger;
  deadLetters: DeadLetterStream;
  report: Pick<ChannelsReport, "stuck" | "otherStream">;
}

/**
 * Publishes what is new in the outbox, under its event's id, and marks it as relayed when the stream has it. Any number
 * of processes may relay the same outbox: JetStream recognises the id.
 */
export class OutboxRelay {
  readonly #link: Link;
  readonly #outbox: Collection<OutboxRow>;
  readonly #targets: Collection<TargetRow>;
  readonly #ledger: Ledger;
  readonly #deadLetters: DeadLetterStream;
  readonly #report: Pick<ChannelsReport, "stuck" | "otherStream">;
  #checked = 0;

  constructor({ link, documents, ledger, deadLetters, report }: RelayDeps) {
    this.#link = link;
    this.#ledger = ledger;
    this.#deadLetters = deadLetters;
    this.#report = report;
    this.#outbox = documents.collection<OutboxRow>(OUTBOX);
    this.#targets = documents.collection<TargetRow>(TARGETS);
  }

  async relayNew(): Promise<void> {
    const ground = await this.#link.ground();
    if (ground.id !== this.#checked) {
      await this.#takeBackWhatIsLost(ground);
      this.#checked = ground.id;
    }
    for (;;) {
      const rows = await this.#outbox.find({ state: "new" }, { sort: { occurredAt: 1 }, limit: BATCH, durable: true });
      if (rows.length === 0) return;
      await this.#relay(rows);
      // A stop waits for this, and the rest is relayed at the next start, or by others.
      if (rows.length < BATCH || this.#link.isReleased) return;
    }
  }

  async #relay(rows: OutboxRow[]): Promise<void> {
    const published = await Promise.allSettled(rows.map((row) => this.#publish(row)));
    const expiresAt = new Date(Date.now() + RETENTION_MS);
    const relayed = rows.flatMap(({ _id }, index) => {
      const result = published[index]!;
      if (result.status === "rejected") return [];
      return [
        { updateOne: { filter: { _id }, update: { $set: { state: "relayed", expiresAt, sequence: result.value } } } },
      ];
    });
    if (relayed.length > 0) await this.#outbox.bulkWrite(relayed);
    const failed = published.find((result) => result.status === "rejected");
    if (!failed) return;
    if (!isRefusal(failed.reason)) this.#link.mistrust(failed.reason);
    throw failed.reason;
  }

  /** Answers the event's place in the stream. */
  async #publish({ _id, channel, occurredAt, payload, origin }: OutboxRow): Promise<number> {
    const { js, names } = this.#link;
    const body = encodeEvent({
      v: 1,
      event_id: _id,
      channel,
      occurred_at: occurredAt,
      payload,
      ...(origin ? { origin } : {}),
    });
    const { seq } = await js.publish(names.eventSubject(channel), body, {
      msgID: _id,
      expect: { streamName: names.events },
    });
    return seq;
  }

  /**
   * JetStream acknowledges before it synchronises its disk, and a server may come back without what it had: what the
   * outbox still keeps and the stream has no more is relayed again. What is lost is always the newest, so the newest
   * rows are looked up in the stream until a whole batch of them is there: what was on its way when the server came
   * back, a batch at most, may have taken the places of lost ones before this look, and stands among or before them. A
   * stream that is new gets all of it, and the dead letters too: so does the first stream of a system that had its
   * channels over the store.
   */
  async #takeBackWhatIsLost({ createdAt, firstSequence }: Ground): Promise<void> {
    const { names } = this.#link;
    const target = await this.#targets.findOne({ _id: names.events });
    const note = (fields: Partial<TargetRow>): Promise<unknown> =>
      this.#targets.updateOne({ _id: names.events }, { $set: fields }, { upsert: true });
    // Noted last each, so that a process that is cut off begins anew; and apart, since letters may be refused for days,
    // and the events must not follow them each time.
    if (target?.createdAt === createdAt) await this.#takeBackTheNewest(firstSequence);
    else {
      if (target) this.#report.otherStream(names.events);
      await this.#outbox.updateMany({ state: "relayed" }, TAKEN_BACK);
      await note({ createdAt });
    }
    if (target?.lettersBeside !== createdAt && (await this.#takeLettersAlong()))
      await note({ lettersBeside: createdAt });
  }

  async #takeBackTheNewest(firstSequence: number): Promise<void> {
    for (let before: Filter = {}; ;) {
      const newest = await this.#outbox.find({ state: "relayed", ...before }, { sort: { sequence: -1 }, limit: BATCH });
      const found = await Promise.all(newest.map((row) => this.#isKept(row, firstSequence)));
      const lost = newest.filter((_, index) => !found[index]);
      if (lost.length > 0)
        await this.#outbox.bulkWrite(lost.map(({ _id }) => ({ updateOne: { filter: { _id }, update: TAKEN_BACK } })));
      if (lost.length === 0 || newest.length < BATCH) return;
      // A lost row may have the same place as one that is there.
      before = { sequence: { $lte: newest.at(-1)!.sequence ?? 0 } };
    }
  }

  /**
   * Answers whether all are there. What the stream of dead letters refuses holds up neither the others nor the events.
   */
  async #takeLettersAlong(): Promise<boolean> {
    let all = true;
    for await (const letter of this.#ledger.dead()) {
      try {
        await this.#deadLetters.add(letter);
      } catch (error) {
        if (!isRefusal(error)) throw error;
        all = false;
        this.#report.stuck(
          new Error("A dead letter could not be taken along to NATS; it is tried again at the next connection", {
            cause: error,
          }),
        );
      }
    }
    return all;
  }

  async #isKept({ _id, sequence = 0 }: OutboxRow, firstSequence: number): Promise<boolean> {
    // Purged after its time, when every group had it.
    if (sequence < firstSequence) return true;
    const { jsm, names } = this.#link;
    try {
      const { header } = await jsm.streams.getMessage(names.events, { seq: sequence });
      return header.get("Nats-Msg-Id") === _id;
    } catch (error) {
      if (hasApiCode(error, "noMessage")) return false;
      throw error;
    }
  }
}

const TAKEN_BACK = { $set: { state: "new" }, $unset: { expiresAt: 1, sequence: 1 } } as const;
