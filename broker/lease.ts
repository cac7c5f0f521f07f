import { hasStoreCode, type CollectionDefinition, type Document, type DocumentStore } from "../mixins/document-store/port.ts";

interface Lease extends Document {
  holder: string;
  heldUntil: Date;
}

const LEASES: CollectionDefinition = { name: "leases", fields: { holder: "string", heldUntil: "date" } };

/** Leases in the document store: of all processes that share it, one holds a name at a time, and one that died holds it until it runs out. */
export interface Leases {
  /** Takes the lease, or makes it last longer for whom it belongs to; false when somebody else has it. */
  acquire(name: string, holder: string, forMs: number): Promise<boolean>;
  /** Who has a lease that has not run out. */
  holderOf(name: string): Promise<string | undefined>;
  /** Gives the lease back, if it is still `holder`'s. */
  release(name: string, holder: string): Promise<void>;
  /**
   * Runs a task under a lease that is acquired already, makes it last longer while the task runs and gives it back after it.
   * `onError` hears of a renewal that failed; the lease may then run out.
   */
  during<T>(lease: { name: string; holder: string; forMs: number; onError: (error: unknown) => void }, task: () => Promise<T>): Promise<T>;
}

export function leasesIn(documents: DocumentStore): Leases {
  const leases = documents.collection<Lease>(LEASES);

  const acquire: Leases["acquire"] = async (name, holder, forMs) => {
    const now = new Date();
    const grant = { holder, heldUntil: new Date(now.getTime() + forMs) };
    const taken = await leases.updateOne({ _id: name, $or: [{ holder }, { heldUntil: { $lte: now } }] }, { $set: grant });
    if (taken.matched > 0) return true;
    try {
      await leases.insertOne({ _id: name, ...grant });
      return true;
    } catch (error) {
      if (hasStoreCode(error, "DUPLICATE_KEY")) return false;
      throw error;
    }
  };
  const release: Leases["release"] = async (name, holder) => {
    await leases.deleteOne({ _id: name, holder });
  };

  return {
    acquire,
    release,
    holderOf: async (name) => (await leases.findOne({ _id: name, heldUntil: { $gt: new Date() } }))?.holder,
    during: async ({ name, holder, forMs, onError }, task) => {
      const renewal = setInterval(() => {
        acquire(name, holder, forMs).catch(onError);
      }, forMs / 3);
      renewal.unref();
      try {
        return await task();
      } finally {
        clearInterval(renewal);
        await release(name, holder).catch(onError);
      }
    },
  };
}
