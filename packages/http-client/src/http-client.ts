import { createCircuitBreaker, type CircuitBreakerOptions } from "@partline/toolkit";
import { type Span, withSpan, withTimeout } from "@partline/toolkit";
import { readJson } from "./answer.ts";
import {
  createHttpError,
  findHttpErrorDetails,
  UnreadableAnswer,
  type HttpErrorDetails,
  type HttpFailure,
} from "./errors.ts";
import { retryAfterSeconds, withRetries, type RetryOptions } from "./retry.ts";

export interface HttpClientOptions {
  /** Name of the provider as in an error after "The": `dealer inventory system`. */
  provider: string;
  baseUrl: string;
  /** Sent with every request; may hold the key. */
  headers?: Readonly<Record<string, string>>;
  /** Time limit of one attempt, to the last byte, milliseconds. */
  attemptTimeoutMs: number;
  /** Time limit of a request with all attempts and pauses, unless it has its own; milliseconds. */
  deadlineMs: number;
  retry: RetryOptions;
  breaker: {
    /** Failed tries in a row. */
    failures: number;
    /** Milliseconds. */
    openMs: number;
  };
  /** A larger answer is not read to its end. */
  maxAnswerBytes: number;
  /** Awaited before every try. */
  rateLimit?: () => Promise<void>;
  /** Called for every failed try, also one that an open circuit or a busy provider prevented. */
  onFailure?: (reason: HttpFailure) => void;
  watchCircuit?: CircuitBreakerOptions["watchCircuit"];
  /** The platform's unless given, as the random numbers (0 to below 1). */
  fetch?: typeof globalThis.fetch;
  random?: () => number;
}

export interface JsonRequest<T> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  /** May be sent twice without harm, and so retried. GET may unless given. */
  idempotent?: boolean;
  deadlineMs?: number;
  /** Returns the checked answer. @throws UnreadableAnswer */
  read: (answer: unknown) => T;
}

/** A timer may fire this much early, milliseconds. */
const TIMER_SLACK = 5;

/** Longest pause that a provider can ask for, milliseconds: one wrong header silences nobody for days. */
const LONGEST_BUSY = 5 * 60_000;

const BREAKING = new Set<HttpFailure | undefined>(["timed_out", "unreachable", "failed", "unreadable"]);

/**
 * A client for JSON over HTTP: it has deadlines, retries what may be retried, and pauses for a provider that fails
 * repeatedly or asks for a pause (five minutes at most). It follows no redirects: they would carry the key elsewhere.
 */
export function createHttpClient(options: HttpClientOptions) {
  const { provider, rateLimit, random = Math.random } = options;
  const guarded = createCircuitBreaker({
    ...options.breaker,
    watchCircuit: options.watchCircuit,
    isFailure: (error) => BREAKING.has(findHttpErrorDetails(error)?.reason),
    whenOpen: () => createHttpError({ provider, reason: "circuit_open" }),
  });

  /** Time of `performance.now()`. */
  let busyUntil = 0;
  const assertNotBusy = (): void => {
    const left = busyUntil - performance.now();
    if (left > TIMER_SLACK)
      throw createHttpError({ provider, reason: "busy", retryAfterSeconds: Math.ceil(left / 1_000) });
  };
  const noteBusy = (error: unknown): never => {
    const { reason, retryAfterSeconds = 0 } = findHttpErrorDetails(error) ?? {};
    if (reason === "busy")
      busyUntil = Math.max(busyUntil, performance.now() + Math.min(retryAfterSeconds * 1_000, LONGEST_BUSY));
    throw error;
  };
  const noteFailure = (error: unknown): never => {
    const details = findHttpErrorDetails(error);
    if (details) options.onFailure?.(details.reason);
    throw error;
  };
  const failLate = (): never => {
    throw createHttpError({ provider, reason: "timed_out" });
  };

  return {
    /** @throws TIMEOUT or PROVIDER_ERROR with `findHttpErrorDetails` */
    request: <T>(request: JsonRequest<T>): Promise<T> => {
      const deadline = performance.now() + (request.deadlineMs ?? options.deadlineMs);
      const idempotent = request.idempotent ?? request.method === "GET";
      const tryOnce = async () => {
        assertNotBusy();
        if (rateLimit) await withTimeout(rateLimit(), deadline - performance.now(), failLate);
        return guarded(() => sendTraced(request, options, deadline)).catch(noteBusy);
      };
      return withRetries(() => tryOnce().catch(noteFailure), {
        ...options.retry,
        retries: idempotent ? options.retry.retries : 0,
        deadline,
        random,
      });
    },
  };
}

/** A span for each try, by the conventions for HTTP clients, without paths and queries: they hold what was asked. */
function sendTraced<T>(request: JsonRequest<T>, options: HttpClientOptions, deadline: number): Promise<T> {
  const { hostname, port, protocol } = new URL(options.baseUrl);
  const attributes = {
    "http.request.method": request.method,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "partline.provider": options.provider,
  };
  return withSpan(request.method, { kind: "client", attributes }, (span) => send(request, options, deadline, span));
}

async function send<T>(
  { method, path, query, body, read: readAnswer }: JsonRequest<T>,
  { provider, baseUrl, headers, fetch = globalThis.fetch, ...options }: HttpClientOptions,
  deadline: number,
  span: Span | undefined,
): Promise<T> {
  const toFailure = (details: Omit<HttpErrorDetails, "provider">, cause?: unknown) =>
    createHttpError({ provider, ...details }, cause);
  const cutOff = new AbortController();
  const left = Math.max(0, Math.min(options.attemptTimeoutMs, deadline - performance.now()));
  const timer = setTimeout(() => cutOff.abort(), left);
  const queryParams = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  try {
    const response = await fetch(`${baseUrl}${path}${query ? `?${new URLSearchParams(queryParams).toString()}` : ""}`, {
      method,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
        ...(span ? { traceparent: span.traceparent } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      redirect: "manual",
      signal: cutOff.signal,
    });
    span?.set({ "http.response.status_code": response.status });
    if (!response.ok) {
      await response.body?.cancel();
      throw toFailure(toRefusal(response));
    }
    return readAnswer(await readJson(response, options.maxAnswerBytes));
  } catch (error) {
    if (findHttpErrorDetails(error)) throw error;
    if (error instanceof UnreadableAnswer) throw toFailure({ reason: "unreadable" }, error);
    if (cutOff.signal.aborted) throw toFailure({ reason: "timed_out" });
    // The platform's own message can quote a header, and so the key.
    if (error instanceof TypeError) throw toFailure({ reason: "unreachable" }, { code: findConnectionCode(error) });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function toRefusal({ status, headers }: Response): Omit<HttpErrorDetails, "provider"> {
  const details = { status, retryAfterSeconds: retryAfterSeconds(headers.get("retry-after")) };
  if (status >= 500) return { reason: "failed", ...details };
  return { reason: [408, 425, 429].includes(status) ? "busy" : "refused", ...details };
}

function findConnectionCode({ cause }: TypeError): string | undefined {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : undefined;
}
