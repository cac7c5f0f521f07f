import { createCircuitBreaker, type CircuitBreakerOptions } from "../circuit-breaker.ts";
import { traced, type Span } from "../tracing.ts";
import { withinTime } from "../within-time.ts";
import { readJson } from "./answer.ts";
import { httpError, httpErrorDetails, UnreadableAnswer, type HttpErrorDetails, type HttpFailure } from "./errors.ts";
import { retryAfterSeconds, withRetries, type RetryOptions } from "./retry.ts";

export interface HttpClientOptions {
  /** Who is asked, as an error says it after "The": `dealer inventory system`. */
  provider: string;
  /** Without a slash at its end. */
  baseUrl: string;
  /** Sent with every request; may hold the key, and is never told to anybody else. */
  headers?: Readonly<Record<string, string>>;
  /** Of one try, from the connection to the last byte; milliseconds. */
  attemptTimeoutMs: number;
  /** Of a request with all its tries and pauses, where the request names none; milliseconds. */
  deadlineMs: number;
  retry: RetryOptions;
  breaker: {
    /** Tries in a row that failed. */
    failures: number;
    /** Milliseconds. */
    openMs: number;
  };
  /** A larger answer is not read to its end. */
  maxAnswerBytes: number;
  /** Awaited before every try, a retry included; resolves when it may be sent. */
  rateLimit?: () => Promise<void>;
  /** Told of every try that failed, and of every one that an open circuit or a busy provider kept from being sent. */
  onFailure?: (reason: HttpFailure) => void;
  watchCircuit?: CircuitBreakerOptions["watchCircuit"];
  /** The platform's unless given; likewise the random numbers, from 0 to below 1. */
  fetch?: typeof globalThis.fetch;
  random?: () => number;
}

export interface JsonRequest<T> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** From the slash on, below the base URL. */
  path: string;
  query?: Readonly<Record<string, string | number>>;
  body?: unknown;
  /** Whether it may be sent twice without harm, and so retried. GET may unless told. */
  idempotent?: boolean;
  deadlineMs?: number;
  /** The answer's value, checked. Throws `UnreadableAnswer` for one that is not of the shape agreed. */
  read: (answer: unknown) => T;
}

export interface HttpClient {
  /**
   * Sends a request and reads its JSON answer.
   * @throws TIMEOUT or PROVIDER_ERROR whose details (`httpErrorDetails`) tell what became of it
   */
  request<T>(request: JsonRequest<T>): Promise<T>;
}

/** A timer may fire this much early; milliseconds. */
const TIMER_SLACK = 5;

/**
 * However late a provider wants the next request, it is asked again after this: one wrong header silences nobody for
 * days. Milliseconds.
 */
const LONGEST_BUSY = 5 * 60_000;

const BREAKING: readonly HttpFailure[] = ["timed_out", "unreachable", "failed", "unreadable"];

/**
 * A client of an outside provider that speaks JSON over HTTP: it gives up in time, tries again what may be tried again,
 * and leaves a provider alone that fails again and again, or that says when it wants the next request (for five minutes
 * at most). Redirects are not followed: they would carry the key elsewhere.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { provider, rateLimit, random = Math.random } = options;
  const guarded = createCircuitBreaker({
    ...options.breaker,
    watchCircuit: options.watchCircuit,
    isFailure: (error) => BREAKING.some((reason) => reason === httpErrorDetails(error)?.reason),
    whenOpen: () => httpError({ provider, reason: "circuit_open" }),
  });

  /** When a busy provider wants the next request, of `performance.now()`. */
  let busyUntil = 0;
  const assertNotBusy = (): void => {
    const left = busyUntil - performance.now();
    if (left > TIMER_SLACK) throw httpError({ provider, reason: "busy", retryAfterSeconds: Math.ceil(left / 1_000) });
  };
  const noteBusy = (error: unknown): never => {
    const { reason, retryAfterSeconds = 0 } = httpErrorDetails(error) ?? {};
    if (reason === "busy")
      busyUntil = Math.max(busyUntil, performance.now() + Math.min(retryAfterSeconds * 1_000, LONGEST_BUSY));
    throw error;
  };

  const noteFailure = (error: unknown): never => {
    const details = httpErrorDetails(error);
    if (details) options.onFailure?.(details.reason);
    throw error;
  };

  const late = (): never => {
    throw httpError({ provider, reason: "timed_out" });
  };

  return {
    request: (request) => {
      const deadline = performance.now() + (request.deadlineMs ?? options.deadlineMs);
      const idempotent = request.idempotent ?? request.method === "GET";
      const tryOnce = async () => {
        assertNotBusy();
        if (rateLimit) await withinTime(rateLimit(), deadline - performance.now(), late);
        return guarded(() => tracedSend(request, options, deadline)).catch(noteBusy);
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

/** A span a try, by the conventions for HTTP clients; paths and queries may hold what was asked for. */
function tracedSend<T>(request: JsonRequest<T>, options: HttpClientOptions, deadline: number): Promise<T> {
  const { hostname, port, protocol } = new URL(options.baseUrl);
  const attributes = {
    "http.request.method": request.method,
    "server.address": hostname,
    "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
    "partline.provider": options.provider,
  };
  return traced(request.method, { kind: "client", attributes }, (span) => send(request, options, deadline, span));
}

async function send<T>(
  request: JsonRequest<T>,
  options: HttpClientOptions,
  deadline: number,
  span: Span | undefined,
): Promise<T> {
  const failure = (details: Omit<HttpErrorDetails, "provider">, cause?: unknown) =>
    httpError({ provider: options.provider, ...details }, cause);
  const cutOff = new AbortController();
  const timer = setTimeout(
    () => cutOff.abort(),
    Math.max(0, Math.min(options.attemptTimeoutMs, deadline - performance.now())),
  );
  try {
    const response = await (options.fetch ?? globalThis.fetch)(urlOf(request, options.baseUrl), {
      method: request.method,
      headers: {
        accept: "application/json",
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
        ...(span ? { traceparent: span.traceparent } : {}),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      redirect: "manual",
      signal: cutOff.signal,
    });
    span?.set({ "http.response.status_code": response.status });
    if (!response.ok) {
      await response.body?.cancel();
      throw failure(refusalOf(response));
    }
    return request.read(await readJson(response, options.maxAnswerBytes));
  } catch (error) {
    if (httpErrorDetails(error)) throw error;
    if (error instanceof UnreadableAnswer) throw failure({ reason: "unreadable" }, error);
    if (cutOff.signal.aborted) throw failure({ reason: "timed_out" });
    // The platform's own message can quote a header, and so the key.
    if (error instanceof TypeError) throw failure({ reason: "unreachable" }, { code: connectionCode(error) });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function urlOf({ path, query }: Pick<JsonRequest<unknown>, "path" | "query">, baseUrl: string): string {
  if (query === undefined) return baseUrl + path;
  return `${baseUrl}${path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

function refusalOf({ status, headers }: Response): Omit<HttpErrorDetails, "provider"> {
  const retryAfter = retryAfterSeconds(headers.get("retry-after"));
  const details = { status, ...(retryAfter === undefined ? {} : { retryAfterSeconds: retryAfter }) };
  if (status >= 500) return { reason: "failed", ...details };
  return { reason: [408, 425, 429].includes(status) ? "busy" : "refused", ...details };
}

/** `ECONNREFUSED` and its like. */
function connectionCode({ cause }: TypeError): string | undefined {
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : undefined;
}
