import { ConstantBackoff, handleWhen, retry } from "cockatiel";

/** Between two tries; milliseconds. */
const AGAIN_MS = 1_000;

export interface Patience {
  /** No try is begun after it; milliseconds. */
  longestMs: number;
  /** Between two tries, a second unless given; milliseconds. */
  againMs?: number;
  /** Told once, of the first refusal. */
  onWait(error: unknown): void;
  /** Whether nobody waits for it any more. */
  isOver?(): boolean;
}

/**
 * Does `work`, which may be done any number of times over, until no node refuses what it asks for because it starts,
 * hangs or is away.
 * @throws what is refused for another reason, and what still is at the end
 */
export function untilAnswered<T>(
  work: () => Promise<T>,
  { longestMs, againMs = AGAIN_MS, onWait, isOver = () => false }: Patience,
): Promise<T> {
  const policy = retry(
    handleWhen((error) => isPassing(error) && !isOver()),
    { maxAttempts: Infinity, backoff: new ConstantBackoff(againMs) },
  );
  policy.onRetry((told) => {
    if (told.attempt === 1) onWait("error" in told ? told.error : undefined);
  });
  return policy.execute(work, AbortSignal.timeout(longestMs));
}

/** Whether the node that was asked, if there was one, may yet do it. Moleculer's errors say so, and ours. */
function isPassing(error: unknown): boolean {
  return error instanceof Error && "retryable" in error && error.retryable === true;
}

/** Whether what `untilAnswered` threw says that nobody answered, or that no node has the service. */
export function isUnanswered(error: unknown): error is Error {
  return isPassing(error) || (error instanceof Error && "type" in error && error.type === "WAITFOR_SERVICES");
}
