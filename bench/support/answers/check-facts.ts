import { normalizePartNumber } from "../../../mixins/part-number.ts";
import type { System } from "../../../test/support/system.ts";
import { numbersOf, pricesOf, type Answer } from "./judge.ts";
import type { PrintedNumbers } from "./known-manuals.ts";

/** Of the specification: numbers of one availability request. */
const AT_ONCE = 10;

/** Part numbers that neither a manual nor the catalog has, and prices that the shop does not ask. */
export async function checkFacts(
  system: System, asked: readonly { query: string; answer: Answer }[], printed: PrintedNumbers,
): Promise<{ invented: string[]; wrongPrices: string[] }> {
  const numbers = asked.flatMap(({ query, answer }) => numbersOf(query, answer));
  const prices = await pricesOfShop(system, [...new Set(numbers.map(normalizePartNumber))]);
  const isKnown = (number: string): boolean => printed.has(number) || prices.has(normalizePartNumber(number));
  const invented = asked.flatMap(({ query, answer }) => numbersOf(query, answer).filter((number) => !isKnown(number)).map((number) => `invented  ${number}  in the answer to: ${query}`));
  const wrongPrices = asked.flatMap(({ query, answer }) => [
    ...answer.parts.filter(({ part_number, price }) => price !== null && !prices.get(normalizePartNumber(part_number))?.has(price)).map(({ part_number, price }) => `price  ${price} of ${part_number}  in the answer to: ${query}`),
    ...pricesOf(answer).filter((price) => !answer.parts.some((part) => part.price === price || (part.quantity !== null && part.price !== null && Math.abs(part.price * part.quantity - price) < 0.005))).map((price) => `price  ${price}  in the words that answer: ${query}`),
  ]);
  return { invented, wrongPrices };
}

/** Of each number that the catalog has, what it is sold at. */
async function pricesOfShop(system: System, numbers: readonly string[]): Promise<Map<string, Set<number>>> {
  const known = new Map<string, Set<number>>();
  for (let from = 0; from < numbers.length; from += AT_ONCE) {
    const { body } = await system.request("search", "POST", "/api/ai/availability", { body: { partNumbers: numbers.slice(from, from + AT_ONCE) } });
    const { results } = body as { results: { partNumber: string; found: boolean; price: number | null }[] };
    for (const { partNumber, found, price } of results) if (found) known.set(normalizePartNumber(partNumber), new Set(price === null ? [] : [price]));
  }
  return known;
}
