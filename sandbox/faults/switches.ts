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

export interface Faults<Kind extends string> {
  kinds: readonly Kind[];
  /** Whether a fault may be for one page of the provider's listing. */
  byPage: boolean;
  list(): readonly Fault<Kind>[];
  add(fault: Fault<Kind>): void;
  clear(): void;
  /** Returns every fault that a request meets, and counts them as used. */
  strike(page?: number): Fault<Kind>[];
}

/** Keeps the faults that a test or an operator has asked for in memory: a restart ends them. */
export function createFaults<Kind extends string>(kinds: readonly Kind[], { byPage = false } = {}): Faults<Kind> {
  let faults: Fault<Kind>[] = [];
  return {
    kinds,
    byPage,
    list: () => faults,
    add: (fault) => void faults.push(fault),
    clear: () => void (faults = []),
    strike(page) {
      const struck = faults.filter((fault) => fault.page == null || fault.page === page);
      faults = faults.flatMap((fault) => {
        if (fault.times === null || !struck.includes(fault)) return fault;
        return fault.times > 1 ? { ...fault, times: fault.times - 1 } : [];
      });
      return struck;
    },
  };
}

/**
 * Faults of any HTTP server, and what their `value` means:
 * - `rate_limited`: 429; seconds of Retry-After, without a value no such header
 * - `error`: the status, 500 by default
 * - `slow`: milliseconds to wait first
 * - `stall`: never an answer
 */
export const SERVER_FAULTS = ["rate_limited", "error", "slow", "stall"] as const;

/** Returns the answer that such a fault gives, after its wait; undefined if the request is to be answered. */
export async function misbehave(
  struck: readonly Fault<string>[],
  body: (message: string) => object,
): Promise<Reply | "hang" | undefined> {
  const fault = (kind: (typeof SERVER_FAULTS)[number]) => struck.find((candidate) => candidate.kind === kind);
  if (fault("stall")) return "hang";
  await delay(fault("slow")?.value ?? 0);
  const limited = fault("rate_limited");
  const retryAfter: Record<string, string> = limited?.value == null ? {} : { "retry-after": String(limited.value) };
  if (limited) return jsonReply(429, body("Too many requests"), retryAfter);
  const failed = fault("error");
  return failed && jsonReply(failed.value ?? 500, body("Something went wrong"));
}
