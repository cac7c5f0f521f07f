import { randomUUID } from "node:crypto";
import type { CollectionDefinition, Document, DocumentStore } from "../../mixins/document-store/port.ts";
import { SettingsError } from "../settings/reader.ts";
import type { Settings } from "../settings.ts";

export interface Identity extends Document {
  id: string;
  /** The system over NATS, once one has written. */
  namespace?: string;
}

type Transport = Pick<Settings, "natsUrl" | "namespace">;

export const IDENTITY: CollectionDefinition = { name: "identity", fields: { id: "string", namespace: "string" } };

/** The same by any of the store's addresses. */
export async function storeIdentity(documents: DocumentStore): Promise<string> {
  const identities = documents.collection<Identity>(IDENTITY);
  const made = { $setOnInsert: { id: randomUUID() } };
  return (await identities.findOneAndUpdate({ _id: "store" }, made, { upsert: true }))!.id;
}

/**
 * All processes relay the store's one outbox: one that relays it elsewhere takes events from the others for good. Nodes
 * of another namespace do not hear each other, so the store says it.
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

/** Only for an admitted node, before events are relayed. @throws SettingsError if another namespace was faster */
export async function claimNamespace(documents: DocumentStore, transport: Transport): Promise<void> {
  if (documents.backend === "mongodb" && transport.natsUrl !== undefined) {
    await storeIdentity(documents);
    await documents
      .collection<Identity>(IDENTITY)
      .updateOne({ _id: "store", namespace: { $exists: false } }, { $set: { namespace: transport.namespace } });
  }
  await assertNamespaceFits(documents, transport);
}
