import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { deserialize, serialize } from "node:v8";
import { MongoClient } from "mongodb";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import type { Document } from "../../mixins/document-store/port.ts";
import { priceFile, SUPPLIERS } from "../../sandbox/catalog/price-files.ts";
import { listedTires } from "../../sandbox/tires/server.ts";
import { partsCollection, VENDOR_STATES } from "../../services/catalog/collections.ts";
import { importFile } from "../../services/catalog/import-file.ts";
import { priceFile as priceFileContent } from "../../services/catalog/import-price-file.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { readItem } from "../../services/catalog/suppliers/item.ts";
import { KMT } from "../../services/catalog/suppliers/kmt/kmt.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";

/** Documents by their collection's name. */
type Catalog = [name: string, documents: Document[]][];

/**
 * Puts the sandbox's catalog into a database, as a first start would: the product's import fills an embedded store, and
 * its documents are copied. The test stack's server takes half a minute to import them one atomic batch after another.
 */
export async function putCatalog(mongoUrl: string, imageUrlBase: string): Promise<void> {
  const catalog = await catalogOnce(imageUrlBase);
  const client = await new MongoClient(mongoUrl).connect();
  try {
    await Promise.all(
      catalog.map(([name, documents]) =>
        client.db().collection<Document>(name).insertMany(documents, { ordered: false }),
      ),
    );
  } finally {
    await client.close();
  }
}

/** Imports once in a run of Jest for all that link to the same pictures. */
async function catalogOnce(imageUrlBase: string): Promise<Catalog> {
  const { SHARED_SYSTEMS: directory } = process.env;
  if (directory === undefined) return importCatalog(imageUrlBase);
  const file = join(directory, `catalog-${createHash("sha256").update(imageUrlBase).digest("hex")}`);
  if (existsSync(file)) return deserialize(readFileSync(file)) as Catalog;
  const catalog = await importCatalog(imageUrlBase);
  writeFileSync(`${file}.${process.pid}`, serialize(catalog));
  renameSync(`${file}.${process.pid}`, file);
  return catalog;
}

async function importCatalog(imageUrlBase: string): Promise<Catalog> {
  const documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-catalog-")) });
  const writer = createPartWriter(documents);
  try {
    for (const vendor of SUPPLIERS) {
      await importFile(
        priceFileContent(writer, DEFAULT_VENDORS.byCode(vendor)),
        "csv",
        Readable.from([priceFile(vendor, imageUrlBase)]),
      );
    }
    const tires = listedTires(imageUrlBase).flatMap((tire) => readItem(KMT, tire).news ?? []);
    await writer.write(DEFAULT_VENDORS.byCode(KMT.code), tires, KMT.id);
    const definitions = [VENDOR_STATES, ...[KMT.code, ...SUPPLIERS].map(partsCollection)];
    return await Promise.all(
      definitions.map(
        async (definition) => [definition.name, await documents.collection<Document>(definition).find({})] as const,
      ),
    );
  } finally {
    await documents.close();
  }
}
