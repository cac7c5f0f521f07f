import { compareAndSet, replacing } from "../../mixins/documents/compare-and-set.ts";
import type { DocumentStore } from "@partline/durable";
import type { Events } from "../contracts.ts";
import { VENDOR_SYNCS, type VendorSyncs } from "./collections.ts";

type Ended = Pick<Events["sync.ended"], "vendor" | "status"> & { at: Date };

/** Returns a vendor's record after a sync has ended; undefined for a known or an older one. */
export function afterSync(known: VendorSyncs | null, { vendor, status, at }: Ended): VendorSyncs | undefined {
  if (known && at <= known.endedAt) return undefined;
  const { failingSince = null, failingUntil = null } = known ?? {};
  const isFailing = failingSince !== null && failingUntil === null;
  const record = { _id: vendor, endedAt: at, failingSince, failingUntil };
  if (status === "completed") return isFailing ? { ...record, failingUntil: at } : record;
  return isFailing ? record : { ...record, failingSince: at, failingUntil: null };
}

/** Keeps how a sync ended; events may come twice and in any order. */
export function recordSync(documents: DocumentStore, ended: Ended): Promise<void> {
  return compareAndSet(documents, "The record of the vendor's syncs", async () => {
    const known = await documents.collection<VendorSyncs>(VENDOR_SYNCS).findOne({ _id: ended.vendor });
    const next = afterSync(known, ended);
    if (!next) return { conditions: [], result: undefined };
    return { conditions: [replacing(VENDOR_SYNCS, known, "endedAt", next)], result: undefined };
  });
}
