import { LastFacts } from "../server/last-facts.ts";

export interface RequestFact {
  /** Milliseconds since the process started. */
  at: number;
  page: number;
}

const KEPT = 5_000;

/** When pages were asked for and how many at once: what a client's rate limit is checked by. */
export function createRequestLog() {
  const requests = new LastFacts<RequestFact>(KEPT);
  let open = 0;
  let mostAtOnce = 0;
  return {
    begin(page: number): () => void {
      requests.add({ at: performance.now(), page });
      mostAtOnce = Math.max(mostAtOnce, (open += 1));
      return () => void (open -= 1);
    },
    facts: () => ({ requests: requests.all(), mostAtOnce }),
  };
}
