import { isPartlineError } from "@partline/client";
import { texts } from "../texts.ts";
import { refusalText } from "./refusal-text.ts";

/** Why something failed. @param noAnswer said if nobody knows whether it did */
export function wordsOf(error: unknown, noAnswer = texts.noAnswer): string {
  if (isPartlineError(error, "NETWORK_ERROR", "UNEXPECTED_ANSWER")) return noAnswer;
  if (isPartlineError(error)) return refusalText(error.code, error.message);
  return error instanceof Error ? error.message : String(error);
}
