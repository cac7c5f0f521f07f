import { DocumentStoreError } from "../port.ts";

/** Server error codes. Source: mongodb/mongo, src/mongo/base/error_codes.yml */
const DUPLICATE_KEY = new Set([11000, 11001, 12582]);
/** BadValue, FailedToParse, TypeMismatch, PathNotViable, ImmutableField, BSONObjectTooLarge, "too large after the update", bad pattern. */
const REFUSED = new Set([2, 9, 14, 28, 66, 10334, 17419, 17420, 51091]);
/**
 * HostUnreachable, HostNotFound, Unauthorized, AuthenticationFailed, MaxTimeMSExpired, WriteConcernFailed, NetworkTimeout,
 * ShutdownInProgress, UnsatisfiableWriteConcern, WriteConflict, PrimarySteppedDown, NoSuchTransaction,
 * ExceededTimeLimit, SocketException, NotWritablePrimary, OutOfDiskSpace, and InterruptedX.
 */
const UNAVAILABLE = new Set([6, 7, 13, 18, 50, 64, 89, 91, 100, 112, 189, 251, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);

/** A bulk's error that is about none of its items and has no cause says that the write concern was not met. */
const UNAVAILABLE_NAME = /^Mongo(Network|ServerSelection|PoolCleared|PoolClosed|WaitQueueTimeout|NotConnected|TopologyClosed|ClientClosed|ExpiredSession|WriteConcern|OperationTimeout|ServerClosed|ClientBulkWrite)/;

interface ServerError extends Error {
  code?: unknown;
  keyPattern?: Record<string, unknown>;
  keyValue?: Record<string, unknown>;
  hasErrorLabel?(label: string): boolean;
}

/**
 * What a caller of the port sees of a driver's error; `refusal` is the code for values that the server does not take.
 * Messages of the server may quote documents: none is passed on.
 */
export function toStoreError(error: unknown, collection = "The store", refusal: "BAD_DOCUMENT" | "BAD_QUERY" = "BAD_DOCUMENT"): unknown {
  if (!(error instanceof Error) || error instanceof DocumentStoreError) return error;
  // The driver keeps what the server says to a bulk as a whole inside an error of its own.
  if (error.name === "MongoClientBulkWriteError" && error.cause) return toStoreError(error.cause, collection, refusal);
  const { code, keyPattern, name } = error as ServerError;
  if (isDuplicateKey(error)) {
    const fields = keyPattern ? Object.keys(keyPattern).join(", ") : "unique value";
    return new DocumentStoreError("DUPLICATE_KEY", `${collection}: another document has the same ${fields}`, { cause: error });
  }
  if (isTransient(error) || UNAVAILABLE_NAME.test(name) || (typeof code === "number" && UNAVAILABLE.has(code))) {
    return new DocumentStoreError("UNAVAILABLE", `The document store is unavailable: ${name}`, { cause: error });
  }
  if ((typeof code === "number" && REFUSED.has(code)) || /larger than the maximum size|out of range/.test(error.message)) {
    return new DocumentStoreError(refusal, `${collection}: the server does not take these values (${String(code ?? name)})`, { cause: error });
  }
  return error;
}

export function isDuplicateKey(error: unknown): error is ServerError {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "number" && DUPLICATE_KEY.has(code);
}

/** The values that a duplicate key error is about, as a filter. */
export function duplicateValues(error: unknown): Record<string, unknown> | undefined {
  return isDuplicateKey(error) ? error.keyValue : undefined;
}

/** The whole transaction may be tried again. */
export function isTransient(error: unknown): boolean {
  return hasLabel(error, "TransientTransactionError");
}

/** The commit may be tried again: whether it happened is not known. */
export function isCommitUnknown(error: unknown): boolean {
  return hasLabel(error, "UnknownTransactionCommitResult");
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof Error && ((error as ServerError).hasErrorLabel?.(label) ?? false);
}
