import { isPartlineError } from "@partline/client";
import { texts } from "../texts.ts";
import { refusalText } from "./refusal-text.ts";

/** Why something failed. */
export function wordsOf(error: unknown): string {
  if (isPartlineError(error, "NETWORK_ERROR", "UNEXPECTED_ANSWER")) return texts.noAnswer;
  if (isPartlineError(error)) return refusalText(error.code, error.message);
  return error instanceof Error ? error.message : String(error);
}
