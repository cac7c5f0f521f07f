import { getExchange, type EdgeRequest } from "@partline/http-edge";

/** Request headers beside those that every page may send. */
const SENT = [
  "Authorization",
  "Content-Type",
  "Idempotency-Key",
  "If-Match",
  "If-None-Match",
  "If-Range",
  "Last-Event-ID",
  "Mcp-Protocol-Version",
  "Prefer",
  "Range",
  "traceparent",
  "X-Admin-Token",
  "X-Request-Id",
  "X-Session-Id",
].join(", ");

/** Answer headers beside those that every page may read. */
const EXPOSED = [
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Idempotent-Replayed",
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  "X-Request-Id",
].join(", ");

/** Seconds: the most that Chromium takes. */
const PREFLIGHT_SECONDS = "7200";

export type Cors = ReturnType<typeof createCors>;

/**
 * Cross-origin requests (https://fetch.spec.whatwg.org/#http-cors-protocol) of the pages of some origins. An allowed
 * origin equals one of these, letter for letter. Credentials travel in headers that the page sets itself, so
 * Access-Control-Allow-Credentials, which is about cookies, is never sent.
 */
export function createCors(allowed: readonly string[]) {
  const origins = new Set(allowed);
  return {
    /** Adds to a request's answer what its page may read, and Vary. Returns whether the page's origin is allowed. */
    open: (req: EdgeRequest): boolean => {
      const { headers } = getExchange(req);
      headers.Vary = "Origin";
      const { origin } = req.headers;
      if (origin === undefined || !origins.has(origin)) return false;
      headers["Access-Control-Allow-Origin"] = origin;
      headers["Access-Control-Expose-Headers"] = EXPOSED;
      return true;
    },
    isPreflight: ({ method, headers }: EdgeRequest): boolean =>
      method === "OPTIONS" && headers["access-control-request-method"] !== undefined,
    getPreflightHeaders: (methods: string): Record<string, string> => ({
      Allow: methods,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": SENT,
      "Access-Control-Max-Age": PREFLIGHT_SECONDS,
    }),
  };
}
