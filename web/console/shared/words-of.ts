import { isPartlineError } from "@partline/client";
import { texts } from "../texts.ts";

/** Why something failed: in the words of the API, or in ours if it said nothing. */
export function wordsOf(error: unknown): string {
  if (isPartlineError(error, "NETWORK_ERROR", "UNEXPECTED_ANSWER")) return texts.noAnswer;
  return error instanceof Error ? error.message : String(error);
}
