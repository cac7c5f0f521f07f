import type { SettingsReader } from "../../../broker/settings/reader.ts";

/** Policy for pieces beyond the stock. */
export interface StockPolicy {
  /** `sell`: they are sold as backordered; `up_to_stock`: they are refused. */
  beyond: "sell" | "up_to_stock";
  /** Days until backordered pieces ship, as the vendor says. */
  days?: number;
}

export interface StockPolicies {
  usual: StockPolicy;
  /** Policies by vendor code. */
  byVendor: Record<string, StockPolicy>;
}

const ENTRY = /^(?:([A-Z0-9]{2,10})=)?(?:(up_to_stock)|sell(?::(\d{1,3}))?)$/i;

export function getStockPolicy({ byVendor: vendorPolicies, usual }: StockPolicies, code: string): StockPolicy {
  return vendorPolicies[code] ?? usual;
}

/** Reads STOCK_POLICY, a list of `[VENDOR=]sell[:DAYS]` and `[VENDOR=]up_to_stock`. */
export function readStock(reader: SettingsReader, vendors: readonly string[]): StockPolicies {
  const policies: StockPolicies = { usual: { beyond: "sell" }, byVendor: {} };
  for (const entry of reader.getList("STOCK_POLICY") ?? []) {
    const [match, code, upTo, days] = ENTRY.exec(entry) ?? [];
    const vendor = code?.toUpperCase();
    if (match === undefined || (vendor !== undefined && !vendors.includes(vendor))) {
      const why =
        match === undefined ? "is not [VENDOR=]sell[:DAYS] or [VENDOR=]up_to_stock" : "names no vendor's code";
      reader.noteUnusable("STOCK_POLICY", `"${entry}" ${why}`);
      continue;
    }
    const policy: StockPolicy = upTo
      ? { beyond: "up_to_stock" }
      : { beyond: "sell", ...(days === undefined ? {} : { days: Number(days) }) };
    if (vendor === undefined) policies.usual = policy;
    else policies.byVendor[vendor] = policy;
  }
  return policies;
}
