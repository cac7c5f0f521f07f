import type { CircuitState } from "../../mixins/circuit-breaker.ts";
import { Family } from "./exposition.ts";

const STATES: readonly CircuitState[] = ["closed", "half_open", "open"];

/** The circuit breakers round outside providers; several clients of one provider are told as the worst of them. */
export class CircuitMetrics {
  readonly #states = new Map<string, (() => CircuitState)[]>();

  /** @param provider as `partline_provider_failures_total` names it */
  watch(provider: string, state: () => CircuitState): void {
    this.#states.set(provider, [...(this.#states.get(provider) ?? []), state]);
  }

  families(): Family[] {
    const family = new Family(
      "partline_circuit_breaker_state",
      "gauge",
      "1 for the state that the circuit breaker round a provider is in",
    );
    for (const [provider, states] of this.#states) {
      const worst = Math.max(...states.map((state) => STATES.indexOf(state())));
      for (const [place, state] of STATES.entries()) family.add(place === worst ? 1 : 0, { provider, state });
    }
    return [family];
  }
}
