import { foldName, proposeVendorCode } from "@partline/parts-language";
import type { Vendor, Vendors } from "./vendors.ts";

/** Brands that a report lists. */
const MOST_LISTED = 200;
/** Texts of the column that are remembered: a column that names no brands may have another text in each row. */
const MOST_REMEMBERED = 5_000;
/** Vendors that one file may add. */
const MOST_ADDED = 200;
const LONGEST_NAME = 100;

interface Brand {
  name: string;
  vendor: Vendor | undefined;
  rows: number;
}

export type BrandVendors = ReturnType<typeof createBrandVendors>;

/**
 * Finds the vendors of a price file's rows by their brands, and counts the rows of each brand.
 * @param isAdding brands that are no vendor's become vendors
 */
export function createBrandVendors(vendors: Vendors, { isAdding }: { isAdding: boolean }) {
  const brands = new Map<string, Brand>();
  const addedByName = new Map<string, Vendor>();
  const takenCodes = new Set<string>();

  function plan(name: string): Vendor | undefined {
    const key = foldName(name);
    const plannedVendor = addedByName.get(key);
    const isPossible = isAdding && key !== "" && name.length <= LONGEST_NAME && addedByName.size < MOST_ADDED;
    if (plannedVendor || !isPossible) return plannedVendor;
    const code = proposeVendorCode(name, (code) => takenCodes.has(code) || vendors.find(code) !== undefined);
    if (code === undefined) return undefined;
    const vendor: Vendor = { code, name, aliases: [], pricing: "manual" };
    addedByName.set(key, vendor);
    takenCodes.add(code);
    return vendor;
  }

  return {
    /** Returns the vendor of a row; undefined for one that there is not. Counts the row. */
    find(name: string): Vendor | undefined {
      const knownBrand = brands.get(name);
      if (knownBrand) {
        knownBrand.rows += 1;
        return knownBrand.vendor;
      }
      const vendor = vendors.find(name) ?? plan(name);
      if (brands.size < MOST_REMEMBERED) brands.set(name, { name, vendor, rows: 1 });
      return vendor;
    },

    /** Returns whether a vendor is not there yet. */
    isAdded: ({ code }: Vendor): boolean => takenCodes.has(code),

    /** Lists the brands, those with most rows first. */
    list: () =>
      [...brands.values()]
        .sort((a, b) => b.rows - a.rows)
        .slice(0, MOST_LISTED)
        .map(({ name, vendor, rows }) => ({ brand: name, vendor: vendor?.code ?? null, rows })),
  };
}
