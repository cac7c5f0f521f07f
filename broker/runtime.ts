import type { ServiceBroker } from "moleculer";
import type { DocumentStore } from "../mixins/document-store/port.ts";
import type { Channels } from "./channels/port.ts";
import type { EntryPoint } from "./contract/define.ts";
import type { Settings } from "./settings.ts";

/** What the services of one process share. It never travels: secrets in it stay out of Moleculer's `settings`. */
export interface Runtime {
  settings: Settings;
  documents: DocumentStore;
  channels: Channels;
}

const runtimes = new WeakMap<ServiceBroker, Runtime>();

export function attachRuntime(broker: ServiceBroker, runtime: Runtime): void {
  runtimes.set(broker, runtime);
}

/** The runtime of the broker that a service is created on. */
export function runtimeOf(broker: ServiceBroker): Runtime {
  const runtime = runtimes.get(broker);
  if (!runtime) throw new Error("No runtime is attached to this broker: start it with bin/start.ts or moleculer.config.ts");
  return runtime;
}

/** `http://host:port` of an entry point as a client on this machine reaches it. */
export function entryPointUrl(settings: Settings, entry: EntryPoint): string {
  const host = settings.host === "0.0.0.0" || settings.host === "::" ? "127.0.0.1" : settings.host;
  return `http://${host.includes(":") ? `[${host}]` : host}:${settings.ports[entry]}`;
}
