import type { CartItem, PartlineError } from "@partline/client";
import { fill } from "../shared/language.ts";
import type { Texts } from "./texts/en.ts";

/** Codes that are the same to a shopper. */
const SAME: Readonly<Record<string, string>> = {
  UNEXPECTED_ANSWER: "NETWORK_ERROR",
  DATABASE_UNAVAILABLE: "SERVICE_UNAVAILABLE",
  PROVIDER_ERROR: "SERVICE_UNAVAILABLE",
  TIMEOUT: "SERVICE_UNAVAILABLE",
};

/** The last name of each field that was refused (`shippingAddress.city`); empty if something else is wrong. */
export function findRefusedFields({ code, details }: Pick<PartlineError, "code" | "details">): string[] {
  if (code !== "VALIDATION_FAILED" || !Array.isArray(details)) return [];
  return details.map(({ field = "" }: { field?: string }) => /\w*$/.exec(field)![0]);
}

/**
 * Why something failed, by the code, or by the last name of each refused field (`shippingAddress.city`). The API's own
 * words are English, and name its fields.
 */
export function explainProblem({ code, details }: Pick<PartlineError, "code" | "details">, texts: Texts): string {
  const messages: Readonly<Record<string, string | undefined>> = texts;
  const isOfFields = code === "VALIDATION_FAILED" && Array.isArray(details);
  const names = isOfFields ? findRefusedFields({ code, details }) : [SAME[code] ?? code];
  const sentences = names.map((name) => messages[`problem_${name}`] ?? texts.problem_other);
  return [...new Set(sentences)].join(" ") || texts.problem_other;
}

/** Says of which lines too little is left, and how much; undefined if something else is wrong. */
export function describeShortage(
  { code, details }: Pick<PartlineError, "code" | "details">,
  items: readonly CartItem[],
  texts: Texts,
): string | undefined {
  if (code !== "OUT_OF_STOCK" || !Array.isArray(details)) return undefined;
  const sentences = (details as { productId?: string; left?: number }[]).flatMap(({ productId, left }) => {
    const item = items.find((line) => line.productId === productId);
    if (!item || left === undefined) return [];
    const { title, partNumber: number, quantity: count } = item;
    return [fill(left === 0 ? texts.shortNone : texts.shortOf, { title, number, count, left })];
  });
  return sentences.length > 0 ? sentences.join(" ") : undefined;
}
