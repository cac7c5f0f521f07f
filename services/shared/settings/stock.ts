import type { SettingsReader } from "../../../broker/settings/reader.ts";
import type { StockPolicies, StockPolicy } from "../../../mixins/shop/shop-facts.ts";

const ENTRY = /^(?:([A-Z0-9]{2,10})=)?(?:(up_to_stock)|sell(?::(\d{1,3}))?)$/i;

/** Reads STOCK_POLICY, a list of `[VENDOR=]sell[:DAYS]` and `[VENDOR=]up_to_stock`; undefined if it is not set. */
export function readStock(reader: SettingsReader, vendors: readonly string[]): StockPolicies | undefined {
  const entries = reader.getList("STOCK_POLICY");
  if (!entries) return undefined;
  const policies: StockPolicies = { usual: { beyond: "sell" }, vendors: [] };
  for (const entry of entries) {
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
    else policies.vendors = [...policies.vendors.filter((row) => row.vendor !== vendor), { vendor, ...policy }];
  }
  return policies;
}
