import { isPartlineError } from "@partline/client";
import { texts } from "../texts.ts";
import { refusalText } from "./refusal-text.ts";
import { formatRemark } from "./remark-text.ts";

/** Why something failed. @param noAnswer said if nobody knows whether it did */
export function describeProblem(error: unknown, noAnswer = texts.noAnswer): string {
  if (isPartlineError(error, "NETWORK_ERROR", "UNEXPECTED_ANSWER")) return noAnswer;
  if (isPartlineError(error)) {
    const [problem] = Array.isArray(error.details) ? (error.details as { code?: string; values?: object }[]) : [];
    const isCoded = problem?.code !== undefined;
    return isCoded
      ? formatRemark({ reason: error.message, code: problem.code, values: { ...problem.values } })
      : refusalText(error.code, error.message);
  }
  return error instanceof Error ? error.message : String(error);
}
