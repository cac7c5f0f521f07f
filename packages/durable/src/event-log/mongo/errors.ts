import { isUnavailable, OutcomeUnknown } from "../../mongo/errors.ts";
import { EventLogError } from "../port.ts";

export function createUnavailable(reason: string, cause?: unknown): EventLogError {
  return new EventLogError("UNAVAILABLE", `The event log is unavailable: ${reason}`, { cause });
}

/**
 * Returns what a caller of the port sees of a driver's error. Messages of the server may quote events: none is passed
 * on.
 */
export function toLogError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof EventLogError) return error;
  if (error instanceof OutcomeUnknown)
    return new EventLogError("OUTCOME_UNKNOWN", "The event log went away midway", { cause: error });
  // The driver wraps what the server says to a whole bulk.
  if (error.cause instanceof Error && isUnavailable(error.cause)) return createUnavailable(error.cause.name, error);
  return isUnavailable(error) ? createUnavailable(error.name, error) : error;
}
