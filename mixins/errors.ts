import { CodedError, getAt } from "@partline/toolkit";

const final = (status: number, meaning: string) => ({ status, retryable: false, meaning });
const createRetryable = (status: number, meaning: string) => ({ status, retryable: true, meaning });

/**
 * Every error that a caller can get, its HTTP status, and whether the same call may be repeated as it is. Source:
 * section 3 of the design; SERVICE_UNAVAILABLE is added for a missing part of the system, PRECONDITION_FAILED for what
 * HTTP asks of files.
 */
export const ERROR_CATALOGUE = {
  VALIDATION_FAILED: final(400, "A field is missing, unknown or out of range; `details` lists them all"),
  INVALID_SIGNATURE: final(400, "The webhook's signature is missing, wrong or expired"),
  INVALID_JSON: final(400, "The body is not a JSON object"),
  UNAUTHORIZED: final(401, "A credential is required, and is missing or not valid"),
  FORBIDDEN: final(403, "The credential is valid, but does not allow this"),
  NOT_FOUND: final(404, "The message names what was not found"),
  METHOD_NOT_ALLOWED: final(405, "The path exists with the methods in the Allow header"),
  CART_EXISTS: final(409, "A cart with this cartId exists"),
  ORDER_NOT_CANCELLABLE: final(409, "The order is shipped, delivered or being changed"),
  OUT_OF_STOCK: final(409, "A vendor's parts are sold only up to the stock; `details` says how many of each are left"),
  ADDRESS_MISSING: final(409, "The order ships and has no complete address: add one"),
  PAYMENT_DISPUTED: final(409, "A dispute withholds or took money of the order; `details` says how much"),
  SHIPPING_UNDERPAID: final(
    409,
    "Shipping to this address costs more than the buyer paid; `details` has the difference and both zones",
  ),
  INVALID_TRANSITION: final(409, "The order's state does not allow this step"),
  BUILD_RUNNING: final(409, "Another build of a search index is running; `details` names it"),
  VERSION_CONFLICT: final(409, "The resource changed since it was read"),
  IDEMPOTENCY_KEY_REUSED: final(409, "The Idempotency-Key was sent with another request in the last 24 hours"),
  IDEMPOTENCY_KEY_IN_USE: createRetryable(
    409,
    "A request with this Idempotency-Key is in progress; Retry-After says when to retry",
  ),
  PRECONDITION_FAILED: final(412, "The file has none of the ETags that If-Match names"),
  PAYLOAD_TOO_LARGE: final(413, "The body is larger than this path takes"),
  UNSUPPORTED_MEDIA_TYPE: final(415, "The body's Content-Type is not the documented one"),
  RANGE_NOT_SATISFIABLE: final(416, "The range begins beyond the end of the file; Content-Range has its length"),
  RATE_LIMITED: createRetryable(429, "Too many requests; Retry-After says when to retry"),
  CLIENT_CLOSED_REQUEST: final(
    499,
    "The client left before the end of its request. Appears only in logs and the audit stream",
  ),
  INTERNAL_ERROR: final(500, "An internal error; find it in the logs by the request id"),
  PROVIDER_ERROR: createRetryable(502, "An external provider failed or refused the request"),
  DATABASE_UNAVAILABLE: createRetryable(503, "The store cannot be reached or written; nothing was changed"),
  SERVICE_UNAVAILABLE: createRetryable(
    503,
    "A required part of the system is not running or overloaded; Retry-After says when to retry",
  ),
  TIMEOUT: createRetryable(504, "No answer in time"),
};

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/**
 * The one error of the product. `code` says what happened (never use instanceof: the class is lost between nodes).
 * `data` becomes the envelope's `details`: nothing secret, no personal data.
 */
export class PartlineError extends CodedError<ErrorCode> {
  override readonly name = "PartlineError";

  constructor(code: ErrorCode, message: string, details?: unknown, options?: ErrorOptions) {
    super(code, message, details, { ...options, retryable: ERROR_CATALOGUE[code].retryable });
  }
}

/** The catalogue code of an error from a local or remote call; undefined when it has none. */
export function errorCode(error: unknown): ErrorCode | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : undefined;
}

/** Returns whether an error from a call has one of these codes. */
export function hasCode(error: unknown, ...codes: ErrorCode[]): boolean {
  const code = errorCode(error);
  return code !== undefined && codes.includes(code);
}

/** Returns what a call or request answers; undefined where it is NOT_FOUND. */
export async function ifFound<T>(answer: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (hasCode(error, "NOT_FOUND")) return undefined;
    throw error;
  }
}

export interface FieldProblem {
  field: string;
  message: string;
  /** What is wrong, for clients with words of their own, and the values in them. */
  code?: string;
  values?: Record<string, string | number>;
}

/** 400 VALIDATION_FAILED: the message is the first problem's, the details list all. */
export function validationFailed(problems: FieldProblem | [FieldProblem, ...FieldProblem[]]): PartlineError {
  const list = Array.isArray(problems) ? problems : [problems];
  return new PartlineError("VALIDATION_FAILED", getAt(list, 0).message, list);
}

/** 400 VALIDATION_FAILED: `invalidField("quote", "is forged")` reads `The 'quote' field is forged.` */
export function invalidField(field: string, why: string): PartlineError {
  return validationFailed({ field, message: `The '${field}' field ${why}.` });
}

/** 404 NOT_FOUND: `notFound("Order", "ord_1")` reads `Order ord_1 not found`. */
export function notFound(what: string, id?: string): PartlineError {
  return new PartlineError("NOT_FOUND", id === undefined ? `${what} not found` : `${what} ${id} not found`);
}

/** @throws VERSION_CONFLICT unless a request names no version, or the current one */
export function assertVersion(what: string, version: number | undefined, current: number): void {
  if (version === undefined || version === current) return;
  const message = `${what} changed since version ${version}: read version ${current} first`;
  throw new PartlineError("VERSION_CONFLICT", message, { version: current });
}

/** 503 SERVICE_UNAVAILABLE for a mail that is asked for while SMTP_URL is off. */
export function createMailOffError(): PartlineError {
  return new PartlineError("SERVICE_UNAVAILABLE", "No mail is sent: SMTP_URL is off");
}

/** 503 SERVICE_UNAVAILABLE for a request beyond the `most` that may be under way at once. */
export function tooMany(most: number): PartlineError {
  return new PartlineError(
    "SERVICE_UNAVAILABLE",
    `More than ${most} of these are under way at once: try again in a moment`,
  );
}
