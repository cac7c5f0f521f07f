import { MongoNetworkError, type ClientSession } from "mongodb";

/** Server error codes. Source: mongodb/mongo, src/mongo/base/error_codes.yml */
const DUPLICATE_KEY = new Set([11000, 11001, 12582]);
/**
 * HostUnreachable, HostNotFound, Unauthorized, AuthenticationFailed, MaxTimeMSExpired, WriteConcernFailed,
 * NetworkTimeout, ShutdownInProgress, UnsatisfiableWriteConcern, WriteConflict, PrimarySteppedDown, NoSuchTransaction,
 * ExceededTimeLimit, SocketException, NotWritablePrimary, OutOfDiskSpace, and InterruptedX.
 */
const UNAVAILABLE = new Set([
  6, 7, 13, 18, 50, 64, 89, 91, 100, 112, 189, 251, 262, 9001, 10107, 11600, 11602, 13435, 13436, 14031,
]);

/** A bulk's error without a cause or a failed item means that the write concern was not met. */
const UNAVAILABLE_NAME =
  /^PoolCleared|^Mongo(Network|ServerSelection|PoolCleared|PoolClosed|WaitQueueTimeout|NotConnected|TopologyClosed|ClientClosed|ExpiredSession|WriteConcern|OperationTimeout|ServerClosed|ClientBulkWrite)/;

const BULK_ERROR = "MongoClientBulkWriteError";

/** Labels of errors without a connection. */
const NO_CONNECTION = ["HandshakeError", "SystemOverloadedError"];

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

/** The whole transaction may be repeated. */
export function isTransient(error: unknown): boolean {
  return hasLabel(error, "TransientTransactionError");
}

/** The commit may be repeated: its outcome is unknown. */
export function isCommitUnknown(error: unknown): boolean {
  return hasLabel(error, "UnknownTransactionCommitResult");
}

/** The answer to a write was lost, or no majority confirmed it. */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown";
}

/**
 * Returns whether a failed write outside of a transaction may have been made.
 * @param session its own: the driver repeats the write on another connection, and throws that attempt's error
 */
export function mayBeWritten(error: Error, session: ClientSession): boolean {
  // The driver wraps what the server says to a whole bulk.
  const cause = error.name === BULK_ERROR && error.cause instanceof Error ? error.cause : error;
  return (
    session.serverSession.isDirty ||
    cause.name === BULK_ERROR ||
    cause.name === "MongoWriteConcernError" ||
    (cause instanceof MongoNetworkError && !wasNeverSent(cause))
  );
}

/** Returns whether there was no connection to send the command. */
function wasNeverSent(error: MongoNetworkError): boolean {
  return (
    error.name === "MongoPoolClearedError" ||
    NO_CONNECTION.some((label) => hasLabel(error, label)) ||
    (error.cause as NodeJS.ErrnoException | undefined)?.syscall === "connect"
  );
}

function hasLabel(error: unknown, label: string): boolean {
  return error instanceof Error && ((error as LabelledError).hasErrorLabel?.(label) ?? false);
}
