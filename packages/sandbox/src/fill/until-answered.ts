import { ConstantBackoff, handleWhen, retry } from "cockatiel";

/** Between two tries, ms. */
const AGAIN_MS = 1_000;

interface Patience {
  longestMs: number;
  /** Between two tries, ms; a second by default. */
  againMs?: number;
  /** Called once, with the first refusal. */
  onWait(error: unknown): void;
  /** Whether to stop trying. */
  isOver?(): boolean;
}

/**
 * Repeats `work`, which must be idempotent, while nodes refuse because they start, hang or are away.
 * @throws what is refused for another reason, or still is at the end
 */
export function waitUntilAnswered<T>(
  work: () => Promise<T>,
  { longestMs, againMs = AGAIN_MS, onWait, isOver = () => false }: Patience,
): Promise<T> {
  const policy = retry(
    handleWhen((error) => isPassing(error) && !isOver()),
    { maxAttempts: Infinity, backoff: new ConstantBackoff(againMs) },
  );
  policy.onRetry((refusal) => {
    if (refusal.attempt === 1) onWait("error" in refusal ? refusal.error : undefined);
  });
  return policy.execute(work, AbortSignal.timeout(longestMs));
}

/** Returns whether a later try may succeed, as Moleculer's errors and ours say. */
function isPassing(error: unknown): boolean {
  return error instanceof Error && "retryable" in error && error.retryable === true;
}

/** Returns whether no node answered, or has the service. */
export function isUnanswered(error: unknown): error is Error {
  return isPassing(error) || (error instanceof Error && "type" in error && error.type === "WAITFOR_SERVICES");
}
