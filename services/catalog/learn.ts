import { normalizePartNumber } from "../../mixins/part-number.ts";
import { outbox, type Events } from "../contracts.ts";
import type { Observation } from "./part.ts";
import { partId } from "./part-number.ts";
import type { PartWriter } from "./part-writer.ts";
import { findVendor, type Vendor } from "./vendors.ts";

/** Records what the dealer said of parts in the catalog, and announces it in the same write. */
export async function learn(writer: PartWriter, parts: Events["dealer.answered"]["parts"]): Promise<void> {
  const byVendor = new Map<Vendor, Map<string, Observation>>();
  for (const { vendor: code, partNumber, ...said } of parts) {
    const vendor = findVendor(code);
    if (vendor?.pricing !== "dis") continue;
    const ofVendor = byVendor.get(vendor) ?? new Map<string, Observation>();
    byVendor.set(vendor, ofVendor.set(partId(vendor.code, normalizePartNumber(partNumber)), said));
  }
  for (const [vendor, observations] of byVendor)
    await writer.observe(vendor, observations, ({ written }) =>
      written === 0 ? [] : [outbox("catalog.changed", { vendor: vendor.code })],
    );
}
