import type { ClientSession } from "mongodb";
import { isDuplicateKey, isUnavailable, mayBeWritten, OutcomeUnknown } from "../../mongo/errors.ts";
import { DocumentStoreError, hasStoreCode } from "../port.ts";

/**
 * Source: mongodb/mongo, src/mongo/base/error_codes.yml. BadValue, FailedToParse, TypeMismatch, PathNotViable,
 * ImmutableField, BSONObjectTooLarge, "too large after the update", bad pattern.
 */
const REFUSED = new Set([2, 9, 14, 28, 66, 10334, 17419, 17420, 51091]);

interface ServerError extends Error {
  code?: unknown;
  keyPattern?: Record<string, unknown>;
  keyValue?: Record<string, unknown>;
}

/**
 * Returns what a caller of the port sees of a driver's error; `refusal` is the code for refused values. Messages of the
 * server may quote documents: none is passed on.
 */
export function toStoreError(
  error: unknown,
  collection = "The store",
  refusal: "BAD_DOCUMENT" | "BAD_QUERY" = "BAD_DOCUMENT",
): unknown {
  if (!(error instanceof Error) || error instanceof DocumentStoreError) return error;
  // The driver wraps what the server says to a whole bulk.
  if (error.name === "MongoClientBulkWriteError" && error.cause) return toStoreError(error.cause, collection, refusal);
  if (error instanceof OutcomeUnknown) return createOutcomeUnknown(error);
  const { code, keyPattern, name } = error as ServerError;
  if (isDuplicateKey(error)) {
    const fields = keyPattern ? Object.keys(keyPattern).join(", ") : "unique value";
    return new DocumentStoreError("DUPLICATE_KEY", `${collection}: another document has the same ${fields}`, {
      cause: error,
    });
  }
  if (isUnavailable(error)) {
    return new DocumentStoreError("UNAVAILABLE", `The document store is unavailable: ${name}`, { cause: error });
  }
  if (
    (typeof code === "number" && REFUSED.has(code)) ||
    /larger than the maximum size|out of range/.test(error.message)
  ) {
    return new DocumentStoreError(
      refusal,
      `${collection}: the server does not take these values (${typeof code === "number" ? code : name})`,
      { cause: error },
    );
  }
  return error;
}

/** Converts the error of a write outside a transaction, like `toStoreError`. @param session its own */
export function toWriteError(error: unknown, collection: string, session: ClientSession): unknown {
  const storeError = toStoreError(error, collection);
  return hasStoreCode(storeError, "UNAVAILABLE") && mayBeWritten(error as Error, session)
    ? createOutcomeUnknown(error)
    : storeError;
}

export function createOutcomeUnknown(cause: unknown): DocumentStoreError {
  return new DocumentStoreError("OUTCOME_UNKNOWN", "The document store went away in the middle of a write", { cause });
}

/** The values that a duplicate key error is about, as a filter. */
export function getDuplicateValues(error: unknown): Record<string, unknown> | undefined {
  return isDuplicateKey(error) ? (error as ServerError).keyValue : undefined;
}
