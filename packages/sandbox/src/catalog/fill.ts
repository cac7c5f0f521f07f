import { hash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { SUPPLIERS, priceFile } from "./price-files.ts";

interface CatalogToFill {
  isEmpty(): Promise<boolean>;
  import(vendor: string, file: Readable): Promise<{ written: number; refusedTotal: number }>;
  /** Syncs the suppliers' listings; returns the number of parts written. */
  syncListings(): Promise<number>;
}

/** Fills an empty catalog, and returns the number of parts written. An interrupted fill is repeated. */
export async function fillCatalog(
  catalog: CatalogToFill,
  { imageUrlBase, mark }: { imageUrlBase: string; mark: FillMark },
): Promise<number> {
  if (!(await mark.isSet()) && !(await catalog.isEmpty())) return 0;
  await mark.set();
  let writtenParts = 0;
  for (const vendor of SUPPLIERS)
    writtenParts += (await catalog.import(vendor, Readable.from([priceFile(vendor, imageUrlBase)]))).written;
  writtenParts += await catalog.syncListings();
  await mark.clear();
  return writtenParts;
}

/** Mark of a fill that has begun and not ended. */
export interface FillMark {
  isSet(): Promise<boolean>;
  set(): Promise<void>;
  clear(): Promise<void>;
}

export interface MarkedStore {
  dataDir: string;
  mongoUrl?: string | undefined;
}

export function fillMarkIn(store: MarkedStore): FillMark {
  return markIn(store, "catalog-sandbox-filling");
}

/** A file in `dataDir` that names its store: a fill begun in one store is never ended in another, with real data. */
export function markIn({ dataDir, mongoUrl }: MarkedStore, name: string): FillMark {
  const path = join(dataDir, name);
  // A connection string may hold a password.
  const store = mongoUrl === undefined ? "embedded" : hash("sha256", mongoUrl);
  return {
    isSet: async () => (await readFile(path, "utf8").catch(ignoreMissing)) === store,
    set: async () => {
      await mkdir(dataDir, { recursive: true });
      await writeFile(path, store);
    },
    clear: () => rm(path, { force: true }),
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
