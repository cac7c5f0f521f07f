import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { deserialize, serialize } from "node:v8";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { Document } from "../../packages/durable/src/document-store/port.ts";
import { priceFile, SUPPLIERS } from "../../packages/sandbox/src/catalog/price-files.ts";
import { listTires } from "../../packages/sandbox/src/tires/server.ts";
import { getPartsCollection, VENDOR_STATES } from "../../services/catalog/collections.ts";
import { importFile } from "../../services/catalog/import-file.ts";
import { createPriceFile } from "../../services/catalog/part-row.ts";
import { createPartWriter } from "../../services/catalog/part-writer.ts";
import { readItem } from "../../services/catalog/suppliers/read-item.ts";
import { KMT } from "../../services/catalog/suppliers/kmt/kmt.ts";
import { DEFAULT_VENDORS } from "../../services/catalog/vendors.ts";

/** Documents by their collection's name. */
type Catalog = [name: string, documents: Document[]][];

/** Of an embedded store; see openDocumentStore. */
const EMBEDDED = "documents.sqlite";
const COPIED = "documents.v8";

/**
 * Puts the sandbox's catalog into a new store, as a first start would: a start that finds it takes half of the
 * processor time, and the test stack's server would take half a minute to import it. The product's import fills an
 * embedded store, which is copied as it is, or document by document.
 */
export async function putCatalog(
  { dataDir, mongoUrl }: { dataDir?: string; mongoUrl?: string },
  imageUrlBase: string,
): Promise<void> {
  const made = await catalogOnce(imageUrlBase);
  if (mongoUrl === undefined) {
    mkdirSync(dataDir!, { recursive: true });
    copyFileSync(join(made, EMBEDDED), join(dataDir!, EMBEDDED));
    return;
  }
  const catalog = deserialize(readFileSync(join(made, COPIED))) as Catalog;
  const { MongoClient } = await import("mongodb");
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

/** Imports once in a run of Jest for all that link to the same pictures. Returns the directory. */
async function catalogOnce(imageUrlBase: string): Promise<string> {
  const made =
    process.env.SHARED_SYSTEMS && join(tmpdir(), `catalog-${createHash("sha256").update(imageUrlBase).digest("hex")}`);
  if (made && existsSync(made)) return made;
  const directory = mkdtempSync(join(tmpdir(), "partline-catalog-"));
  writeFileSync(join(directory, COPIED), serialize(await importCatalog(directory, imageUrlBase)));
  if (made === undefined) return directory;
  try {
    renameSync(directory, made);
  } catch (error) {
    // Another process made one meanwhile.
    if (!existsSync(made)) throw error;
    rmSync(directory, { recursive: true });
  }
  return made;
}

async function importCatalog(dataDir: string, imageUrlBase: string): Promise<Catalog> {
  const documents = await openDocumentStore({ dataDir });
  const writer = createPartWriter(documents);
  try {
    for (const vendor of SUPPLIERS) {
      await importFile(
        createPriceFile(writer, DEFAULT_VENDORS.getByCode(vendor)),
        "csv",
        Readable.from([priceFile(vendor, imageUrlBase)]),
      );
    }
    const tires = listTires(imageUrlBase).flatMap((tire) => readItem(KMT, tire).news ?? []);
    await writer.write(DEFAULT_VENDORS.getByCode(KMT.code), tires, KMT.id);
    const definitions = [VENDOR_STATES, ...[KMT.code, ...SUPPLIERS].map(getPartsCollection)];
    return await Promise.all(
      definitions.map(
        async (definition) => [definition.name, await documents.collection<Document>(definition).find({})] as const,
      ),
    );
  } finally {
    await documents.close();
  }
}
