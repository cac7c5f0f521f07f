import type { Readable } from "node:stream";
import { sandboxPriceFiles } from "./price-files.ts";

export interface CatalogToFill {
  isEmpty(): Promise<boolean>;
  /** Imports a vendor's price file (CSV). */
  import(vendor: string, file: Readable): Promise<{ written: number; refusedTotal: number }>;
  /** Syncs the tire supplier's listing; answers the parts written. */
  syncTires(): Promise<number>;
}

/** Fills an empty catalog from the suppliers' price files and the tire supplier, through what everybody uses. Answers the parts written. */
export async function fillCatalog(catalog: CatalogToFill, options: { imageUrlBase: string }): Promise<number> {
  if (!(await catalog.isEmpty())) return 0;
  let written = 0;
  for (const { vendor, file } of sandboxPriceFiles(options)) written += (await catalog.import(vendor, file)).written;
  return written + (await catalog.syncTires());
}
