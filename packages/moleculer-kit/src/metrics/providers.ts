import type { ServiceBroker } from "moleculer";
import type { CircuitState } from "@partline/toolkit";
import { getMetrics } from "./metrics.ts";

/** An outside provider's failed tries, and the state of its circuit breaker. */
export function watchProvider(broker: ServiceBroker, provider: string) {
  const { providerFailures, circuits } = getMetrics(broker);
  return {
    onFailure: (reason: string): void => providerFailures.inc({ provider, reason }),
    watchCircuit: (state: () => CircuitState): void =>
      void circuits.set(provider, [...(circuits.get(provider) ?? []), state]),
  };
}
