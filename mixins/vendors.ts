/** Where a vendor's prices come from: the dealer inventory system, price files alone, or the tire supplier. */
export type Pricing = "dis" | "manual" | "tire_supplier";

/** Internal codes of the vendors that parts may belong to. Source: specification, "Vendor codes". */
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
  tire_supplier: ["KMT"],
} as const satisfies Record<Pricing, readonly string[]>;

export type VendorCode<By extends Pricing = Pricing> = (typeof VENDOR_CODES)[By][number];

/** Whether a code, in any case, is no longer used: nothing may be filed under it or routed to it. */
export function isRetired(code: string): boolean {
  return code.toUpperCase() === "FER";
}
