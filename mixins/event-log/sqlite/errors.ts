import { isUnavailable } from "../../sqlite-error.ts";
import { EventLogError } from "../port.ts";
import type { WireError } from "./protocol.ts";

export function unavailable(reason: string, cause?: unknown): EventLogError {
  return new EventLogError("UNAVAILABLE", `The event log is unavailable: ${reason}`, { cause });
}

export function outcomeUnknown(reason: string): EventLogError {
  return new EventLogError("OUTCOME_UNKNOWN", `The event log went away in the middle of an append: ${reason}`);
}

/** What a caller of the port sees of an error that SQLite raised. */
export function toLogError(error: unknown): unknown {
  return isUnavailable(error) ? unavailable((error as Error).message, error) : error;
}

export function toWire(error: unknown): WireError {
  const known = toLogError(error);
  if (known instanceof EventLogError)
    return { code: known.code, message: known.message, actualVersion: known.actualVersion };
  return { message: known instanceof Error ? known.message : String(known) };
}

export function fromWire({ code, message, actualVersion }: WireError): Error {
  return code === undefined ? new Error(message) : new EventLogError(code, message, { actualVersion });
}
