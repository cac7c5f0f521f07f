export interface RequestFact {
  /** Milliseconds since the process started. */
  at: number;
  page: number;
}

/** Requests that are remembered. */
const KEPT = 5_000;

export type RequestLog = ReturnType<typeof createRequestLog>;

/** When pages were asked for and how many at once: what a client's rate limit is checked by. */
export function createRequestLog() {
  const requests: RequestFact[] = [];
  let open = 0;
  let mostAtOnce = 0;
  return {
    begin(page: number): () => void {
      requests.push({ at: performance.now(), page });
      if (requests.length > KEPT) requests.shift();
      mostAtOnce = Math.max(mostAtOnce, (open += 1));
      return () => void (open -= 1);
    },
    facts: () => ({ requests: [...requests], mostAtOnce }),
  };
}
