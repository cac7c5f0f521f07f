import type { CollectionDefinition, Document, DocumentStore } from "../../mixins/document-store/port.ts";
import { SettingsError } from "../settings/reader.ts";
import { COMPATIBILITY, type Speech } from "./compatibility.ts";

interface Written extends Document {
  number: number;
  oldest: number;
  version: string;
}

const WRITTEN: CollectionDefinition = { name: "compatibility", fields: { number: "number" } };

/** @throws SettingsError if a version wrote to the store that this one cannot follow */
export async function assertStoreFits(
  documents: DocumentStore,
  version: string,
  own: Speech = COMPATIBILITY,
): Promise<void> {
  const before = await documents.collection<Written>(WRITTEN).findOne({ _id: "store" });
  if (before && own.number < before.oldest) {
    throw new SettingsError(
      `Partline ${version} cannot use this store, to which ${before.version} has written: start that version, or restore a backup of before`,
    );
  }
}

/** Only for an admitted node: it may lock out older versions. */
export async function claimStore(
  documents: DocumentStore,
  version: string,
  own: Speech = COMPATIBILITY,
): Promise<void> {
  const collection = documents.collection<Written>(WRITTEN);
  const claim = { number: own.number, oldest: own.oldest, version };
  // A later claim is never lower.
  await collection.updateOne({ _id: "store" }, { $setOnInsert: claim }, { upsert: true });
  await collection.updateOne({ _id: "store", number: { $lt: own.number } }, { $set: claim });
}
