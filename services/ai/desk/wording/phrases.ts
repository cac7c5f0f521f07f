import type { FitmentRow, FoundPart, Offer } from "../facts.ts";
import { quotable } from "./quotable.ts";

/** How facts are said. */

export function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}

/** A machine's name within a part's is easily taken for a part's number; the description of the part has it. */
const OWN_NUMBER = /(?:[\s,;/]|\bfor\b)+[A-Z]{1,4}-?\d{3,}[A-Z0-9]*\b/g;

/** `15964-8141 (Carburetor Assembly)`. */
export function nameOf({ partNumber, description }: Pick<FoundPart, "partNumber" | "description">): string {
  const name = quotable(description)[0]
    ?.replace(OWN_NUMBER, "")
    .replace(/[\s,;/-]+$/, "");
  return name === undefined || name === "" ? partNumber : `${partNumber} (${name})`;
}

/** `quantity 4, Figure 3: Mower Deck, page 7`. */
export function placeOf({ quantity, schema, page }: Pick<FitmentRow, "quantity" | "schema" | "page">): string {
  return [...(quantity === undefined ? [] : [`quantity ${quantity}`]), ...quotable(schema), `page ${page}`].join(", ");
}

/** `$55.00, 12 in stock`. */
export function offerOf({ id, status, price, availability, stock, supplierFailed }: Offer): string {
  if (id === null) return supplierFailed ? "price and stock not known" : "not in the catalog";
  const words = [price === null ? "no price known" : dollars(price)];
  if (status === "discontinued") words.push("discontinued");
  if (availability === "out_of_stock") words.push("out of stock");
  else if (availability === "in_stock" || availability === "low_stock")
    words.push(stock === null ? "in stock" : `${stock} in stock`);
  else words.push("stock not known");
  return words.join(", ");
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)!}`;
}
