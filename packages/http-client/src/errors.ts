import { CodedError } from "@partline/toolkit";

/**
 * What became of a request:
 * - `timed_out`: no whole answer in time; it may have been done
 * - `unreachable`: no connection, or a broken one
 * - `failed`: a fault of the provider (5xx)
 * - `busy`: too many requests of ours (429, 408, 425); `retryAfterSeconds` if the provider said so
 * - `refused`: any other status that is no success
 * - `unreadable`: an answer too large, not JSON, or of another shape
 * - `circuit_open`: not sent, since the last ones failed
 */
export type HttpFailure = "timed_out" | "unreachable" | "failed" | "busy" | "refused" | "unreadable" | "circuit_open";

export interface HttpErrorDetails {
  /** A name, `EasyPost`, or what it is, `tire supplier`. */
  provider: string;
  reason: HttpFailure;
  status?: number;
  retryAfterSeconds?: number;
}

const WORDS: Record<HttpFailure, string> = {
  timed_out: "did not answer in time",
  unreachable: "cannot be reached",
  failed: "failed",
  busy: "is busy with requests of ours",
  refused: "refused the request",
  unreadable: "gave an answer that cannot be read",
  circuit_open: "is not asked for a moment, as it failed too often",
};

/**
 * TIMEOUT for `timed_out`, PROVIDER_ERROR otherwise. Neither the text nor `cause`, which is for the log, holds what was
 * sent or answered.
 */
export function createHttpError(details: HttpErrorDetails, cause?: unknown): CodedError {
  const status = details.status === undefined ? "" : ` (status ${details.status})`;
  const code = details.reason === "timed_out" ? "TIMEOUT" : "PROVIDER_ERROR";
  const provider = /^\p{Lu}/u.test(details.provider) ? details.provider : `The ${details.provider}`;
  return new CodedError(code, `${provider} ${WORDS[details.reason]}${status}`, details, {
    cause,
    retryable: true,
  });
}

/** Details of the client's errors (local or from another node); undefined for others. */
export function findHttpErrorDetails(error: unknown): HttpErrorDetails | undefined {
  if (typeof error !== "object" || error === null || !("data" in error)) return undefined;
  const details = error.data as Partial<HttpErrorDetails> | null | undefined;
  return typeof details?.reason === "string" && Object.hasOwn(WORDS, details.reason)
    ? (details as HttpErrorDetails)
    : undefined;
}

/** Thrown by an answer's reader: `new UnreadableAnswer("items is not a list")`. The text quotes nothing. */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}
