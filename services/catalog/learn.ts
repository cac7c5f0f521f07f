import type { Input } from "../../broker/contract/define.ts";
import { normalizePartNumber } from "../../mixins/part-number.ts";
import type { catalogContract } from "./contract.ts";
import type { Observation } from "./part.ts";
import { partId } from "./part-number.ts";
import type { PartWriter, WriteOutcome } from "./part-writer.ts";
import { disVendorByCode, type Vendor } from "./vendors.ts";

type LearntPart = Input<(typeof catalogContract)["actions"]["learn"]>["parts"][number];

/** Puts down what the dealer has said of single parts. @throws NOT_FOUND, VALIDATION_FAILED for a vendor that it does not price */
export async function learn(writer: PartWriter, parts: readonly LearntPart[]): Promise<WriteOutcome> {
  const byVendor = new Map<Vendor, Map<string, Observation>>();
  for (const { vendor: code, partNumber, found = true, ...said } of parts) {
    const vendor = disVendorByCode(code);
    const ofVendor = byVendor.get(vendor) ?? new Map<string, Observation>();
    byVendor.set(vendor, ofVendor.set(partId(vendor.code, normalizePartNumber(partNumber)), { found, ...said }));
  }
  const total: WriteOutcome = { written: 0, unchanged: 0 };
  for (const [vendor, observations] of byVendor) {
    const { written, unchanged } = await writer.observe(vendor, observations);
    total.written += written;
    total.unchanged += unchanged;
  }
  return total;
}
