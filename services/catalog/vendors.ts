import { notFound, PartlineError, validationFailed } from "../../mixins/errors.ts";
import { foldName } from "../../mixins/fold.ts";
import { isRetired, VENDOR_CODES, VENDOR_NAMES } from "../../mixins/vendors.ts";
import { SUPPLIERS } from "./suppliers/list.ts";

/** Where a vendor's prices come from: the dealer inventory system, price files alone, or the listing of a supplier. */
export type Pricing = keyof typeof VENDOR_CODES | "listing";

export interface Vendor {
  /** Internal code, upper case. */
  code: string;
  name: string;
  /** Other names that it goes by; BNS stands in for the dealer's code B&S, whose `&` no path can carry. */
  aliases: readonly string[];
  pricing: Pricing;
}

const vendorsBy = (pricing: keyof typeof VENDOR_CODES): Vendor[] =>
  VENDOR_CODES[pricing].map((code) => {
    const [name, ...aliases] = VENDOR_NAMES[code];
    return { code, name, aliases, pricing };
  });

/** Every vendor that parts may belong to; those of a supplier stay when its settings go. */
export const VENDORS: readonly Vendor[] = [
  ...vendorsBy("dis"),
  ...vendorsBy("manual"),
  ...SUPPLIERS.map(({ code, name, aliases }): Vendor => ({ code, name, aliases, pricing: "listing" })),
];

const byCode = new Map(VENDORS.map((vendor) => [vendor.code, vendor]));
const byName = new Map(
  VENDORS.flatMap((vendor) => [vendor.code, vendor.name, ...vendor.aliases].map((name) => [foldName(name), vendor])),
);

/** A vendor by its code, in any case. @throws NOT_FOUND */
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

/**
 * A vendor that the dealer inventory system prices, by its code. @throws NOT_FOUND; VALIDATION_FAILED saying what
 * prices it
 */
export function disVendorByCode(code: string): Vendor {
  const vendor = vendorByCode(code);
  if (vendor.pricing === "dis") return vendor;
  const why = NOT_THROUGH_DIS[vendor.pricing];
  throw validationFailed({
    field: "vendor",
    message: `${vendor.name} (${vendor.code}) ${why}, not through the dealer inventory system`,
  });
}

/** A vendor by code, name or alias, in any case; undefined when nobody goes by it. */
export function findVendor(name: string): Vendor | undefined {
  return byName.get(foldName(name));
}
