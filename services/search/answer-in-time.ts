import { PartlineError } from "../../mixins/errors.ts";
import { SearchIndexError, type SearchIndexErrorCode } from "../../mixins/search-index/port.ts";

/** Longest wait for the index, below the broker's own limit for a call; milliseconds. */
const LONGEST_WAIT = 5_000;

export function hasIndexCode(error: unknown, code: SearchIndexErrorCode): boolean {
  return error instanceof SearchIndexError && error.code === code;
}

/**
 * The index's answer, within a bounded time.
 * @throws SERVICE_UNAVAILABLE when the index cannot answer, or has not until then
 */
export async function answerInTime<T>(answer: Promise<T>, milliseconds = LONGEST_WAIT): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PartlineError("SERVICE_UNAVAILABLE", "The search index did not answer in time")), milliseconds);
  });
  try {
    return await Promise.race([answer, overdue]);
  } catch (error) {
    if (!hasIndexCode(error, "UNAVAILABLE")) throw error;
    throw new PartlineError("SERVICE_UNAVAILABLE", "The search index does not answer", undefined, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
