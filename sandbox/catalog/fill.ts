import { Readable } from "node:stream";
import type { FillMark } from "./fill-mark.ts";
import { priceFile, SUPPLIERS } from "./price-files.ts";

export interface CatalogToFill {
  isEmpty(): Promise<boolean>;
  /** Imports a vendor's price file (CSV). */
  import(vendor: string, file: Readable): Promise<{ written: number; refusedTotal: number }>;
  /** Syncs the suppliers' listings; returns the number of parts written. */
  syncListings(): Promise<number>;
}

/**
 * Fills an empty catalog from the suppliers' price files and listings, by the public actions. An interrupted fill is
 * repeated, which is harmless. Returns the number of parts written.
 */
export async function fillCatalog(
  catalog: CatalogToFill,
  { imageUrlBase, mark }: { imageUrlBase: string; mark: FillMark },
): Promise<number> {
  if (!(await mark.isSet()) && !(await catalog.isEmpty())) return 0;
  await mark.set();
  let written = 0;
  for (const vendor of SUPPLIERS)
    written += (await catalog.import(vendor, Readable.from([priceFile(vendor, imageUrlBase)]))).written;
  written += await catalog.syncListings();
  await mark.clear();
  return written;
}
