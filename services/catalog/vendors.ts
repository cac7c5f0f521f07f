import { notFound, PartlineError, validationFailed } from "../../mixins/errors.ts";
import { foldName } from "../../mixins/fold.ts";
import { isRetired, VENDOR_CODES, VENDOR_NAMES } from "../../mixins/vendors.ts";
import { SUPPLIERS } from "./suppliers/list.ts";

/** Source of its prices. */
type Pricing = keyof typeof VENDOR_CODES | "listing";

export interface Vendor {
  /** Upper case. */
  code: string;
  name: string;
  /** BNS stands in for the dealer's code B&S, as no path can carry `&`. */
  aliases: readonly string[];
  pricing: Pricing;
}

const vendorsBy = (pricing: keyof typeof VENDOR_CODES): Vendor[] =>
  VENDOR_CODES[pricing].map((code) => {
    const [name, ...aliases] = VENDOR_NAMES[code];
    return { code, name, aliases, pricing };
  });

/** A supplier's vendor stays without its settings. */
export const VENDORS: readonly Vendor[] = [
  ...vendorsBy("dis"),
  ...vendorsBy("manual"),
  ...SUPPLIERS.map(({ code, name, aliases }): Vendor => ({ code, name, aliases, pricing: "listing" })),
];

const byCode = new Map(VENDORS.map((vendor) => [vendor.code, vendor]));
const byName = new Map(
  VENDORS.flatMap((vendor) => [vendor.code, vendor.name, ...vendor.aliases].map((name) => [foldName(name), vendor])),
);

/** @throws NOT_FOUND */
export function vendorByCode(code: string): Vendor {
  const vendor = byCode.get(code.toUpperCase());
  if (vendor) return vendor;
  if (isRetired(code)) throw new PartlineError("NOT_FOUND", `Vendor ${code} not found: the code is no longer used`);
  const meant = findVendor(code);
  if (meant)
    throw new PartlineError("NOT_FOUND", `Vendor ${code} not found: the code of ${meant.name} is ${meant.code}`);
  throw notFound("Vendor", code);
}

const NOT_THROUGH_DIS: Record<Exclude<Pricing, "dis">, string> = {
  manual: "is priced by its price files",
  listing: "is priced by its supplier's listing",
};

/** @throws NOT_FOUND; VALIDATION_FAILED if the dealer inventory system does not price it */
export function disVendorByCode(code: string): Vendor {
  const vendor = vendorByCode(code);
  if (vendor.pricing === "dis") return vendor;
  const why = NOT_THROUGH_DIS[vendor.pricing];
  throw validationFailed({
    field: "vendor",
    message: `${vendor.name} (${vendor.code}) ${why}, not through the dealer inventory system`,
  });
}

/** Finds a vendor by code, name or alias, in any case. */
export function findVendor(name: string): Vendor | undefined {
  return byName.get(foldName(name));
}
