import type { ServiceBroker } from "moleculer";

const STARTS_MS = 5_000;

/** Waits until a service is there, the first time: at a start it may come a little later. */
export function waitFor(broker: ServiceBroker, service: string): () => Promise<void> {
  let isThere = false;
  return async () => {
    if (!isThere) await broker.waitForServices(service, STARTS_MS, STARTS_MS / 20);
    isThere = true;
  };
}
