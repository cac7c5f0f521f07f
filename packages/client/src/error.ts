import type { ErrorCode } from "./contract.ts";

/**
 * `NETWORK_ERROR`: there was no answer, or it broke off. `UNEXPECTED_ANSWER`: the answer is not one of Partline's, but
 * of a proxy, for example.
 */
export type ClientErrorCode = ErrorCode | "NETWORK_ERROR" | "UNEXPECTED_ANSWER";

interface Facts {
  status?: number;
  details?: unknown;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** Codes of refusals that have a text alone, the desk's. */
const CODES: Partial<Record<number, ErrorCode>> = {
  400: "VALIDATION_FAILED",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "RATE_LIMITED",
  500: "INTERNAL_ERROR",
  503: "SERVICE_UNAVAILABLE",
  504: "TIMEOUT",
};

/** Every failure of a call, except of one that the caller ended by its signal. */
export class PartlineError<Code extends ClientErrorCode = ClientErrorCode> extends Error {
  override readonly name = "PartlineError";
  readonly code: Code;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** More about the code; of VALIDATION_FAILED every refused field as `{ field, message }`. */
  readonly details: unknown;
  /** Finds the request in the server's logs. */
  readonly requestId: string | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(code: Code, message: string, { status = 0, details, requestId, retryAfter, cause }: Facts = {}) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

/** Returns whether something that was thrown is a PartlineError, with one of these codes if some are given. */
export function isPartlineError<Code extends ClientErrorCode = ClientErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is PartlineError<Code> {
  return error instanceof PartlineError && (codes.length === 0 || codes.includes(error.code as Code));
}

/** The error of a refusal's body, in any of its forms. */
export function toPartlineError(
  body: unknown,
  { status, headers }: Pick<Response, "status" | "headers">,
): PartlineError {
  const { error, detail } = (body ?? {}) as {
    error?: { code: ErrorCode; message: string; details?: unknown };
    detail?: string;
  };
  const seconds = Number(headers.get("Retry-After") ?? NaN);
  return new PartlineError(
    error?.code ?? (detail === undefined ? undefined : CODES[status]) ?? "UNEXPECTED_ANSWER",
    error?.message ?? detail ?? `The server answered ${status}`,
    {
      status,
      details: error?.details,
      requestId: headers.get("X-Request-Id") ?? undefined,
      retryAfter: seconds >= 0 ? seconds : undefined,
    },
  );
}
