import { randomUUID } from "node:crypto";
import autocannon from "autocannon";

export interface LoadFigures {
  requestsPerSecond: number;
  p50: number;
  p99: number;
  /** Answers that were not 2xx, and requests without an answer. */
  failed: number;
}

export interface LoadTarget {
  url: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  /** Made anew for each request. */
  body?: () => string;
  /** A fresh X-Session-Id for each request. */
  sessionPerRequest?: boolean;
}

/** A bounded load from this process on loopback: a short warm-up that is not counted, then `seconds`. */
export async function load(target: LoadTarget, connections: number, seconds = 4): Promise<LoadFigures> {
  await run(target, connections, 1);
  const result = await run(target, connections, seconds);
  return {
    requestsPerSecond: Math.round(result.requests.average),
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  };
}

function run({ url, method = "GET", headers = {}, body, sessionPerRequest }: LoadTarget, connections: number, duration: number): Promise<autocannon.Result> {
  return autocannon({
    url,
    connections,
    duration,
    requests: [
      {
        method,
        headers,
        ...(body
          ? {
              setupRequest: (request: autocannon.Request) => ({
                ...request,
                body: body(),
                headers: sessionPerRequest ? { ...request.headers, "x-session-id": randomUUID() } : request.headers,
              }),
            }
          : {}),
      },
    ],
  });
}
