import type { CorsHeaders } from "@partline/http-edge";

/** Headers of the API beside those that every page may send and read. */
export const CORS_HEADERS: CorsHeaders = {
  sent: [
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
  ],
  exposed: [
    "Content-Disposition",
    "Content-Range",
    "ETag",
    "Idempotent-Replayed",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "Retry-After",
    "X-Request-Id",
  ],
};
