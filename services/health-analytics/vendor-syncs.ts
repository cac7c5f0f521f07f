import { type DocumentStore, compareAndSet, createReplacement } from "@partline/durable";
import type { Events } from "../contracts.ts";
import { VENDOR_SYNCS, type VendorSyncs } from "./collections.ts";

type SyncEnd = Pick<Events["sync.ended"], "vendor" | "status"> & { at: Date };

/** Returns a vendor's record after a sync has ended; undefined for a known or an older one. */
export function applySync(
  current: VendorSyncs | null,
  { vendor, status, at: endedAt }: SyncEnd,
): VendorSyncs | undefined {
  if (current && endedAt <= current.endedAt) return undefined;
  const { failingSince = null, failingUntil = null } = current ?? {};
  const isFailing = failingSince !== null && failingUntil === null;
  const record = { _id: vendor, endedAt: endedAt, failingSince, failingUntil };
  if (status === "completed") return isFailing ? { ...record, failingUntil: endedAt } : record;
  return isFailing ? record : { ...record, failingSince: endedAt, failingUntil: null };
}

/** Keeps how a sync ended; events may come twice and in any order. */
export function recordSync(documents: DocumentStore, ended: SyncEnd): Promise<void> {
  return compareAndSet(documents, "The record of the vendor's syncs", async () => {
    const current = await documents.collection<VendorSyncs>(VENDOR_SYNCS).findOne({ _id: ended.vendor });
    const next = applySync(current, ended);
    if (!next) return { conditions: [], result: undefined };
    return { conditions: [createReplacement(VENDOR_SYNCS, current, "endedAt", next)], result: undefined };
  });
}
