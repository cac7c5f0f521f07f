import { DelegateBackoff, handleWhen, retry } from "cockatiel";
import { findHttpErrorDetails, type HttpFailure } from "./errors.ts";

export interface RetryOptions {
  /** Tries after the first. */
  retries: number;
  /** Longest pause before the first retry, and before any, milliseconds; it doubles each time. */
  baseMs: number;
  maxMs: number;
  /** No retry if the provider asks for a longer pause, milliseconds. */
  maxRetryAfterMs: number;
}

const TRANSIENT = new Set<HttpFailure>(["timed_out", "unreachable", "failed", "busy"]);

/**
 * Retries transient failures while a pause leaves time before the deadline (`performance.now()`). A pause is random
 * from nothing to its longest (full jitter), on top of the provider's Retry-After.
 */
export function withRetries<T>(
  work: () => Promise<T>,
  { deadline, random, ...options }: RetryOptions & { deadline: number; random: () => number },
): Promise<T> {
  let pause = 0;
  let tries = 0;
  const worthAnother = handleWhen((error) => {
    const details = findHttpErrorDetails(error);
    if (!details || !TRANSIENT.has(details.reason)) return false;
    const requestedMs = (details.retryAfterSeconds ?? 0) * 1_000;
    pause = requestedMs + random() * Math.min(options.maxMs, options.baseMs * 2 ** tries++);
    return requestedMs <= options.maxRetryAfterMs && performance.now() + pause < deadline;
  });
  return retry(worthAnother, { maxAttempts: options.retries, backoff: new DelegateBackoff(() => pause) }).execute(work);
}

/** Parses a Retry-After header, seconds or a date; undefined for others. */
export function retryAfterSeconds(header: string | null, now: number = Date.now()): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Date.parse accepts too much; an HTTP date begins with its day's name.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1_000));
}
