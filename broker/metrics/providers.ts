import type { ServiceBroker } from "moleculer";
import type { CircuitState } from "../../mixins/circuit-breaker.ts";
import { metricsOf } from "./metrics.ts";

/** Reports of an outside provider's client: failed tries, and its circuit breaker. */
interface ProviderWatch {
  onFailure: (reason: string) => void;
  watchCircuit: (state: () => CircuitState) => void;
}

export function watchProvider(broker: ServiceBroker, provider: string): ProviderWatch {
  const { providerFailures, circuits } = metricsOf(broker);
  return {
    onFailure: (reason) => providerFailures.inc({ provider, reason }),
    watchCircuit: (state) => circuits.set(provider, [...(circuits.get(provider) ?? []), state]),
  };
}
