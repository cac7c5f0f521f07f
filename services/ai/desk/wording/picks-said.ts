import type { Evidence } from "../finding/evidence.ts";
import { isForSale, type Offer } from "../facts.ts";
import { keyOf } from "../finding/finding.ts";
import { dollars, listed } from "./phrases.ts";
import type { Finding } from "../finding/retrieval.ts";

interface Offered {
  number: string;
  offer: Offer;
}

/** Which of the parts it is, where several were found of what is compared. */
export function picksSaid({ findings, parts, offerOf }: Pick<Evidence, "findings" | "parts" | "offerOf">): string[] {
  const compared = Map.groupBy(
    findings.filter(({ ask }) => ask.pick !== undefined),
    (finding) => finding.ask.pick!.among ?? finding,
  );
  return [...compared.values()].flatMap((group) => {
    const offered = offeredIn(group, parts, offerOf);
    if (offered.length < 2) return [];
    return [group[0]!.ask.pick!.by === "cheapest" ? cheapestSaid(offered) : inStockSaid(offered)];
  });
}

function offeredIn(findings: readonly Finding[], parts: Evidence["parts"], offerOf: Evidence["offerOf"]): Offered[] {
  const asked = new Set(findings.flatMap((finding) => [...finding.parts, ...finding.successors].map(keyOf)));
  return parts
    .filter((part) => asked.has(keyOf(part)))
    .map((part) => ({ number: part.partNumber, offer: offerOf(part) }));
}

/** Of what can be bought. */
function cheapestSaid(parts: readonly Offered[]): string {
  const known = parts.filter(({ offer }) => isForSale(offer));
  if (known.length === 0)
    return "Which of these is the cheapest is not known: none of them is for sale at a known price.";
  const least = Math.min(...known.map(({ offer }) => offer.price!));
  const cheapest = known.filter(({ offer }) => offer.price === least).map(({ number }) => number);
  const others = known.length === parts.length ? "of these" : "of those that are for sale at a known price";
  return `The cheapest ${others}: ${listed(cheapest)}, ${dollars(least)}${cheapest.length > 1 ? " each" : ""}.`;
}

function inStockSaid(parts: readonly Offered[]): string {
  const said = (
    [
      ["In stock", ["in_stock", "low_stock"]],
      ["Out of stock", ["out_of_stock"]],
      ["Whether it is in stock is not known", ["unknown", null]],
    ] as const
  ).flatMap(([words, availabilities]) => {
    const numbers = parts
      .filter(({ offer }) => (availabilities as readonly Offer["availability"][]).includes(offer.availability))
      .map(({ number }) => number);
    return numbers.length === 0 ? [] : [`${words}: ${listed(numbers)}.`];
  });
  return said.join(" ");
}
