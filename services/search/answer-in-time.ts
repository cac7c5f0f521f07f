import { PartlineError } from "../../mixins/errors.ts";
import { SearchIndexError, type SearchIndexErrorCode } from "@partline/parts-search";
import { withTimeout } from "@partline/toolkit";

/** Longest wait for the index, milliseconds: less than the broker's limit of a call. */
const LONGEST_WAIT = 5_000;

export function hasIndexCode(error: unknown, code: SearchIndexErrorCode): boolean {
  return error instanceof SearchIndexError && error.code === code;
}

/** @throws SERVICE_UNAVAILABLE when the index cannot answer, or not in time */
export async function answerInTime<T>(answer: Promise<T>, milliseconds = LONGEST_WAIT): Promise<T> {
  const onLate = (): never => {
    throw new PartlineError("SERVICE_UNAVAILABLE", "The search index did not answer in time");
  };
  try {
    return await withTimeout(answer, milliseconds, onLate);
  } catch (error) {
    if (!hasIndexCode(error, "UNAVAILABLE") && !hasIndexCode(error, "BUILD_NEEDED")) throw error;
    throw new PartlineError("SERVICE_UNAVAILABLE", "The search index does not answer", undefined, { cause: error });
  }
}
