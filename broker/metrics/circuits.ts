import type { CircuitState } from "../../mixins/circuit-breaker.ts";
import type { Labels, Reading } from "./read-metric.ts";

const STATES: readonly CircuitState[] = ["closed", "half_open", "open"];

/** State of each provider's circuit breakers; the worst of several counts. */
export type Circuits = Map<string, (() => CircuitState)[]>;

export function readCircuits(circuits: Circuits): Reading {
  return [...circuits].flatMap(([provider, states]) => {
    const worst = Math.max(...states.map((state) => STATES.indexOf(state())));
    return STATES.map((state, place): [Labels, number] => [{ provider, state }, place === worst ? 1 : 0]);
  });
}
