import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts.ts";
import type { FindKey } from "./known-keys.ts";

/** Longest wait for the access service, milliseconds. */
const WITHIN_MS = 3_000;

/** Finds keys by the access service, wherever it runs. */
export function keyFinder(broker: ServiceBroker): FindKey {
  return async (hash) => (await call(broker, "access.findKey", { hash }, { timeout: WITHIN_MS })).key;
}
