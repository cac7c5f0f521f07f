import { setTimeout as delay } from "node:timers/promises";
import { jsonReply, type Reply } from "../server/http-server.ts";

/** Something that goes wrong with requests. Its kind says what `value` means. */
export interface Fault<Kind extends string> {
  kind: Kind;
  /** The page of a provider's listing that it strikes; null for every page. */
  page?: number | null;
  value: number | null;
  /** How often it still strikes; null without end. */
  times: number | null;
}

export type Faults<Kind extends string> = ReturnType<typeof createFaults<Kind>>;

/**
 * Keeps the faults that a test or an operator has asked for in memory: a restart ends them.
 * @param meanings what the value of each kind means
 */
export function createFaults<Kind extends string>(meanings: Record<Kind, string>, { byPage = false } = {}) {
  let faults: Fault<Kind>[] = [];
  return {
    meanings,
    /** Whether a fault may be for one page of the provider's listing. */
    byPage,
    list: (): readonly Fault<Kind>[] => faults,
    add: (fault: Fault<Kind>): void => void faults.push(fault),
    clear: (): void => void (faults = []),
    /** Returns every fault that a request meets, and counts them as used. */
    strike(page?: number): Fault<Kind>[] {
      const struck = faults.filter((fault) => fault.page == null || fault.page === page);
      faults = faults.flatMap((fault) => {
        if (fault.times === null || !struck.includes(fault)) return fault;
        return fault.times > 1 ? { ...fault, times: fault.times - 1 } : [];
      });
      return struck;
    },
  };
}

/** Faults of any HTTP server. */
export const SERVER_FAULTS = {
  rate_limited: "429; the value is seconds of Retry-After, without one there is no such header",
  error: "the status, 500 by default",
  slow: "milliseconds to wait first",
  stall: "never an answer",
};

/** Returns the answer that such a fault gives, after its wait; undefined if the request is to be answered. */
export async function misbehave(
  struck: readonly Fault<string>[],
  body: (message: string) => object,
): Promise<Reply | "hang" | undefined> {
  const fault = (kind: keyof typeof SERVER_FAULTS) => struck.find((candidate) => candidate.kind === kind);
  if (fault("stall")) return "hang";
  await delay(fault("slow")?.value ?? 0);
  const limited = fault("rate_limited");
  const retryAfter: Record<string, string> = limited?.value == null ? {} : { "retry-after": String(limited.value) };
  if (limited) return jsonReply(429, body("Too many requests"), retryAfter);
  const failed = fault("error");
  return failed && jsonReply(failed.value ?? 500, body("Something went wrong"));
}
