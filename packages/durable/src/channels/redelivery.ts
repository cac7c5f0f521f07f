import type { GivenUp } from "./port.ts";

/** Silence after which a process counts as dead, like its node (heartbeatTimeout in broker/options.ts). */
export const ACK_WAIT_MS = 15_000;
/** Deliveries after the first; the last comes 7 to 14 minutes later. */
export const DEFAULT_RETRIES = 22;
/** Deliveries beyond the retries that ended with the process: it may have died for another reason. */
export const DEATHS_FORGIVEN = 5;
export const DEFAULT_CONCURRENCY = 8;
/** The reason of a dead letter whose handler never ended. */
export const formatDiedReason = (handled: "event" | "task"): string =>
  `Each time the process ended while it handled the ${handled}`;

interface Claim {
  /** Number of attempts, including this one. */
  attempts: number;
  retries: number;
  /** Reason of the last failure. */
  reason?: string | undefined;
  handle(): Promise<void>;
  acknowledge(): Promise<unknown>;
  comeBack(delayMs: number, error: unknown): Promise<unknown>;
  bury(error: unknown): Promise<unknown>;
}

export async function handleTaken(delivery: Claim): Promise<void> {
  const { attempts, retries, reason = formatDiedReason("event") } = delivery;
  // So many attempts ended silently that the process must die over the event.
  if (attempts > retries + 1 + DEATHS_FORGIVEN) {
    await delivery.bury(new Error(reason));
    return;
  }
  try {
    await delivery.handle();
  } catch (error) {
    if (isLast({ attempts, retries, error })) await delivery.bury(error);
    else await delivery.comeBack(computeBackoffMs(attempts), error);
    return;
  }
  await delivery.acknowledge();
}

const LONGEST_BACKOFF_MS = 60_000;

/** 100 ms doubled with each attempt, at most a minute, spread by half so that failures do not come back together. */
export function computeBackoffMs(attempts: number): number {
  const delay = Math.min(LONGEST_BACKOFF_MS, 100 * 2 ** (attempts - 1));
  return Math.round(delay / 2 + Math.random() * (delay / 2));
}

export function isLast({ attempts, retries, error }: { attempts: number; retries: number; error: unknown }): boolean {
  return attempts > retries || (error as Partial<GivenUp> | undefined)?.code === "GIVEN_UP";
}

export function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
