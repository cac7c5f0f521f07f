import type { BrokerOptions, Middleware, ServiceBroker } from "moleculer";
import type { CollectionDefinition, Document, DocumentStore } from "../mixins/document-store/port.ts";
import { SettingsError } from "./settings-reader.ts";

/** What a version speaks with others, and writes for them: contracts, packets, events, documents. */
export interface Speech {
  /** Raised by each release that changes any of it. */
  number: number;
  /** The lowest number that can run beside this one and over what it writes; raised to `number` where an old node would misread it. What older ones wrote each one reads. */
  oldest: number;
}

export const COMPATIBILITY: Speech = { number: 1, oldest: 1 };

/** Whether nodes of both can be one system, which a rolling upgrade makes of them for a while. */
export function fit(one: Speech, other: Speech): boolean {
  return one.number >= other.oldest && other.number >= one.oldest;
}

interface Told extends Speech {
  version: string;
}

/**
 * Broker options with which a node tells the others what it speaks, and does not start beside one that it does not fit.
 * (Others are known when the first service starts: the transporter has by then waited for their word.)
 */
export function withCompatibility(options: BrokerOptions, version: string, own: Speech = COMPATIBILITY): BrokerOptions {
  const told: Told = { ...own, version };
  return { ...options, metadata: { ...options.metadata, compatibility: told }, middlewares: [refuseMisfits(told), ...(options.middlewares ?? [])] };
}

function refuseMisfits(own: Told): Middleware {
  let broker: ServiceBroker;
  return {
    name: "Compatibility",
    created: (created: ServiceBroker) => {
      broker = created;
    },
    serviceStarting: async () => {
      for (const { id, speech } of others(broker)) {
        if (!fit(own, speech)) {
          throw new SettingsError(`Partline ${own.version} cannot run beside ${speech.version}, which node ${id} is: stop all nodes of the one before the other starts (docs/operations.md)`);
        }
      }
    },
  };
}

interface KnownNode {
  id: string;
  local: boolean;
  metadata?: { compatibility?: Told };
}

/** What runs in the namespace and is none of ours says nothing of it. */
function others(broker: ServiceBroker): { id: string; speech: Told }[] {
  const nodes = broker.registry.nodes.list({ onlyAvailable: true, withServices: false }) as unknown as KnownNode[];
  return nodes.flatMap(({ id, local, metadata }) => (!local && metadata?.compatibility ? [{ id, speech: metadata.compatibility }] : []));
}

interface Written extends Document {
  number: number;
  oldest: number;
  version: string;
}

const WRITTEN: CollectionDefinition = { name: "compatibility", fields: { number: "number" } };

/** @throws SettingsError where a version has written to the store that this one cannot follow */
export async function assertStoreFits(documents: DocumentStore, version: string, own: Speech = COMPATIBILITY): Promise<void> {
  const before = await documents.collection<Written>(WRITTEN).findOne({ _id: "store" });
  if (before && own.number < before.oldest) {
    throw new SettingsError(`Partline ${version} cannot use this store, to which ${before.version} has written: start that version, or restore a backup of before`);
  }
}

/** Notes in the store what writes to it from now on: for a node that the others have let in, since it may end what older versions can do with it. */
export async function claimStore(documents: DocumentStore, version: string, own: Speech = COMPATIBILITY): Promise<void> {
  const collection = documents.collection<Written>(WRITTEN);
  const claim = { number: own.number, oldest: own.oldest, version };
  // Several nodes may claim at once; nobody's later claim is for less.
  await collection.updateOne({ _id: "store" }, { $setOnInsert: claim }, { upsert: true });
  await collection.updateOne({ _id: "store", number: { $lt: own.number } }, { $set: claim });
}
