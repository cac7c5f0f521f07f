import { notFound, PartlineError, validationFailed } from "../../mixins/errors.ts";
import { foldName, isRetired, VENDOR_CODES, VENDOR_NAMES } from "@partline/parts-language";
import { SUPPLIERS } from "./suppliers/list.ts";

export interface Vendor {
  /** Upper case. */
  code: string;
  name: string;
  /** BNS stands in for the dealer's code B&S, as no path can carry `&`. */
  aliases: readonly string[];
  /** Source of its prices. */
  pricing: keyof typeof VENDOR_CODES | "listing";
}

const listVendorsBy = (pricing: keyof typeof VENDOR_CODES): Vendor[] =>
  VENDOR_CODES[pricing].map((code) => {
    const [name, ...aliases] = VENDOR_NAMES[code];
    return { code, name, aliases, pricing };
  });

/** A supplier's vendor stays without its settings. */
const DEFAULTS: readonly Vendor[] = [
  ...listVendorsBy("dis"),
  ...listVendorsBy("manual"),
  ...SUPPLIERS.map(({ code, name, aliases }): Vendor => ({ code, name, aliases, pricing: "listing" })),
];

/** Vendors by code and by name, as they are named now. */
export class Vendors {
  #byCode: ReadonlyMap<string, Vendor> = new Map();
  #byName: ReadonlyMap<string, Vendor> = new Map();

  readonly #isConnected: (vendor: Vendor) => boolean;
  /** Reads what operators, and other processes, have stored. */
  refresh: () => Promise<unknown> = () => Promise.resolve();

  /** @param isConnected false if the dealer system or the supplier that prices a vendor is off: price files do */
  constructor(isConnected: (vendor: Vendor) => boolean = () => true) {
    this.#isConnected = isConnected;
    this.use([]);
  }

  /** Takes an operator's names. A vendor that the product does not know is priced by its files. */
  use(overrides: readonly Omit<Vendor, "pricing">[]): void {
    const resolvePricing = (vendor: Vendor) => (this.#isConnected(vendor) ? vendor.pricing : "manual");
    const vendorsByCode = new Map(
      DEFAULTS.map((vendor) => [vendor.code, { ...vendor, pricing: resolvePricing(vendor) }]),
    );
    for (const { code, name, aliases } of overrides)
      vendorsByCode.set(code, { code, name, aliases, pricing: vendorsByCode.get(code)?.pricing ?? "manual" });
    this.#byCode = vendorsByCode;
    const vendorsByName = new Map<string, Vendor>();
    for (const vendor of vendorsByCode.values())
      for (const name of [vendor.name, ...vendor.aliases]) vendorsByName.set(foldName(name), vendor);
    // A code is its own vendor's, even if another vendor has it as a name.
    for (const vendor of vendorsByCode.values()) vendorsByName.set(foldName(vendor.code), vendor);
    this.#byName = vendorsByName;
  }

  get all(): readonly Vendor[] {
    return [...this.#byCode.values()];
  }

  /** @throws NOT_FOUND */
  getByCode(code: string): Vendor {
    const vendor = this.#byCode.get(code.toUpperCase());
    if (vendor) return vendor;
    if (isRetired(code)) throw new PartlineError("NOT_FOUND", `Vendor ${code} not found: the code is no longer used`);
    const vendorByName = this.find(code);
    if (vendorByName)
      throw new PartlineError(
        "NOT_FOUND",
        `Vendor ${code} not found: the code of ${vendorByName.name} is ${vendorByName.code}`,
      );
    throw notFound("Vendor", code);
  }

  /** Returns whether a new vendor could have this name. */
  isFree(name: string): boolean {
    return foldName(name) !== "" && !this.find(name);
  }

  /** Refreshes if one of these is unknown: another process may have taken it in. */
  async learn(names: readonly string[]): Promise<void> {
    if (names.some((name) => !this.find(name))) await this.refresh();
  }

  /** Finds a vendor by code, name or alias, in any case. */
  find(name: string): Vendor | undefined {
    return this.#byName.get(foldName(name));
  }
}

/** Vendors with the product's own names. */
export const DEFAULT_VENDORS = new Vendors();

/** @throws VALIDATION_FAILED unless the dealer inventory system prices it */
export function assertPricedByDis(vendor: Vendor): Vendor {
  if (vendor.pricing === "dis") return vendor;
  const priceSource = vendor.pricing === "manual" ? "its price files" : "its supplier's listing";
  const message = `${vendor.name} (${vendor.code}) is priced by ${priceSource}, not through the dealer inventory system`;
  throw validationFailed({ field: "vendor", message });
}

/** The maker as answers name it: a listing names brands, any other part has the vendor's own name. */
export function resolveMaker({ manufacturer }: { manufacturer: { name: string; code: string } }, vendor: Vendor) {
  return vendor.pricing === "listing" ? manufacturer : { name: vendor.name, code: vendor.code };
}
