import type { Middleware } from "moleculer";

export function metricsMiddleware(): Middleware {
  return { name: "Metrics" };
}
