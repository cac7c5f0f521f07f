import { normalize } from "../generators/manuals/number-families.ts";
import type { System } from "../../../../../test/support/system.ts";
import { listNumbers, listPrices, type Answer } from "./judge.ts";
import type { PrintedNumbers } from "./known-manuals.ts";

interface Asked {
  query: string;
  answer: Answer;
}

/** The parts that the shop sells under a number: vendors may share it. */
interface Offer {
  vendor: string;
  price: number | null;
}

/** The catalog's facts about a number: its parts, and whether a title has it, as a model or a size. */
interface Listed {
  offers: Offer[];
  isInTitle: boolean;
}

/** Part numbers that neither a manual nor the catalog has, and prices that the shop does not ask. */
export async function checkFacts(
  system: System,
  askedQuestions: readonly Asked[],
  printed: PrintedNumbers,
): Promise<{ invented: string[]; wrongPrices: string[] }> {
  const offers = await fetchOffers(
    system,
    new Set(askedQuestions.flatMap(({ query, answer }) => listNumbers(query, answer)).map(normalize)),
  );
  const listed = (number: string): Listed | undefined => offers.get(normalize(number));
  const offered = (number: string): Offer[] => listed(number)?.offers ?? [];

  const isKnown = (number: string): boolean =>
    printed.has(number) || offered(number).length > 0 || listed(number)?.isInTitle === true;
  /** Whether the price is that of a maker whose manual prints the number, or of any maker if no manual does. */
  const isAsked = (number: string, price: number): boolean => {
    const makers = new Set(printed.places(number).map(({ part }) => part.vendor));
    const makerOffers = offered(number).filter(({ vendor }) => makers.has(vendor));
    return (makerOffers.length > 0 ? makerOffers : offered(number)).some((offer) => offer.price === price);
  };
  const isOfParts = (price: number, { parts }: Answer): boolean =>
    parts.some(
      (part) =>
        part.price !== null && [1, part.quantity ?? 1].some((times) => Math.abs(part.price! * times - price) < 0.005),
    );

  const invented: string[] = [];
  const wrongPrices: string[] = [];
  for (const { query, answer } of askedQuestions) {
    for (const number of listNumbers(query, answer))
      if (!isKnown(number)) invented.push(`invented  ${number}  in the answer to: ${query}`);
    for (const { part_number, price } of answer.parts)
      if (price !== null && !isAsked(part_number, price))
        wrongPrices.push(`price  ${price} of ${part_number}  in the answer to: ${query}`);
    for (const price of listPrices(answer))
      if (!isOfParts(price, answer)) wrongPrices.push(`price  ${price}  in the words that answer: ${query}`);
  }
  return { invented, wrongPrices };
}

/** Finds offers by normalised number. */
async function fetchOffers(system: System, numbers: ReadonlySet<string>): Promise<Map<string, Listed>> {
  const listed = new Map<string, Listed>();
  for (const number of numbers) {
    const { body } = await system.request("search", "GET", `/api/search?limit=100&q=${encodeURIComponent(number)}`);
    const { parts } = body as {
      parts: { partNumber: string; title: string; manufacturer: { code: string }; price: number | null }[];
    };
    const exact = parts.filter(({ partNumber }) => normalize(partNumber) === number);
    listed.set(number, {
      offers: exact.map(({ manufacturer, price }) => ({ vendor: manufacturer.code, price })),
      isInTitle: parts.some(({ title }) => title.split(/[\s,;]+/).some((word) => normalize(word) === number)),
    });
  }
  return listed;
}
