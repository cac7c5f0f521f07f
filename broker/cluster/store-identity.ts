import { randomUUID } from "node:crypto";
import type { CollectionDefinition, Document, DocumentStore } from "@partline/durable";
import { SettingsError } from "../settings/reader.ts";
import type { Settings } from "../settings.ts";
import { COMPATIBILITY, type Speech } from "./compatibility.ts";

export interface Identity extends Document {
  id: string;
  /** The system over NATS that the store belongs to, once one has written. */
  namespace?: string;
}

type Transport = Pick<Settings, "natsUrl" | "namespace">;

export const IDENTITY: CollectionDefinition = { name: "identity", fields: { id: "string", namespace: "string" } };

/** The store's own id, the same by any of its addresses. */
export async function getStoreIdentity(documents: DocumentStore): Promise<string> {
  const identities = documents.collection<Identity>(IDENTITY);
  const update = { $setOnInsert: { id: randomUUID() } };
  return (await identities.findOneAndUpdate({ _id: "store" }, update, { upsert: true }))!.id;
}

/**
 * All processes relay the store's one outbox: one that relays it elsewhere (another namespace's stream, or rows of the
 * store) takes events from the others for good. Nodes of another namespace do not hear each other, so the store says
 * it. An embedded store has one process, which takes its events along.
 * @throws SettingsError
 */
export async function assertNamespaceFits(documents: DocumentStore, { natsUrl, namespace }: Transport): Promise<void> {
  if (documents.backend !== "mongodb") return;
  const noted = (await documents.collection<Identity>(IDENTITY).findOne({ _id: "store" }))?.namespace;
  if (noted === undefined || (natsUrl !== undefined && noted === namespace)) return;
  const [problem, remedy] =
    natsUrl === undefined
      ? ["NATS_URL is not set", "set NATS_URL as its other processes have it"]
      : [`NATS_NAMESPACE is "${namespace}"`, `set NATS_NAMESPACE to "${noted}"`];
  throw new SettingsError(
    `${problem}, but the store that MONGO_URL names belongs to the system over NATS whose NATS_NAMESPACE is "${noted}": ${remedy}, or MONGO_URL to a database of this system's own (docs/operations.md, "Another namespace")`,
  );
}

/**
 * Notes the store's namespace before events are relayed; only for an admitted node.
 * @throws SettingsError if another namespace was faster
 */
export async function claimNamespace(documents: DocumentStore, transport: Transport): Promise<void> {
  if (documents.backend === "mongodb" && transport.natsUrl !== undefined) {
    await getStoreIdentity(documents);
    await documents
      .collection<Identity>(IDENTITY)
      .updateOne({ _id: "store", namespace: { $exists: false } }, { $set: { namespace: transport.namespace } });
  }
  await assertNamespaceFits(documents, transport);
}

interface StoreVersion extends Document {
  number: number;
  oldest: number;
  version: string;
}

const WRITTEN: CollectionDefinition = { name: "compatibility", fields: { number: "number" } };

/** @throws SettingsError if a version wrote to the store that this one cannot follow */
export async function assertStoreFits(
  documents: DocumentStore,
  version: string,
  ownVersion: Speech = COMPATIBILITY,
): Promise<void> {
  const storedVersion = await documents.collection<StoreVersion>(WRITTEN).findOne({ _id: "store" });
  if (storedVersion && ownVersion.number < storedVersion.oldest) {
    throw new SettingsError(
      `Partline ${version} cannot use this store, to which ${storedVersion.version} has written: start that version, or restore a backup of before`,
    );
  }
}

/** Notes the version that writes to the store; only for an admitted node, as it may lock out older versions. */
export async function claimStore(
  documents: DocumentStore,
  version: string,
  ownVersion: Speech = COMPATIBILITY,
): Promise<void> {
  const collection = documents.collection<StoreVersion>(WRITTEN);
  const claim = { number: ownVersion.number, oldest: ownVersion.oldest, version };
  // Several nodes may claim at once; a later claim is never lower.
  await collection.updateOne({ _id: "store" }, { $setOnInsert: claim }, { upsert: true });
  await collection.updateOne({ _id: "store", number: { $lt: ownVersion.number } }, { $set: claim });
}
