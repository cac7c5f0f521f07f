/**
 * Every error that a caller can get, its HTTP status, and whether the same call may be repeated as it is. Source:
 * section 3 of the design; SERVICE_UNAVAILABLE is added for a missing part of the system, PRECONDITION_FAILED for what
 * HTTP asks of files.
 */
export const ERROR_CATALOGUE = {
  VALIDATION_FAILED: {
    status: 400,
    retryable: false,
    meaning: "A field is missing, unknown or out of range; `details` lists them all",
  },
  INVALID_SIGNATURE: {
    status: 400,
    retryable: false,
    meaning: "The webhook's signature is missing, wrong or expired",
  },
  INVALID_JSON: { status: 400, retryable: false, meaning: "The body is not a JSON object" },
  UNAUTHORIZED: { status: 401, retryable: false, meaning: "A credential is required, and is missing or not valid" },
  FORBIDDEN: { status: 403, retryable: false, meaning: "The credential is valid, but does not allow this" },
  NOT_FOUND: { status: 404, retryable: false, meaning: "The message names what was not found" },
  METHOD_NOT_ALLOWED: {
    status: 405,
    retryable: false,
    meaning: "The path exists with the methods in the Allow header",
  },
  CART_EXISTS: { status: 409, retryable: false, meaning: "A cart with this cartId exists" },
  ORDER_NOT_CANCELLABLE: { status: 409, retryable: false, meaning: "The order is shipped, delivered or being changed" },
  OUT_OF_STOCK: {
    status: 409,
    retryable: false,
    meaning: "A vendor's parts are sold up to the stock alone; `details` says what is left of each",
  },
  ADDRESS_MISSING: {
    status: 409,
    retryable: false,
    meaning: "The order ships, and lacks a whole address: give it one",
  },
  INVALID_TRANSITION: { status: 409, retryable: false, meaning: "The order's state does not allow this step" },
  BUILD_RUNNING: {
    status: 409,
    retryable: false,
    meaning: "Another build of a search index is running; `details` names it",
  },
  VERSION_CONFLICT: { status: 409, retryable: false, meaning: "The resource changed since it was read" },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    retryable: false,
    meaning: "The Idempotency-Key was sent with another request in the last 24 hours",
  },
  IDEMPOTENCY_KEY_IN_USE: {
    status: 409,
    retryable: true,
    meaning: "A request with this Idempotency-Key is under way; Retry-After says when to come back",
  },
  PRECONDITION_FAILED: { status: 412, retryable: false, meaning: "The file has none of the ETags that If-Match names" },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false, meaning: "The body is larger than this path takes" },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    retryable: false,
    meaning: "The body's Content-Type is not the documented one",
  },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    retryable: false,
    meaning: "The range begins beyond the end of the file; Content-Range says how long it is",
  },
  RATE_LIMITED: { status: 429, retryable: true, meaning: "Too many requests; Retry-After says when" },
  INTERNAL_ERROR: { status: 500, retryable: false, meaning: "An internal error; the request id finds it in the logs" },
  PROVIDER_ERROR: { status: 502, retryable: true, meaning: "An external provider failed or refused the request" },
  DATABASE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    meaning: "The store cannot be reached or written; nothing was changed",
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    retryable: true,
    meaning:
      "A part of the system that this needs is not running, or has too much to do; Retry-After says when to come back",
  },
  TIMEOUT: { status: 504, retryable: true, meaning: "No answer in time" },
} as const satisfies Record<string, { status: number; retryable: boolean; meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CATALOGUE;

/**
 * The one error of the product. `code` says what happened (never use instanceof: the class is lost between nodes).
 * `data` becomes the envelope's `details`: nothing secret, no personal data.
 */
export class PartlineError extends Error {
  override readonly name = "PartlineError";
  readonly code: ErrorCode;
  /** Moleculer carries `type`, `data` and `retryable` between nodes and reads them in its middlewares. */
  readonly type: ErrorCode;
  readonly retryable: boolean;
  readonly data: unknown;

  constructor(code: ErrorCode, message: string, details?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.type = code;
    this.retryable = ERROR_CATALOGUE[code].retryable;
    this.data = details;
  }
}

/** The catalogue code of an error from a local or remote call; undefined when it has none. */
export function errorCode(error: unknown): ErrorCode | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : undefined;
}

export function hasCode(error: unknown, ...codes: ErrorCode[]): boolean {
  const code = errorCode(error);
  return code !== undefined && codes.includes(code);
}

export interface FieldProblem {
  field: string;
  message: string;
}

/** 400 VALIDATION_FAILED: the message is the first problem's, the details list all. */
export function validationFailed(problems: FieldProblem | [FieldProblem, ...FieldProblem[]]): PartlineError {
  const list = Array.isArray(problems) ? problems : [problems];
  return new PartlineError("VALIDATION_FAILED", list[0]!.message, list);
}

/** 404 NOT_FOUND: `notFound("Order", "ord_1")` reads `Order ord_1 not found`. */
export function notFound(what: string, id?: string): PartlineError {
  return new PartlineError("NOT_FOUND", id === undefined ? `${what} not found` : `${what} ${id} not found`);
}
