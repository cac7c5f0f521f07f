import type { DocumentStore } from "../../document-store/port.ts";
import { DELIVERIES, completeDelivery, toChannelEvent, type DeliveryRow } from "../deliveries.ts";
import type { ChannelHandler } from "../port.ts";
import { DEFAULT_CONCURRENCY, DEFAULT_RETRIES, handleTaken, formatReason } from "../redelivery.ts";
import type { ChannelsReport, FailedDelivery } from "../report.ts";

interface ConsumerDeps {
  documents: DocumentStore;
  report: ChannelsReport;
  ackWaitMs: number;
  /** Asks for a look: there is room, or a failed delivery is due again. */
  wake: () => void;
}

/** Deliveries that a consumer of an embedded store takes ahead for each of its places: no other process wants them. */
const AHEAD = 3;
/** Maximum number of new deliveries for each place that are taken before older ones that wait in the store. */
const OVERTAKING = 25;

/** Groups that have or had a member in this process, by store. */
const seenGroups = new WeakMap<DocumentStore, Set<string>>();

export type Consumer = ReturnType<typeof createConsumer>;

/** One process's member of a consumer group. */
export function createConsumer(
  channel: string,
  { group, handler, concurrency = DEFAULT_CONCURRENCY, maxRetries: retries = DEFAULT_RETRIES }: ChannelHandler,
  { documents, report, ackWaitMs, wake }: ConsumerDeps,
) {
  const deliveries = documents.collection<DeliveryRow>(DELIVERIES);
  const running = new Set<Promise<void>>();
  /** Deliveries claimed in advance. */
  const prefetched: DeliveryRow[] = [];
  /** Deliveries that are taken as they are stored. */
  let reserved = 0;
  /** True if the store may have a due delivery that this process does not know of. */
  let isBehind = true;
  /** Places that were reserved meanwhile. */
  let overtaken = 0;
  const computeHeldUntil = (): Date => new Date(Date.now() + ackWaitMs);

  /** A handler that took too long may fail after another member has succeeded: that is not undone. */
  const end = async (
    { _id, eventId, attempts }: DeliveryRow,
    fields: Partial<DeliveryRow>,
    outcome: FailedDelivery["outcome"],
    error: unknown,
  ): Promise<boolean> => {
    const marked = { ...fields, reason: formatReason(error) };
    const { matched } = await deliveries.updateOne({ _id, state: "pending" }, { $set: marked });
    if (matched > 0) report.onFailed({ channel, group, eventId, attempts, outcome }, error);
    return matched > 0;
  };
  /** Keeps the delivery hidden from other members while the handler works. */
  const handleHeld = async (row: DeliveryRow): Promise<void> => {
    let renewal: Promise<unknown> | undefined;
    // Each by itself: one that hangs on a dead connection must not keep the next from the store.
    const renew = (): void => {
      renewal = deliveries
        .updateOne({ _id: row._id, state: "pending" }, { $set: { dueAt: computeHeldUntil() } })
        .catch((error: unknown) => report.stuck(error));
    };
    const timer = setInterval(renew, ackWaitMs / 3);
    try {
      await handler(toChannelEvent(row.eventId, row));
    } finally {
      clearInterval(timer);
      // A renewal must not come after the write of the outcome.
      await renewal;
    }
  };

  const handle = (row: DeliveryRow): Promise<void> =>
    handleTaken({
      attempts: row.attempts,
      reason: row.reason,
      retries,
      handle: () => handleHeld(row),
      acknowledge: () => deliveries.updateOne({ _id: row._id }, completeDelivery()),
      comeBack: async (delayMs, error) => {
        if (await end(row, { dueAt: new Date(Date.now() + delayMs) }, "comes back", error))
          setTimeout(lookAgain, delayMs).unref();
      },
      bury: (error) => end(row, { state: "dead", diedAt: new Date() }, "dead letter", error),
    });
  const take = async ({ _id }: DeliveryRow): Promise<void> => {
    const row = await deliveries.findOneAndUpdate(
      { _id, state: "pending", dueAt: { $lte: new Date() } },
      { $set: { dueAt: computeHeldUntil() }, $inc: { attempts: 1 } },
    );
    if (row) await handle(row);
  };

  const lookAgain = (): void => {
    isBehind = true;
    wake();
  };
  const start = (work: Promise<void>): void => {
    const started = work
      .catch((error: unknown) => report.stuck(error))
      .finally(() => {
        running.delete(started);
        next();
      });
    running.add(started);
  };
  /** Makes a delivery due at once for every member of the group: no handler of this one has begun it. */
  const giveBack = async ({ _id, dueAt }: DeliveryRow): Promise<void> => {
    await deliveries.updateOne({ _id, state: "pending", dueAt }, { $set: { attempts: 0, dueAt: new Date() } });
    isBehind = true;
  };
  const next = (): void => {
    while (running.size < concurrency && prefetched.length > 0) {
      const row = prefetched.shift()!;
      // What is left of its lease must be enough to renew it.
      start(row.dueAt.getTime() - Date.now() > ackWaitMs / 2 ? handle(row) : giveBack(row));
    }
    if (isBehind && running.size < concurrency) wake();
  };

  return {
    channel,
    group,
    heldUntil: computeHeldUntil,
    /** Reserves a place, now or soon, for a delivery that is about to be stored as taken. */
    reserve: (): boolean => {
      const most = concurrency * (documents.backend === "embedded" ? 1 + AHEAD : 1);
      const mayOvertake = !isBehind || overtaken < concurrency * OVERTAKING;
      const hasRoom = mayOvertake && running.size + prefetched.length + reserved < most;
      if (hasRoom) reserved += 1;
      if (hasRoom && isBehind) overtaken += 1;
      isBehind ||= !hasRoom;
      return hasRoom;
    },
    /** Ends a reservation. @param row undefined if it was not stored */
    begin: (row: DeliveryRow | undefined): void => {
      reserved -= 1;
      if (row) prefetched.push(row);
      else isBehind = true;
      next();
    },
    /** Whether to `look` now. @param isTime whether the last look is old */
    isHungry: (isTime: boolean): boolean => {
      const hasRoom = running.size < concurrency;
      const isHungry = (isBehind || isTime) && hasRoom;
      isBehind = (isBehind || isTime) && !hasRoom;
      return isHungry;
    },
    /** Starts due deliveries, as far as there is room. @param rows the due ones of all groups; it asks if absent */
    look: async (rows?: readonly DeliveryRow[]): Promise<void> => {
      overtaken = 0;
      const filter = { channel, group, state: "pending", dueAt: { $lte: new Date() } };
      const dueRows = rows
        ? rows.filter((row) => row.channel === channel && row.group === group)
        : await deliveries.find(filter, { sort: { dueAt: 1 }, limit: concurrency });
      const room = Math.max(0, concurrency - running.size);
      if (dueRows.length > room || (!rows && dueRows.length === concurrency)) isBehind = true;
      for (const row of dueRows.slice(0, room)) start(take(row));
    },
    /** Gives back what was taken ahead, and waits for the handlers. */
    drain: async (): Promise<void> => {
      const results = await Promise.allSettled(prefetched.splice(0).map(giveBack));
      for (const result of results) if (result.status === "rejected") report.stuck(result.reason);
      await Promise.allSettled(running);
    },
    /**
     * Makes due at once what a killed process had taken. An embedded store has one process: what is taken before the
     * group's first member comes is nobody's.
     */
    releaseTaken: async (): Promise<void> => {
      const groups = seenGroups.get(documents) ?? new Set();
      seenGroups.set(documents, groups);
      const member = `${channel}:${group}`;
      if (documents.backend !== "embedded" || groups.has(member)) return;
      await deliveries.updateMany(
        { channel, group, state: "pending", attempts: { $gt: 0 } },
        { $set: { dueAt: new Date() } },
      );
      groups.add(member);
    },
  };
}
