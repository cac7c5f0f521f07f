import { getExchange, type EdgeRequest } from "./edge-request.ts";

/** Seconds: the most that Chromium takes. */
const PREFLIGHT_SECONDS = "7200";

/** Names of headers beside those that every page may send and read. */
export interface CorsHeaders {
  /** Of requests. */
  sent: readonly string[];
  /** Of answers. */
  exposed: readonly string[];
}

export type Cors = ReturnType<typeof createCors>;

/**
 * Cross-origin requests (https://fetch.spec.whatwg.org/#http-cors-protocol) of the pages of some origins. An allowed
 * origin equals one of these, letter for letter. Credentials travel in headers that the page sets itself, so
 * Access-Control-Allow-Credentials, which is about cookies, is never sent.
 */
export function createCors(allowed: readonly string[], corsHeaders: CorsHeaders) {
  const origins = new Set(allowed);
  const [sentNames, exposedNames] = [corsHeaders.sent.join(", "), corsHeaders.exposed.join(", ")];
  return {
    /** Adds to a request's answer what its page may read, and Vary. Returns whether the page's origin is allowed. */
    open: (req: EdgeRequest): boolean => {
      const { headers } = getExchange(req);
      headers.Vary = "Origin";
      const { origin } = req.headers;
      if (origin === undefined || !origins.has(origin)) return false;
      headers["Access-Control-Allow-Origin"] = origin;
      headers["Access-Control-Expose-Headers"] = exposedNames;
      return true;
    },
    isPreflight: ({ method, headers }: EdgeRequest): boolean =>
      method === "OPTIONS" && headers["access-control-request-method"] !== undefined,
    getPreflightHeaders: (methods: string): Record<string, string> => ({
      Allow: methods,
      "Access-Control-Allow-Methods": methods,
      "Access-Control-Allow-Headers": sentNames,
      "Access-Control-Max-Age": PREFLIGHT_SECONDS,
    }),
  };
}
