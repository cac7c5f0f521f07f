import type { GivenUp } from "./port.ts";

/**
 * An event whose process says nothing for so long is handed out again: the process is taken for dead, as its node is
 * (heartbeatTimeout in broker/options.ts). While a handler runs, its process says so, three times as often.
 */
export const ACK_WAIT_MS = 15_000;
/**
 * Deliveries after the first, where a handler does not say: the last comes some ten minutes (7 to 14) after it, so that
 * a dependency may be away for a while.
 */
export const DEFAULT_RETRIES = 22;
/**
 * Deliveries beyond the retries that ended without a word, by a process that died: it may have been for another reason.
 */
export const DEATHS_FORGIVEN = 5;
/** Events in a handler at once in one process, where it does not say. */
export const DEFAULT_CONCURRENCY = 8;
/** The reason of a dead letter whose handler never ended. */
export const ENDED_WITHOUT_A_WORD = "Each time the process ended while it handled the event";

const LONGEST_BACKOFF_MS = 60_000;

/**
 * 100 ms doubled with each attempt, at most a minute, spread by half so that failures do not come back together; whole
 * milliseconds.
 */
export function backoffMs(attempts: number): number {
  const delay = Math.min(LONGEST_BACKOFF_MS, 100 * 2 ** (attempts - 1));
  return Math.round(delay / 2 + Math.random() * (delay / 2));
}

/** Whether so many attempts came to no word of an end that the process must have died over it. */
export function diesEachTime({ attempts, retries }: { attempts: number; retries: number }): boolean {
  return attempts > retries + 1 + DEATHS_FORGIVEN;
}

/** Whether a delivery whose handler failed is the event's last. */
export function isLast({ attempts, retries, error }: { attempts: number; retries: number; error: unknown }): boolean {
  return attempts > retries || (error as Partial<GivenUp> | undefined)?.code === "GIVEN_UP";
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
