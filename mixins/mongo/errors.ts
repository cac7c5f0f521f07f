/** What the server and the driver say, as far as several adapters have to tell it apart. */

/** Server error codes. Source: mongodb/mongo, src/mongo/base/error_codes.yml */
const DUPLICATE_KEY = new Set([11000, 11001, 12582]);
/**
 * HostUnreachable, HostNotFound, Unauthorized, AuthenticationFailed, MaxTimeMSExpired, WriteConcernFailed, NetworkTimeout,
 * ShutdownInProgress, UnsatisfiableWriteConcern, WriteConflict, PrimarySteppedDown, NoSuchTransaction,
 * ExceededTimeLimit, SocketException, NotWritablePrimary, OutOfDiskSpace, and InterruptedX.
 */
const UNAVAILABLE = new Set([6, 7, 13, 18, 50, 64, 89, 91, 100, 112, 189, 251, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031]);

/** A bulk's error that is about none of its items and has no cause says that the write concern was not met. */
const UNAVAILABLE_NAME = /^Mongo(Network|ServerSelection|PoolCleared|PoolClosed|WaitQueueTimeout|NotConnected|TopologyClosed|ClientClosed|ExpiredSession|WriteConcern|OperationTimeout|ServerClosed|ClientBulkWrite)/;

interface LabelledError extends Error {
  code?: unknown;
  hasErrorLabel?(label: string): boolean;
}

export function isDuplicateKey(error: unknown): boolean {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "number" && DUPLICATE_KEY.has(code);
}

/** A later try may go through: unreachable, stepping down, out of disk space, no majority. */
export function isUnavailable(error: Error): boolean {
  const { code, name } = error as LabelledError;
  return isTransient(error) || UNAVAILABLE_NAME.test(name) || (typeof code === "number" && UNAVAILABLE.has(code));
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
  return error instanceof Error && ((error as LabelledError).hasErrorLabel?.(label) ?? false);
}
