import type { DocumentStore } from "../../../mixins/document-store/port.ts";
import { DELIVERIES, done, eventOf, type DeliveryRow } from "../deliveries.ts";
import type { ChannelHandler } from "../port.ts";
import {
  backoffMs,
  DEFAULT_CONCURRENCY,
  DEFAULT_RETRIES,
  diesEachTime,
  diedReason,
  isLast,
  reasonOf,
} from "../redelivery.ts";
import type { ChannelsReport, FailedDelivery } from "../report.ts";

interface ConsumerDeps {
  documents: DocumentStore;
  report: ChannelsReport;
  ackWaitMs: number;
  /** Asks for a `poll`: there is room, or a failed delivery is due again. */
  wake: () => void;
}

/** Groups that have or had a member in this process, by store. */
const seen = new WeakMap<DocumentStore, Set<string>>();

export type Consumer = ReturnType<typeof createConsumer>;

/** One process's member of a consumer group: takes due deliveries, runs the handler, acknowledges after it. */
export function createConsumer(
  channel: string,
  { group, handler, concurrency = DEFAULT_CONCURRENCY, maxRetries: retries = DEFAULT_RETRIES }: ChannelHandler,
  { documents, report, ackWaitMs, wake }: ConsumerDeps,
) {
  const deliveries = documents.collection<DeliveryRow>(DELIVERIES);
  const running = new Set<Promise<void>>();
  const heldUntil = (): Date => new Date(Date.now() + ackWaitMs);

  /** A handler that took too long may fail after another member has succeeded: that is not undone. */
  const end = async (
    { _id, eventId, attempts }: DeliveryRow,
    fields: Partial<DeliveryRow>,
    outcome: FailedDelivery["outcome"],
    error: unknown,
  ): Promise<boolean> => {
    const marked = { ...fields, reason: reasonOf(error) };
    const { matched } = await deliveries.updateOne({ _id, state: "pending" }, { $set: marked });
    if (matched > 0) report.failed({ channel, group, eventId, attempts, outcome }, error);
    return matched > 0;
  };
  const bury = (row: DeliveryRow, error: unknown): Promise<boolean> =>
    end(row, { state: "dead", diedAt: new Date() }, "dead letter", error);

  /** Keeps the delivery hidden from other members while the handler works. */
  const handleHeld = async (row: DeliveryRow): Promise<void> => {
    let renewal: Promise<unknown> | undefined;
    const renew = (): void => {
      renewal = deliveries
        .updateOne({ _id: row._id, state: "pending" }, { $set: { dueAt: heldUntil() } })
        .catch((error: unknown) => report.stuck(error));
    };
    const timer = setInterval(renew, ackWaitMs / 3);
    try {
      await handler(eventOf(row.eventId, row));
    } finally {
      clearInterval(timer);
      // It must not come after the write of the outcome.
      await renewal;
    }
  };

  const take = async ({ _id }: DeliveryRow): Promise<void> => {
    const row = await deliveries.findOneAndUpdate(
      { _id, state: "pending", dueAt: { $lte: new Date() } },
      { $set: { dueAt: heldUntil() }, $inc: { attempts: 1 } },
    );
    if (!row) return;
    const { attempts, reason = diedReason("event") } = row;
    if (diesEachTime({ attempts, retries })) {
      await bury(row, new Error(reason));
      return;
    }
    try {
      await handleHeld(row);
    } catch (error) {
      const delay = backoffMs(attempts);
      if (isLast({ attempts, retries, error })) await bury(row, error);
      else if (await end(row, { dueAt: new Date(Date.now() + delay) }, "comes back", error))
        setTimeout(wake, delay).unref();
      return;
    }
    await deliveries.updateOne({ _id }, { $set: done() });
  };

  /** Starts due deliveries of this group, as far as the concurrency allows. */
  const begin = (due: readonly DeliveryRow[]): void => {
    const own = due.filter((row) => row.channel === channel && row.group === group);
    for (const row of own.slice(0, Math.max(0, concurrency - running.size))) {
      const work = take(row)
        .catch((error: unknown) => report.stuck(error))
        .finally(() => {
          running.delete(work);
          wake();
        });
      running.add(work);
    }
  };

  return {
    channel,
    group,
    begin,
    poll: async (): Promise<void> => {
      const limit = concurrency - running.size;
      if (limit <= 0) return;
      const filter = { channel, group, state: "pending", dueAt: { $lte: new Date() } };
      begin(await deliveries.find(filter, { sort: { dueAt: 1 }, limit }));
    },
    drain: () => Promise.allSettled(running),
    /**
     * Makes due at once what a killed process had taken. An embedded store has one process: what is taken before the
     * group's first member comes is nobody's.
     */
    releaseTaken: async (): Promise<void> => {
      const known = seen.get(documents) ?? new Set();
      seen.set(documents, known);
      const member = `${channel}:${group}`;
      if (documents.backend !== "embedded" || known.has(member)) return;
      await deliveries.updateMany(
        { channel, group, state: "pending", attempts: { $gt: 0 } },
        { $set: { dueAt: new Date() } },
      );
      known.add(member);
    },
  };
}
