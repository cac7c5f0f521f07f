import type { Document, DocumentStore, Filter } from "../../document-store/port.ts";
import { toChannelEvent, type KeptMs } from "../deliveries.ts";
import { OUTBOX, type OutboxRow, TARGETS, WRITER } from "../outbox.ts";
import type { ChannelsReport } from "../report.ts";
import { hasApiCode, isRefusal } from "./api-errors.ts";
import type { Ground, Link } from "./link.ts";

/** Rows on their way at once. */
const BATCH = 200;
/** Time that another process has to relay what it wrote, milliseconds. */
const OTHERS_MS = 2_000;

/** The stream that this store's events were relayed to, by its creation time. */
interface TargetRow extends Document {
  createdAt: string;
}

const TAKEN_BACK = { $set: { state: "new" }, $unset: { expiresAt: 1, sequence: 1 } } as const;

interface RelayDeps {
  link: Link;
  documents: DocumentStore;
  report: Pick<ChannelsReport, "onOtherStream">;
  keptMs: KeptMs;
}

/**
 * Returns a function that publishes what is new in the outbox under its event's id, and marks it as relayed once the
 * stream has it. Each process relays what it wrote, and after two seconds what others wrote: they may have died.
 * JetStream recognises the id of an event that several relay.
 */
export function createOutboxRelay({ link, documents, report, keptMs }: RelayDeps): () => Promise<void> {
  const { jsm, names } = link;
  const outbox = documents.collection<OutboxRow>(OUTBOX);
  const targets = documents.collection<TargetRow>(TARGETS);
  let checked = 0;

  const relay = async (rows: OutboxRow[]): Promise<void> => {
    const published = await Promise.allSettled(
      rows.map((row) => link.publish(names.toEventSubject(row.channel), toChannelEvent(row._id, row), row._id)),
    );
    const relayed = rows.flatMap(({ _id, channel }, index) => {
      const result = published[index]!;
      if (result.status === "rejected") return [];
      const { seq: sequence } = result.value;
      const expiresAt = new Date(Date.now() + keptMs(channel));
      return [{ updateOne: { filter: { _id }, update: { $set: { state: "relayed", expiresAt, sequence } } } }];
    });
    if (relayed.length > 0) await outbox.bulkWrite(relayed);
    const failed = published.find((result) => result.status === "rejected");
    if (!failed) return;
    if (!isRefusal(failed.reason)) link.mistrust(failed.reason);
    throw failed.reason;
  };

  const isKept = async ({ _id, sequence = 0 }: OutboxRow, firstSequence: number): Promise<boolean> => {
    // Purged after its time: every group had it.
    if (sequence < firstSequence) return true;
    try {
      const { header } = await jsm.streams.getMessage(names.events, { seq: sequence });
      return header.get("Nats-Msg-Id") === _id;
    } catch (error) {
      if (hasApiCode(error, "noMessage")) return false;
      throw error;
    }
  };

  /**
   * A server loses the newest, so the newest rows are looked up until a whole batch is there: up to a batch of events
   * that were on their way when it came back may have taken the places of lost ones.
   */
  const takeBackTheNewest = async (firstSequence: number): Promise<void> => {
    for (let olderFilter: Filter = {}; ;) {
      const newest = await outbox.find({ state: "relayed", ...olderFilter }, { sort: { sequence: -1 }, limit: BATCH });
      const keptFlags = await Promise.all(newest.map((row) => isKept(row, firstSequence)));
      const lost = newest.filter((_, index) => !keptFlags[index]);
      if (lost.length > 0)
        await outbox.bulkWrite(lost.map(({ _id }) => ({ updateOne: { filter: { _id }, update: TAKEN_BACK } })));
      if (lost.length === 0 || newest.length < BATCH) return;
      // A lost row may have the place of one that is there.
      olderFilter = { sequence: { $lte: newest.at(-1)!.sequence ?? 0 } };
    }
  };

  /**
   * Relays again what the outbox keeps and the stream lacks: JetStream acknowledges before it synchronises its disk, so
   * a server may come back without events. A new stream gets all of them.
   */
  const takeBackWhatIsLost = async ({ createdAt, firstSequence }: Ground): Promise<void> => {
    const target = await targets.findOne({ _id: names.events });
    if (target?.createdAt === createdAt) return takeBackTheNewest(firstSequence);
    if (target) report.onOtherStream(names.events);
    await outbox.updateMany({ state: "relayed" }, TAKEN_BACK);
    // Noted last, so that a process that is cut off begins again.
    await targets.updateOne({ _id: names.events }, { $set: { createdAt } }, { upsert: true });
  };

  return async () => {
    const ground = await link.ground();
    if (ground.id !== checked) {
      await takeBackWhatIsLost(ground);
      checked = ground.id;
    }
    for (;;) {
      const isMine: Filter = { $or: [{ writer: WRITER }, { occurredAt: { $lte: new Date(Date.now() - OTHERS_MS) } }] };
      const options = { sort: { occurredAt: 1 }, limit: BATCH, durable: true } as const;
      const rows = await outbox.find({ state: "new", ...isMine }, options);
      if (rows.length === 0) return;
      await relay(rows);
      // A stop waits for this; the next start, or others, relay the rest.
      if (rows.length < BATCH || link.isReleased) return;
    }
  };
}
