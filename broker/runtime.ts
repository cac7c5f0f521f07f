import type { ServiceBroker } from "moleculer";
import type { Channels, DocumentStore, Tasks } from "@partline/durable";
import type { DurableEvents } from "@partline/api-contracts";
import type { Settings } from "./settings.ts";

/** The stores of a process. Several processes share them only if they are not embedded. */
export interface Stores {
  documents: DocumentStore;
  channels: Channels;
  tasks: Tasks;
  /** Events of all contracts, so that a service that handles all of them loads only its own contract. */
  events: DurableEvents;
}

/**
 * Objects that the parts of a process share. They never travel, unlike Moleculer's `settings`, so they may hold
 * secrets. A process without services (entry points alone, a joined REPL) has no stores.
 */
export interface Runtime {
  settings: Settings;
  stores?: Stores;
  /** The process is not ready yet. */
  starting?: true;
  /** Resolves once the start is over and the catalog filled: work that nobody waits for begins then. */
  ready?: Promise<void>;
  /** The process stops: it takes in nothing new and finishes what it has begun. */
  draining?: true;
  /** Stops the process as a signal does. */
  leave?: () => void;
}

const runtimes = new WeakMap<ServiceBroker, Runtime>();

export function attachRuntime(broker: ServiceBroker, runtime: Runtime): void {
  runtimes.set(broker, runtime);
}

export function getRuntime(broker: ServiceBroker): Runtime {
  const runtime = runtimes.get(broker);
  if (!runtime)
    throw new Error("No runtime is attached to this broker: start it with bin/start.ts or moleculer.config.ts");
  return runtime;
}

/** Settings and stores for a service. */
export function getServiceRuntime(broker: ServiceBroker): { settings: Settings } & Stores {
  const { settings, stores } = getRuntime(broker);
  if (!stores) throw new Error("This process was started without stores, so it cannot run a service");
  return { settings, ...stores };
}
