/**
 * Codes of the vendors of parts, by the source of their prices: the dealer inventory system, or price files alone.
 * Those with an API of their own are in services/catalog/suppliers. Source: specification, "Vendor codes".
 */
export const VENDOR_CODES = {
  dis: ["AGC", "ALM", "BNS", "BUS", "HON", "KAW", "KIN", "KOH", "NHL", "VNT", "WDS"],
  manual: [
    "AMC",
    "ART",
    "CLC",
    "DFE",
    "EZT",
    "GRP",
    "GRE",
    "HAR",
    "HLA",
    "HOT",
    "IVA",
    "KIL",
    "KNI",
    "KOR",
    "KRE",
    "KUH",
    "LAN",
    "MAC",
    "MAR",
    "MCH",
    "MID",
    "MIS",
    "PTZ",
    "RIS",
    "RIT",
    "SNX",
    "SWP",
    "TXT",
    "UEB",
    "VAL",
    "WVR",
    "RAV",
  ],
} as const;

export type VendorCode<By extends keyof typeof VENDOR_CODES = keyof typeof VENDOR_CODES> =
  (typeof VENDOR_CODES)[By][number];

/** Whether a code, in any case, is retired: nothing may be filed under it or routed to it. */
export function isRetired(code: string): boolean {
  return code.toUpperCase() === "FER";
}
