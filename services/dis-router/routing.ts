import { VENDOR_CODES, type VendorCode } from "../../mixins/vendors.ts";

/** A vendor of the dealer inventory system, by its internal code. */
export type DisVendor = VendorCode<"dis">;

interface RoutingRule {
  /** On the trimmed upper-case part number. */
  pattern: RegExp;
  to: DisVendor;
}

/**
 * Parts of the BNS collection that are asked about as another vendor's: the first rule that fits. Source:
 * specification, "Routing rules".
 */
const BNS_RULES: readonly RoutingRule[] = [
  { pattern: /^\d{2}\.[0-9A-Z]{4}$/, to: "VNT" },
  { pattern: /^BER/, to: "NHL" },
  { pattern: /^F350/, to: "NHL" },
  { pattern: /^(?:790|614|713)\d{3}$/, to: "NHL" },
];

/**
 * The vendor, by its internal code, as which the dealer inventory system is asked about a part; null if it is not asked
 * (price files, the tire supplier). Takes the code in any case.
 */
export function routeToDis(vendor: string, partNumber: string): DisVendor | null {
  const code = VENDOR_CODES.dis.find((known) => known === vendor.toUpperCase());
  if (code !== "BNS") return code ?? null;
  const number = partNumber.trim().toUpperCase();
  return BNS_RULES.find(({ pattern }) => pattern.test(number))?.to ?? "BNS";
}
