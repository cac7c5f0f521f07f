import type { Evidence } from "./evidence.ts";
import { isForSale, type Offer } from "./facts.ts";
import { keyOf } from "./finding.ts";
import { dollars, listed } from "./phrases.ts";

/** Which of several parts is asked for, by what the store says of them. */
export type PickAsked = "cheapest" | "in stock";

const CHEAPEST = /\bcheap(?:er|est)\b|\b(?:least|less) expensive\b|\blowest[- ]pric\w*|\bcosts? (?:the )?(?:least|less)\b/i;
const IN_STOCK = /\b(?:which|what)\b(?: [\w'-]+){0,6} (?:in stock|available|on hand)\b/i;

export function pickAsked(text: string): { pick?: PickAsked } {
  return CHEAPEST.test(text) ? { pick: "cheapest" } : IN_STOCK.test(text) ? { pick: "in stock" } : {};
}

interface Offered {
  number: string;
  offer: Offer;
}

/** Which of the parts it is, where several were found. */
export function picksSaid({ findings, parts, offerOf }: Pick<Evidence, "findings" | "parts" | "offerOf">): string[] {
  const offered = (pick: PickAsked): Offered[] => {
    const asked = new Set(findings.filter(({ ask }) => ask.pick === pick).flatMap((finding) => [...finding.parts, ...finding.successors].map(keyOf)));
    return parts.filter((part) => asked.has(keyOf(part))).map((part) => ({ number: part.partNumber, offer: offerOf(part) }));
  };
  const priced = offered("cheapest");
  const stocked = offered("in stock");
  return [...(priced.length < 2 ? [] : [cheapestSaid(priced)]), ...(stocked.length < 2 ? [] : [inStockSaid(stocked)])];
}

/** Of what can be bought. */
function cheapestSaid(parts: readonly Offered[]): string {
  const known = parts.filter(({ offer }) => isForSale(offer));
  if (known.length === 0) return "Which of these is the cheapest is not known: none of them is for sale at a known price.";
  const least = Math.min(...known.map(({ offer }) => offer.price!));
  const cheapest = known.filter(({ offer }) => offer.price === least).map(({ number }) => number);
  const others = known.length === parts.length ? "of these" : "of those that are for sale at a known price";
  return `The cheapest ${others}: ${listed(cheapest)}, ${dollars(least)}${cheapest.length > 1 ? " each" : ""}.`;
}

function inStockSaid(parts: readonly Offered[]): string {
  const said = ([["In stock", ["in_stock", "low_stock"]], ["Out of stock", ["out_of_stock"]], ["Whether it is in stock is not known", ["unknown", null]]] as const).flatMap(([words, availabilities]) => {
    const numbers = parts.filter(({ offer }) => (availabilities as readonly Offer["availability"][]).includes(offer.availability)).map(({ number }) => number);
    return numbers.length === 0 ? [] : [`${words}: ${listed(numbers)}.`];
  });
  return said.join(" ");
}
