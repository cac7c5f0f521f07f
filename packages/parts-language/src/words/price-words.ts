import { fold } from "../fold.ts";
import { type Cents, toCents } from "../money.ts";
import { writeSpoken } from "./spoken.ts";
import { getAt } from "@partline/toolkit";
import { getLines } from "./vocabulary.ts";

export interface PriceWish {
  /** The query without it. */
  q: string;
  bounds: { minPrice?: Cents; maxPrice?: Cents };
}

const NUMBER = String.raw`(?<![\d.,/])(?!0\d)((?:\d{1,3}(?:,\d{3})+|\d{1,5})(?:\.\d{1,2})?)(?![\d,])`;
const SIGN = String.raw`(?:\$|usd|dol+ar\w{0,2}|bucks)`;
const SIGNED = String.raw`(?:(?:\$|usd) ?${NUMBER}|${NUMBER} ?${SIGN})`;
const [UNDER, AT_MOST, OVER, BETWEEN, AND, NEGATION, MOST_BEHIND, LEAST_BEHIND] = (
  ["under", "at most", "over", "between", "and", "not", "most behind", "least behind"] as const
).map((name) => `(?:${getLines(`price ${name}`).join("|")})`);
/** An amount has a sign of the currency; one at the end of the query, behind a word of `UNDER`, needs none. */
const AMOUNT = String.raw`(?:${SIGNED}|${NUMBER}(?= ?(?:${MOST_BEHIND})?\W*$))`;
/** `Nothing over`, `I don't want to spend more than`: what is denied bounds from the other side. */
const DENIED = String.raw`\b${NEGATION}(?: [\p{L}'’]+){0,6}?(?: a)?`;

/** `$20 to $50`, `at least 20 and at most 50 dollars`; the other way round it is `at most 50 but over 20 dollars`. */
const RANGE = new RegExp(
  String.raw`${NUMBER} ?${SIGN}?,? ?(?:-|to|and|but|(?<=\b(?:${BETWEEN}|${OVER}) .*)${AND}) ?(?:(?:and )?(?:${AT_MOST}|${UNDER}) ?)?${SIGNED}`,
  "u",
);
const RANGE_BACK = new RegExp(
  String.raw`(?=\d)(?<=\b(?:${AT_MOST}|${UNDER}) ?\$? ?)${NUMBER} ?${SIGN}?,? ?(?:and|but|${AND}) ?${OVER} ?${SIGNED}`,
  "u",
);
const BEFORE_RANGE = new RegExp(String.raw`(?:\b(?:${BETWEEN}|${OVER}|${AT_MOST}|${UNDER}) ?)?\$? ?$`);
const NOT_OVER = new RegExp(String.raw`${DENIED} ${OVER} ${AMOUNT}`, "u");
const NOT_UNDER = new RegExp(String.raw`${DENIED} ${UNDER} ${AMOUNT}`, "u");
const MOST = new RegExp(
  String.raw`(?:\b${UNDER} ${AMOUNT}|(?:\b|(?=<))${AT_MOST}:? ?${SIGNED}|${SIGNED} ${MOST_BEHIND}(?!\p{L}))`,
  "u",
);
const LEAST = new RegExp(String.raw`(?:(?:\b|(?=>))${OVER}:? ?${SIGNED}|${SIGNED} ${LEAST_BEHIND}(?!\p{L}))`, "u");

/**
 * Reads what a query says of the price, `under 60 dollars` or `$20 to $50`, as bounds; undefined if it says nothing.
 */
export function priceWish(q: string): PriceWish | undefined {
  const text = writeSpoken(fold(q).trim());
  const wish = findPriceWish(text);
  return wish && { q: text.replace(wish.phrase, " ").replaceAll(/\s+/g, " ").trim(), bounds: wish.bounds };
}

/** Finds what says it in a folded text. */
export function findPriceWish(text: string): (Pick<PriceWish, "bounds"> & { phrase: string }) | undefined {
  for (const [pattern, names] of [
    [RANGE, ["minPrice", "maxPrice"]],
    [RANGE_BACK, ["maxPrice", "minPrice"]],
    [NOT_OVER, ["maxPrice"]],
    [NOT_UNDER, ["minPrice"]],
    [MOST, ["maxPrice"]],
    [LEAST, ["minPrice"]],
  ] as const) {
    const match = pattern.exec(text);
    const amounts = match?.slice(1).filter((amount) => amount !== undefined) ?? [];
    if (!match || amounts.length !== names.length) continue;
    const bounds = Object.fromEntries(
      names.map((name, index) => [name, toCents(Number(getAt(amounts, index).replaceAll(",", "")))]),
    );
    const [opening = ""] = names.length === 2 ? (BEFORE_RANGE.exec(text.slice(0, match.index)) ?? []) : [];
    return { phrase: opening + match[0], bounds };
  }
  return undefined;
}
