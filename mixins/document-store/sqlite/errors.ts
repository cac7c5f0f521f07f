import { isUnavailable } from "../../sqlite-error.ts";
import { DocumentStoreError } from "../port.ts";
import type { WireError } from "./protocol.ts";

export function unavailable(reason: string, cause?: unknown): DocumentStoreError {
  return new DocumentStoreError("UNAVAILABLE", `The document store is unavailable: ${reason}`, { cause });
}

export function outcomeUnknown(reason: string): DocumentStoreError {
  return new DocumentStoreError("OUTCOME_UNKNOWN", `The document store went away in the middle of a write: ${reason}`);
}

/** What a caller of the port sees of an error that SQLite raised. */
export function toStoreError(error: unknown): unknown {
  return isUnavailable(error) ? unavailable((error as Error).message, error) : error;
}

export function toWire(error: unknown): WireError {
  const known = toStoreError(error);
  if (known instanceof DocumentStoreError)
    return { code: known.code, message: known.message, failedAt: known.failedAt };
  return { message: known instanceof Error ? known.message : String(known) };
}

export function fromWire({ code, message, failedAt }: WireError): Error {
  if (code === undefined) return new Error(message);
  const error = new DocumentStoreError(code, message);
  if (failedAt !== undefined) error.failedAt = failedAt;
  return error;
}
