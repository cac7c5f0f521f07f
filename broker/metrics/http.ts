/** OpenTelemetry's buckets for HTTP requests, seconds, with three below them for most of ours. */
export const HTTP_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
];

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Returns a known method; others are unbounded. */
export function knownMethod(method: string | undefined, otherwise: string): string {
  return method !== undefined && METHODS.has(method) ? method : otherwise;
}
