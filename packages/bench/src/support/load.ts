import { randomUUID } from "node:crypto";
import autocannon from "autocannon";
import { percentile } from "./statistics.ts";

export interface LoadFigures {
  requestsPerSecond: number;
  /** Milliseconds, to the microsecond. */
  p50: number;
  p99: number;
  /** Answers that were not 2xx, and requests without an answer. */
  failed: number;
  /** Processor time that the server took for a request, where it was asked for. */
  processorMicroseconds: number;
}

export interface LoadTarget {
  url: string;
  method?: "GET" | "POST";
  /** Made again for each run: a signature is good for minutes. */
  headers?: () => Record<string, string>;
  /** Made again for each request. */
  body?: () => string;
  /** A fresh X-Session-Id for each request. */
  sessionPerRequest?: boolean;
}

/**
 * A bounded load from this process on loopback: a short warm-up that is not counted, then `seconds`. Answers other than
 * 2xx are no requests served: the bench says so and ends with 1.
 * @param processorSeconds what the server has taken of a processor since it began
 */
export async function load(
  target: LoadTarget,
  connections: number,
  seconds = 4,
  processorSeconds = async () => NaN,
): Promise<LoadFigures> {
  await run(target, connections, 1);
  const valueBefore = await processorSeconds();
  const { result, milliseconds } = await run(target, connections, seconds);
  const usedSeconds = (await processorSeconds()) - valueBefore;
  return {
    processorMicroseconds: (usedSeconds * 1e6) / milliseconds.length,
    requestsPerSecond: Math.round(milliseconds.length / result.duration),
    p50: percentile(milliseconds, 0.5),
    p99: percentile(milliseconds, 0.99),
    failed: result.non2xx + result.errors + result.timeouts,
  };
}

/**
 * Every time is kept, since autocannon's own percentiles are whole milliseconds and a request may take a fraction of
 * one.
 */
async function run(
  { url, method = "GET", headers, body, sessionPerRequest }: LoadTarget,
  connections: number,
  duration: number,
) {
  const milliseconds: number[] = [];
  const failures = new Map<string, number>();
  const countFailures = (kind: string, count: number): void =>
    void (count > 0 && failures.set(kind, (failures.get(kind) ?? 0) + count));
  const request: autocannon.Request = {
    method,
    headers: headers?.() ?? {},
    ...(body
      ? {
          setupRequest: (request: autocannon.Request) => ({
            ...request,
            body: body(),
            headers: sessionPerRequest ? { ...request.headers, "x-session-id": randomUUID() } : request.headers,
          }),
        }
      : {}),
  };
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon({ url, connections, duration, requests: [request] }, (error, result) =>
      error ? reject(error as Error) : resolve(result),
    );
    instance.on("response", (_client, status, _bytes, responseTime) => {
      if (status >= 200 && status < 300) milliseconds.push(responseTime);
      else countFailures(String(status), 1);
    });
  });
  countFailures("no answer", result.errors + result.timeouts);
  if (milliseconds.length === 0) countFailures("answered none", 1);
  noteFailures(`${method} ${new URL(url).pathname}`, Object.fromEntries(failures));
  return { result, milliseconds: Float64Array.from(milliseconds).sort() };
}

/** Says which requests failed, and has the bench end with 1: their times are no figure. */
export function noteFailures(requests: string, failures: Record<string, number>): void {
  if (Object.keys(failures).length === 0) return;
  const counts = Object.entries(failures).map(([kind, count]) => `${count} × ${kind}`);
  console.error(`Requests failed, ${requests}: ${counts.join(", ")}`);
  process.exitCode = 1;
}
