import { PartlineError } from "../../mixins/errors.ts";
import { SearchIndexError, type SearchIndexErrorCode } from "../../mixins/search-index/port.ts";
import { withinTime } from "../../mixins/within-time.ts";

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
  const late = (): never => {
    throw new PartlineError("SERVICE_UNAVAILABLE", "The search index did not answer in time");
  };
  try {
    return await withinTime(answer, milliseconds, late);
  } catch (error) {
    if (!hasIndexCode(error, "UNAVAILABLE") && !hasIndexCode(error, "BUILD_NEEDED")) throw error;
    throw new PartlineError("SERVICE_UNAVAILABLE", "The search index does not answer", undefined, { cause: error });
  }
}
