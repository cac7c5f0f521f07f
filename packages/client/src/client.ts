import { ROUTES, type EntryPoint, type Partline } from "./contract.ts";
import { PartlineError, toPartlineError } from "./error.ts";
import type { CallOptions } from "./options.ts";
import { parseRoute, buildRequest, type Route, type Params } from "./request.ts";
import { readServerSentEvents } from "./server-sent-events.ts";

/** A text, or a function that is asked before each request. */
export type Credential = string | (() => string | undefined | Promise<string | undefined>);

export interface ClientOptions {
  /** Address of the gateway: `https://api.shop.example`. */
  baseUrl: string;
  /** Addresses of other entry points, for the routes that the gateway does not have. */
  entryPoints?: Partial<Record<EntryPoint, string>> | undefined;
  /** A token of the identity provider, or a system's key. */
  token?: Credential | undefined;
  /** X-Admin-Token: never in a browser. */
  adminToken?: Credential | undefined;
  /** A guest's id, at least 8 characters that nobody can guess: `crypto.randomUUID()`. */
  sessionId?: Credential | undefined;
  /** Most repeats of a request that may be repeated; 2 unless given. */
  retries?: number | undefined;
  /** Called with each answer: for its headers (RateLimit-Remaining, X-Request-Id). */
  onResponse?: ((response: Response) => void) | undefined;
  /** Fetch in place of the platform's own. */
  fetch?: typeof fetch | undefined;
}

type Headers = Record<string, string | undefined>;

/** Statuses of refusals that say nothing against the same request a moment later. */
const PASSING = [429, 502, 503, 504];
/** A longer Retry-After is for the caller to wait for, milliseconds. */
const LONGEST_PAUSE_MS = 30_000;
const FIRST_PAUSE_MS = 250;

/** Returns a function for each route, by service: `client.search.search({ q: "belt" })`. */
export function createClient(options: ClientOptions): Partline {
  const { entryPoints = {}, retries = 2 } = options;

  /** @throws PartlineError, or the signal's reason */
  async function send(route: Route, params: Params, call: CallOptions, more: Headers = {}): Promise<Response> {
    const base = route.entry === undefined ? options.baseUrl : entryPoints[route.entry as EntryPoint];
    if (base === undefined) throw new TypeError(`entryPoints.${route.entry} is needed for ${route.path}`);
    const { target, body, type } = buildRequest(route, params);
    const { signal } = call;
    const idempotencyKey = call.idempotencyKey ?? (route.flags.includes("k") ? createKey() : undefined);
    const repeats = route.flags.includes("r") || idempotencyKey !== undefined;
    for (let attempt = 0; ; attempt += 1) {
      const token = await resolveCredential(options.token);
      const defaultHeaders: Headers = {
        "Content-Type": type,
        Authorization: token && `Bearer ${token}`,
        "X-Admin-Token": await resolveCredential(options.adminToken),
        "X-Session-Id": await resolveCredential(options.sessionId),
        "Idempotency-Key": idempotencyKey,
        ...more,
        ...call.headers,
      };
      const headers = Object.fromEntries(Object.entries(defaultHeaders).filter(([, value]) => value)) as Record<
        string,
        string
      >;
      const error = await (options.fetch ?? fetch)(base.replace(/\/+$/, "") + target, {
        method: route.method,
        headers,
        body: body ?? null,
        signal: signal ?? null,
      }).then(
        async (response) => {
          options.onResponse?.(response);
          if (response.ok || response.status === 304) return response;
          return toPartlineError(await response.json().catch(() => undefined), response);
        },
        (cause: unknown) => toNetworkError(cause, signal),
      );
      if (!(error instanceof PartlineError)) return error;
      const isRefused = error.status === 429 || error.code === "IDEMPOTENCY_KEY_IN_USE";
      const passes = isRefused || (repeats && (error.status === 0 || PASSING.includes(error.status)));
      const pauseMs = (error.retryAfter ?? 0) * 1_000 || FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random());
      if (!passes || attempt >= retries || pauseMs > LONGEST_PAUSE_MS) throw error;
      await pause(pauseMs, signal);
    }
  }

  async function ask(route: Route, params: Params, call: CallOptions): Promise<unknown> {
    const response = await send(route, params, call);
    if (route.flags.includes("f")) return response;
    const body = (await response.json().catch((cause: unknown) => {
      throw toNetworkError(cause, call.signal);
    })) as { data?: unknown };
    return route.flags.includes("e") ? body.data : body;
  }

  /** An answer while it is made. */
  async function* streamEvents(
    route: Route,
    params: Params,
    call: CallOptions,
  ): AsyncGenerator<unknown, void, undefined> {
    const response = await send(route, params, call, { Accept: "text/event-stream" });
    for await (const { event, data } of readServerSentEvents(response, call.signal)) {
      const value = JSON.parse(data!) as unknown;
      // Its head was sent before it failed.
      if (event === "error") throw toPartlineError(value, { status: 503, headers: response.headers });
      yield { event, data: value };
      if (event === "answer") return;
    }
    throw toNetworkError(undefined, call.signal);
  }

  /**
   * Goes on where it broke off, until it is over or the caller leaves. Throws what is refused at first, or for good.
   */
  async function* follow(route: Route, params: Params, call: CallOptions): AsyncGenerator<unknown, void, undefined> {
    let last: string | undefined;
    let pauseMs = 1_000;
    let failures = 0;
    for (;;) {
      try {
        const response = await send(route, params, call, { Accept: "text/event-stream", "Last-Event-ID": last });
        failures = 0;
        // The stream is over.
        if (response.status === 204) return;
        for await (const { id, data, retry } of readServerSentEvents(response, call.signal)) {
          last = id ?? last;
          pauseMs = Number(retry ?? pauseMs);
          if (data !== undefined) yield JSON.parse(data);
        }
      } catch (error) {
        const passes = error instanceof PartlineError && (error.status === 0 || PASSING.includes(error.status));
        if (!passes || last === undefined) throw error;
        failures += 1;
      }
      await pause(Math.min(pauseMs * 2 ** failures, LONGEST_PAUSE_MS), call.signal);
    }
  }

  const toFunction = (text: string) => {
    const route = parseRoute(text);
    const run = route.flags.includes("q") ? streamEvents : route.flags.includes("s") ? follow : ask;
    return (params: Params = {}, call: CallOptions = {}) => run(route, params, call);
  };
  return Object.fromEntries(
    Object.entries<Record<string, string>>(ROUTES).map(([service, routes]) => [
      service,
      Object.fromEntries(Object.entries(routes).map(([name, text]) => [name, toFunction(text)])),
    ]),
  ) as unknown as Partline;
}

/** Creates a key; undefined on a page without TLS from another machine, whose requests are then not repeated. */
function createKey(): string | undefined {
  return (crypto as Partial<typeof crypto>).randomUUID?.();
}

async function resolveCredential(credential: Credential | undefined): Promise<string | undefined> {
  return typeof credential === "function" ? credential() : credential;
}

/** @throws the signal's reason, if it was aborted */
function toNetworkError(cause: unknown, signal: AbortSignal | undefined): PartlineError {
  signal?.throwIfAborted();
  return new PartlineError("NETWORK_ERROR", "There was no whole answer", { cause });
}

/** @throws the signal's reason */
function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- as fetch does
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
}
