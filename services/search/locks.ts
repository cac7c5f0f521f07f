import { setTimeout as delay } from "node:timers/promises";
import type { HeldLease, Leases } from "@partline/durable";
import { KeyedQueue } from "@partline/toolkit";
import type { RunExclusively } from "./indexer.ts";

const LEASE = "search.indexer";
const LEASE_MS = 30_000;
const POLL_MS = 200;

const NEVER_LOST: HeldLease = { signal: new AbortController().signal, confirm: async () => undefined };

/** Locks an index that only this process writes. */
export function lockInProcess(): RunExclusively {
  const queue = new KeyedQueue();
  return (task) => queue.run(LEASE, () => task(NEVER_LOST));
}

/**
 * Locks an index that several processes write, by a lease in the document store. Aborting the signal ends the wait for
 * it.
 */
export function lockInCluster(
  leases: Leases,
  { holder, signal, onError }: { holder: string; signal: AbortSignal; onError: (error: unknown) => void },
): RunExclusively {
  const queue = new KeyedQueue();
  return (task) =>
    queue.run(LEASE, async () => {
      while (!(await leases.acquire(LEASE, holder, LEASE_MS))) {
        signal.throwIfAborted();
        await delay(POLL_MS);
      }
      return leases.during({ name: LEASE, holder, forMs: LEASE_MS, onError }, task);
    });
}
