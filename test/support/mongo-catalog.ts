import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MongoClient } from "mongodb";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import type { Document } from "../../mixins/document-store/port.ts";
import { sandboxPriceFiles } from "../../sandbox/catalog/price-files.ts";
import { SANDBOX_TIRES } from "../../sandbox/tires/server.ts";
import { tireCatalog } from "../../sandbox/tires/tires.ts";
import { partsCollection, VENDOR_STATES } from "../../services/catalog/collections.ts";
import { importPriceFile } from "../../services/catalog/import-price-file.ts";
import { partWriter } from "../../services/catalog/part-writer.ts";
import { readTireItem } from "../../services/catalog/tires/tire-item.ts";
import { TIRES, vendorByCode } from "../../services/catalog/vendors.ts";

/**
 * Puts the sandbox's catalog into a database, as a first start would: the product's import fills an embedded store, and
 * its documents are copied. The test stack's server takes half a minute to import them one atomic batch after another.
 */
export async function putCatalog(mongoUrl: string, imageUrlBase: string): Promise<void> {
  const documents = await openDocumentStore({ dataDir: mkdtempSync(join(tmpdir(), "partline-catalog-")) });
  const writer = partWriter(documents);
  const client = await new MongoClient(mongoUrl).connect();
  try {
    const files = sandboxPriceFiles({ imageUrlBase });
    for (const { vendor, file } of files) await importPriceFile(writer, vendorByCode(vendor), "csv", file);
    const tires = tireCatalog(SANDBOX_TIRES, imageUrlBase).flatMap((tire) => readTireItem(TIRES, tire).content ?? []);
    await writer.write(TIRES, tires, "tire_supplier");
    const definitions = [VENDOR_STATES, ...[TIRES.code, ...files.map(({ vendor }) => vendor)].map(partsCollection)];
    await Promise.all(definitions.map(async (definition) => {
      const copies = await documents.collection<Document>(definition).find({});
      await client.db().collection<Document>(definition.name).insertMany(copies, { ordered: false });
    }));
  } finally {
    await client.close();
    await documents.close();
  }
}
