import { circuitBreaker, CircuitState as State, ConsecutiveBreaker, handleAll, isBrokenCircuitError } from "cockatiel";

export type CircuitState = "closed" | "half_open" | "open";

export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. */
  failures: number;
  /** Time that it stays open before one trial call, milliseconds. */
  openMs: number;
  /** Returns whether an error means that the other side is in trouble; a refusal of one request does not. */
  isFailure: (error: unknown) => boolean;
  whenOpen: () => Error;
  /** Receives, once, a function that returns the circuit's state. */
  watchCircuit?: ((state: () => CircuitState) => void) | undefined;
}

/**
 * Opens after some failures in a row: calls then fail at once instead of queueing behind a dead provider. After a pause
 * one trial call decides whether it closes.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions): <T>(work: () => Promise<T>) => Promise<T> {
  const { failures, openMs, isFailure, whenOpen } = options;
  const breaker = circuitBreaker(handleAll, { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failures) });

  options.watchCircuit?.(() => toCircuitState(breaker.state));

  return async (work) => {
    // The library would let calls wait for the end of the trial.
    if (breaker.state === State.HalfOpen) throw whenOpen();
    const outcome = await breaker
      .execute(() => attempt(work, isFailure))
      .catch((error: unknown) => {
        throw error instanceof Error && isBrokenCircuitError(error) ? whenOpen() : error;
      });
    if ("refusal" in outcome) throw outcome.refusal;
    return outcome.result;
  };
}

function toCircuitState(state: State): CircuitState {
  if (state === State.Closed) return "closed";
  return state === State.HalfOpen ? "half_open" : "open";
}

/** A refusal ends a row of failures as any answer does; the library counts errors as failures, or ignores them. */
async function attempt<T>(
  work: () => Promise<T>,
  isFailure: (error: unknown) => boolean,
): Promise<{ result: T } | { refusal: unknown }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (isFailure(error)) throw error;
    return { refusal: error };
  }
}
