import { PartlineError } from "../errors.ts";

/**
 * What became of a request:
 * - `timed_out`: no whole answer in time; it may or may not have been done
 * - `unreachable`: no connection, or one that broke
 * - `failed`: the provider answered with a fault of its own (5xx)
 * - `busy`: too many requests of ours (429, 408, 425); `retryAfterSeconds` says when it wants the next one, where it
 *   told
 * - `refused`: it was read and turned down (any other status that is no success)
 * - `unreadable`: an answer that is too large, no JSON, or not of the shape that was agreed
 * - `circuit_open`: not sent, as the last ones all failed
 */
export type HttpFailure = "timed_out" | "unreachable" | "failed" | "busy" | "refused" | "unreadable" | "circuit_open";

export interface HttpErrorDetails {
  /** Who was asked. */
  provider: string;
  reason: HttpFailure;
  /** Of the provider's answer, where there was one. */
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
 * TIMEOUT for `timed_out` and PROVIDER_ERROR for the rest. Its text holds nothing that was sent or answered; `cause` is
 * for the log, and holds neither.
 */
export function httpError(details: HttpErrorDetails, cause?: unknown): PartlineError {
  const status = details.status === undefined ? "" : ` (status ${details.status})`;
  const code = details.reason === "timed_out" ? "TIMEOUT" : "PROVIDER_ERROR";
  return new PartlineError(code, `The ${details.provider} ${WORDS[details.reason]}${status}`, details, { cause });
}

/** What became of a request, of an error of the client (local or from another node); undefined for any other error. */
export function httpErrorDetails(error: unknown): HttpErrorDetails | undefined {
  if (typeof error !== "object" || error === null || !("data" in error)) return undefined;
  const details = error.data as Partial<HttpErrorDetails> | null | undefined;
  return typeof details?.reason === "string" && Object.hasOwn(WORDS, details.reason)
    ? (details as HttpErrorDetails)
    : undefined;
}

/**
 * Thrown by the reader of an answer: `new UnreadableAnswer("items is not a list")`. The text names fields, and quotes
 * nothing.
 */
export class UnreadableAnswer extends Error {
  override readonly name = "UnreadableAnswer";
}
