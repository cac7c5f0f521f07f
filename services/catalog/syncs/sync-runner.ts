import { ulid } from "ulid";
import { PartlineError } from "../../../mixins/errors.ts";
import {
  hasStoreCode,
  type AtomicWrite,
  type DocumentStore,
  type Update,
} from "../../../mixins/document-store/port.ts";
import { NO_ROWS, SYNC_RETENTION_MS, SYNCS, type SyncKind, type SyncRecord, type SyncStatus } from "./collections.ts";

/** A sync that this process holds. */
export interface HeldSync {
  /** As it was when it was taken. */
  record: SyncRecord;
  /** Aborted when the lease is lost or this process stops: then nothing of it can be written any more. */
  signal: AbortSignal;
  /** A write to the record that fails the atomic batch it is in (CONDITION_FAILED) once the lease is lost; it renews the lease. */
  progress(update?: Pick<Update, "$inc" | "$set" | "$push">): AtomicWrite;
}

/** How a sync ended, with what is to be written in the same batch. */
export interface SyncEnding {
  status: Exclude<SyncStatus, "running">;
  notes?: string[];
  also?: AtomicWrite[];
}

/** Does the work, from where the record says it is. Undefined: it stopped because of the signal, and somebody goes on with it. */
export type SyncWork = (sync: HeldSync) => Promise<SyncEnding | undefined>;

export interface SyncRunnerDeps {
  documents: DocumentStore;
  works: Record<SyncKind, SyncWork>;
  timeoutSeconds: number;
  /** An ending was written, with an event perhaps. */
  onEnded: (ended: Pick<SyncRecord, "kind" | "vendor"> & Pick<SyncEnding, "status">) => void;
  onError: (message: string, error: unknown) => void;
  /** How long a sync whose process died waits for another that shares the store, in milliseconds. */
  leaseMs?: number;
}

export interface SyncRunner {
  /** Starts a sync of a vendor, unless one runs anywhere; answers the id of the one that runs. @throws DATABASE_UNAVAILABLE when the store has one and does not show it */
  begin(
    kind: SyncKind,
    vendor: string,
    facts: { pageSize: number; activeBefore: number; total?: number },
  ): Promise<string>;
  /** Begins to look for syncs whose process has died. */
  start(): void;
  /** Lets go of what this process holds; another one, or its next start, goes on with it at once. */
  stop(): Promise<void>;
}

const LEASE_MS = 15_000;
/** To start one, where the one that ran has ended each time that it was looked for. */
const MOST_TRIES = 5;

/** Runs syncs under a lease on their records: one a vendor in the cluster, resumed when its process dies. */
export function createSyncRunner({
  documents,
  works,
  timeoutSeconds,
  onEnded,
  onError,
  leaseMs = LEASE_MS,
}: SyncRunnerDeps): SyncRunner {
  const syncs = documents.collection<SyncRecord>(SYNCS);
  const held = new Map<string, { holder: string; lost: AbortController }>();
  let sweeper: NodeJS.Timeout | undefined;
  let sweeping: Promise<void> | undefined;
  const lease = () => new Date(Date.now() + leaseMs);

  const hold = (record: SyncRecord): void => {
    const { _id, holder } = record;
    const lost = new AbortController();
    const progress: HeldSync["progress"] = (update = {}) => ({
      collection: SYNCS,
      require: true,
      updateOne: {
        filter: { _id, holder, status: "running" },
        update: { ...update, $set: { ...update.$set, heldUntil: lease() } },
      },
    });
    const renew = setInterval(() => {
      syncs.updateOne({ _id, holder, status: "running" }, { $set: { heldUntil: lease() } }).then(
        ({ matched }) => matched === 0 && lost.abort(),
        (error: unknown) => onError(`The lease of sync ${_id} could not be renewed`, error),
      );
    }, leaseMs / 3);
    const mine = { holder, lost };
    held.set(_id, mine);
    void run({ record, signal: lost.signal, progress }).finally(() => {
      clearInterval(renew);
      if (held.get(_id) === mine) held.delete(_id);
    });
  };

  const run = async ({ record, ...sync }: HeldSync): Promise<void> => {
    const end = async ({ status, notes = [], also = [] }: SyncEnding): Promise<void> => {
      await documents.atomically([
        {
          collection: SYNCS,
          require: true,
          updateOne: {
            filter: { _id: record._id, holder: record.holder, status: "running" },
            update: { $set: { status, notes, finishedAt: new Date() }, $unset: { running: "" } },
          },
        },
        ...also,
      ]);
      onEnded({ kind: record.kind, vendor: record.vendor, status });
    };
    try {
      const ending = await works[record.kind]({ record, ...sync });
      if (ending) await end(ending);
    } catch (error) {
      if (sync.signal.aborted || hasStoreCode(error, "CONDITION_FAILED")) return;
      // Before its deadline it is taken up again when the lease has run out: the store may have been away.
      onError(`Sync ${record._id} broke off`, error);
      if (record.deadline <= new Date())
        await end({ status: "failed", notes: ["It broke off by a fault of ours"] }).catch(() => undefined);
    }
  };

  /** Takes what nobody holds any more, or nobody that `heldUntil` this moment. */
  const sweep = async (heldUntil = new Date()): Promise<void> => {
    const abandoned = { status: "running", heldUntil: { $lte: heldUntil } };
    for (const { _id, holder } of await syncs.find(abandoned)) {
      const taken = await syncs.findOneAndUpdate(
        { _id, holder, ...abandoned },
        { $set: { holder: ulid(), heldUntil: lease() } },
      );
      if (!taken) continue;
      held.get(_id)?.lost.abort();
      hold(taken);
    }
  };
  const tick = (heldUntil?: Date): void => {
    sweeping ??= sweep(heldUntil)
      .catch((error: unknown) => onError("Syncs of processes that died could not be looked for", error))
      .finally(() => {
        sweeping = undefined;
      });
  };

  return {
    async begin(kind, vendor, { pageSize, activeBefore, total }) {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const startedAt = new Date();
        const record: SyncRecord = {
          _id: `sync_${ulid()}`,
          kind,
          vendor,
          running: vendor,
          status: "running",
          holder: ulid(),
          heldUntil: lease(),
          startedAt,
          deadline: new Date(startedAt.getTime() + timeoutSeconds * 1_000),
          pageSize,
          pages: { done: 0, failed: 0, ...(total === undefined ? {} : { total }) },
          rows: NO_ROWS,
          discontinued: 0,
          activeBefore,
          notes: [],
          expiresAt: new Date(startedAt.getTime() + SYNC_RETENTION_MS),
        };
        try {
          await syncs.insertOne(record);
          hold(record);
          return record._id;
        } catch (error) {
          if (!hasStoreCode(error, "DUPLICATE_KEY")) throw error;
        }
        const other = await syncs.findOne({ running: vendor });
        if (other) return other._id;
      }
      throw new PartlineError(
        "DATABASE_UNAVAILABLE",
        `The store says that a sync of ${vendor} is running, and has none that is`,
      );
    },
    start: () => {
      sweeper = setInterval(() => tick(), leaseMs / 3);
      sweeper.unref();
      // An embedded store is this process's alone: who holds a sync at its start is dead, however long its lease.
      tick(documents.backend === "embedded" ? lease() : undefined);
    },
    stop: async () => {
      clearInterval(sweeper);
      await sweeping;
      await Promise.all(
        [...held].map(([_id, { holder, lost }]) => {
          lost.abort();
          return syncs.updateOne({ _id, holder }, { $set: { holder: "", heldUntil: new Date() } });
        }),
      );
    },
  };
}
