import type { PartlineError } from "@partline/client";
import type { Texts } from "./texts/en.ts";

/** Codes that are the same to a shopper. */
const SAME: Readonly<Record<string, string>> = {
  UNEXPECTED_ANSWER: "NETWORK_ERROR",
  DATABASE_UNAVAILABLE: "SERVICE_UNAVAILABLE",
  PROVIDER_ERROR: "SERVICE_UNAVAILABLE",
  TIMEOUT: "SERVICE_UNAVAILABLE",
};

/**
 * Why something failed, by the code, or by the last name of each refused field (`shippingAddress.city`). The API's own
 * words are English, and name its fields.
 */
export function problemOf({ code, details }: Pick<PartlineError, "code" | "details">, texts: Texts): string {
  const said: Readonly<Record<string, string | undefined>> = texts;
  const names =
    code === "VALIDATION_FAILED" && Array.isArray(details)
      ? details.map(({ field = "" }: { field?: string }) => /\w*$/.exec(field)![0])
      : [SAME[code] ?? code];
  const sentences = names.map((name) => said[`problem_${name}`] ?? texts.problem_other);
  return [...new Set(sentences)].join(" ") || texts.problem_other;
}
