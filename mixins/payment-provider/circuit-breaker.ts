export interface CircuitBreakerOptions {
  /** Failures in a row that open the circuit. */
  failures: number;
  /** How long it stays open before one call is let through as a trial, in milliseconds. */
  openMs: number;
  /** Whether an error says that the other side is in trouble; a refusal of one request does not. */
  isFailure: (error: unknown) => boolean;
  /** The error of a call while the circuit is open. */
  whenOpen: () => Error;
  now?: () => number;
}

/**
 * A circuit breaker: after some failures in a row, calls fail at once instead of queueing up behind a provider that
 * does not answer; after a pause one trial call decides whether it closes.
 */
export function createCircuitBreaker(options: CircuitBreakerOptions): <T>(work: () => Promise<T>) => Promise<T> {
  const { failures, openMs, isFailure, whenOpen, now = Date.now } = options;
  let failedInARow = 0;
  let openUntil = 0;
  let trialRuns = false;

  return async (work) => {
    const trial = failedInARow >= failures;
    if (trial && (trialRuns || now() < openUntil)) throw whenOpen();
    trialRuns = trial;
    try {
      const result = await work();
      failedInARow = 0;
      return result;
    } catch (error) {
      if (isFailure(error)) {
        failedInARow += 1;
        if (failedInARow >= failures) openUntil = now() + openMs;
      } else {
        failedInARow = 0;
      }
      throw error;
    } finally {
      if (trial) trialRuns = false;
    }
  };
}
