import { randomUUID } from "node:crypto";
import {
  hasStoreCode,
  type CollectionDefinition,
  type Document,
  type DocumentStore,
} from "../../mixins/document-store/port.ts";
import { SettingsError } from "../settings/reader.ts";
import type { Settings } from "../settings.ts";

export interface Identity extends Document {
  id: string;
  /** Of the system over NATS that the store belongs to; none yet has written where it is missing. */
  namespace?: string;
}

type Transport = Pick<Settings, "natsUrl" | "namespace">;

export const IDENTITY: CollectionDefinition = { name: "identity", fields: { id: "string", namespace: "string" } };

/** The store's own, so that it does not matter by which of its addresses it is reached. */
export async function storeIdentity(documents: DocumentStore): Promise<string> {
  const identities = documents.collection<Identity>(IDENTITY);
  const known = await identities.findOne({ _id: "store" });
  if (known) return known.id;
  try {
    const id = randomUUID();
    await identities.insertOne({ _id: "store", id });
    return id;
  } catch (error) {
    if (hasStoreCode(error, "DUPLICATE_KEY")) return storeIdentity(documents);
    throw error;
  }
}

/**
 * All processes relay the store's one outbox: one that relays it elsewhere, to another namespace's stream or to the
 * rows of channels over the store, takes events from the others for good. Nodes of another namespace do not hear each
 * other, so the store tells. An embedded one has one process, which takes what it relayed along.
 * @throws SettingsError
 */
export async function assertNamespaceFits(documents: DocumentStore, { natsUrl, namespace }: Transport): Promise<void> {
  if (documents.backend !== "mongodb") return;
  const noted = (await documents.collection<Identity>(IDENTITY).findOne({ _id: "store" }))?.namespace;
  if (noted === undefined || (natsUrl !== undefined && noted === namespace)) return;
  const problem = natsUrl === undefined ? "NATS_URL is not set" : `NATS_NAMESPACE is "${namespace}"`;
  const remedy =
    natsUrl === undefined ? "set NATS_URL as its other processes have it" : `set NATS_NAMESPACE to "${noted}"`;
  throw new SettingsError(
    `${problem}, but the store that MONGO_URL names belongs to the system over NATS whose NATS_NAMESPACE is "${noted}": ${remedy}, or MONGO_URL to a database of this system's own (docs/operations.md, "Another namespace")`,
  );
}

/**
 * Notes in the store whose it is from now on, before its events are relayed: for a node that the others have let in.
 * @throws SettingsError where a process of another namespace was faster
 */
export async function claimNamespace(documents: DocumentStore, transport: Transport): Promise<void> {
  if (documents.backend === "mongodb" && transport.natsUrl !== undefined) {
    await storeIdentity(documents);
    await documents
      .collection<Identity>(IDENTITY)
      .updateOne({ _id: "store", namespace: { $exists: false } }, { $set: { namespace: transport.namespace } });
  }
  await assertNamespaceFits(documents, transport);
}
