import { isWritten, type CollectionDefinition, type Document, type DocumentStore } from "./document-store/port.ts";

interface Lease extends Document {
  holder: string;
  heldUntil: Date;
}

const LEASES: CollectionDefinition = { name: "leases", fields: { holder: "string", heldUntil: "date" } };

/** A lease, for the task that runs under it. */
export interface HeldLease {
  /** Aborted once the lease is lost (another process may be at work), or by `abort`. */
  signal: AbortSignal;
  /**
   * Await it before what only the holder may do: a process that stalled asks the store first.
   * @throws the reason of `signal`, or the store's error
   */
  confirm(): Promise<void>;
}

interface LeaseTerms {
  name: string;
  holder: string;
  forMs: number;
  /** Called for a failed renewal and for a lost lease. */
  onError: (error: unknown) => void;
}

export type Leases = ReturnType<typeof createLeases>;

/**
 * Leases in the document store: of all its processes, one holds a name at a time, a dead one until the lease runs out.
 */
export function createLeases(documents: DocumentStore) {
  const leases = documents.collection<Lease>(LEASES);

  /** Takes or renews the lease; false if another process has it. */
  const acquire = async (name: string, holder: string, forMs: number): Promise<boolean> => {
    const now = new Date();
    const grant = { holder, heldUntil: new Date(now.getTime() + forMs) };
    const acquired = await leases.updateOne(
      { _id: name, $or: [{ holder }, { heldUntil: { $lte: now } }] },
      { $set: grant },
    );
    if (acquired.matched > 0) return true;
    return isWritten(leases.insertOne({ _id: name, ...grant }), "DUPLICATE_KEY");
  };
  /** Never takes a lease: one that ran out and was taken is lost. */
  const renew = async (name: string, holder: string, forMs: number): Promise<boolean> =>
    (await leases.updateOne({ _id: name, holder }, { $set: { heldUntil: new Date(Date.now() + forMs) } })).matched > 0;
  /** Releases a lease if it is still `holder`'s. */
  const release = async (name: string, holder: string): Promise<void> => {
    await leases.deleteOne({ _id: name, holder });
  };

  return {
    acquire,
    release,
    /**
     * Runs a task under an acquired lease, renews it meanwhile and releases it afterwards.
     * @throws what the task throws, or that the lease was lost before it began
     */
    during: async <T>(terms: LeaseTerms, task: (lease: HeldLease) => Promise<T>): Promise<T> => {
      const { name, holder, forMs, onError } = terms;
      const { held: lease, stop } = holdLease(terms, () => renew(name, holder, forMs));
      try {
        await lease.confirm();
        return await task(lease);
      } finally {
        await stop();
        await release(name, holder).catch(onError);
      }
    },
  };
}

/**
 * Renews a lease until stopped, by this process's clock: how long it stalled before is unknown.
 * @param heldUntil of a new lease, on the clock of `performance.now()`; 0 if unknown
 */
export function holdLease(
  { name, forMs, onError }: Omit<LeaseTerms, "holder">,
  renew: () => Promise<boolean>,
  heldUntil = 0,
): { held: HeldLease; abort(reason: Error): void; stop(): Promise<void> } {
  const lost = new AbortController();
  const { signal } = lost;
  let renewing: Promise<void> | undefined;

  const lose = (): void => {
    if (signal.aborted) return;
    lost.abort(new Error(`The lease ${name} was lost`));
    onError(signal.reason);
  };
  const ask = async (): Promise<void> => {
    const askedAt = performance.now();
    try {
      if (!(await renew())) {
        lose();
        return;
      }
      heldUntil = askedAt + forMs;
    } catch (error) {
      if (performance.now() >= heldUntil) lose();
      throw error;
    }
  };
  /** One at a time: an older answer says nothing about the time after a newer one. */
  const renewOnce = (): Promise<void> => (renewing ??= ask().finally(() => (renewing = undefined)));
  const timer = setInterval(() => void renewOnce().catch(onError), forMs / 3).unref();

  return {
    held: {
      signal,
      confirm: async () => {
        while (!signal.aborted && performance.now() > heldUntil - forMs / 3) await renewOnce();
        signal.throwIfAborted();
      },
    },
    abort: (reason) => lost.abort(reason),
    stop: async () => {
      clearInterval(timer);
      await renewing?.catch(() => undefined);
    },
  };
}
