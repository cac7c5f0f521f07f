import { hash } from "node:crypto";
import type { ShippingAddress } from "../../broker/contract/common.ts";
import { type InferRules, integer, number, object, rules, string } from "../../broker/contract/rules.ts";
import { readerOf } from "../../broker/contract/validator.ts";
import { type PartlineError, validationFailed } from "../../mixins/errors.ts";
import { toCents, worthOf } from "../../mixins/money.ts";
import { assertShipsTo, type Place, placeOf } from "../../mixins/postal-address.ts";
import type { Consignment, ShippingMethod } from "../../mixins/shipping-rates/port.ts";
import type { CatalogItem } from "./checkout-rules.ts";
import type { Line } from "./provider-requests.ts";

const WORDS: Record<keyof Place, string> = {
  country: "an ISO 3166 code of a country, like US",
  state: "the code of a state or province of that country, like TX",
  postalCode: "a postal code of that country",
};

/**
 * Returns where an address is.
 * @throws VALIDATION_FAILED naming each field that shipping costs need and that cannot be used, and a country that is
 * not shipped to
 */
export function destinationOf(address: ShippingAddress, field: string, shipTo: readonly string[]): Place {
  const place = placeOf(address);
  if (Array.isArray(place)) {
    // Without its country nothing can be said of the others.
    const named: (keyof Place)[] = place.includes("country") ? ["country"] : place;
    const [first, ...others] = named.map((name) => ({
      field: `${field}.${name}`,
      message: `The '${field}.${name}' field must be ${WORDS[name]}.`,
    }));
    throw validationFailed([first!, ...others]);
  }
  assertShipsTo(place, field, shipTo);
  return place;
}

/** Returns what is sent. `catalog` is in the order of the lines; what weighs nothing known weighs `unknownGrams`. */
export function consignmentOf(
  lines: readonly Pick<Line, "quantity" | "price">[],
  catalog: readonly CatalogItem[],
  unknownGrams: number,
): Consignment {
  const grams = (at: number): number => catalog[at]?.weightGrams ?? unknownGrams;
  return {
    weightGrams: lines.reduce((sum, { quantity }, at) => sum + quantity * grams(at), 0),
    subtotal: worthOf(lines),
    hazmat: catalog.some(({ hazmat }) => hazmat),
    oversize: catalog.some(({ oversize }) => oversize),
  };
}

/** Returns the same for lines of the same products, quantities and prices, in any order. */
export function digestOf(lines: readonly Pick<Line, "productId" | "quantity" | "price">[]): string {
  const quantities = new Map<string, number>();
  for (const { productId, quantity, price } of lines) {
    const product = JSON.stringify([productId, price]);
    quantities.set(product, (quantities.get(product) ?? 0) + quantity);
  }
  const sorted = [...quantities].sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify(sorted), "base64url").slice(0, 22);
}

const quotedRules = rules({
  items: string(),
  to: object({ country: string(), state: string({ optional: true }), postalCode: string({ optional: true }) }),
  method: object({
    provider: string(),
    serviceType: string(),
    cost: integer({ min: 0 }),
    estimatedDays: number({ optional: true }),
  }),
  /** Unix seconds. */
  exp: integer(),
});

/** What a quote says: a method for these items to this place. */
export type Quoted = InferRules<typeof quotedRules>;

const readQuoted = readerOf(quotedRules);

/** Returns what the token of a quote says; undefined if another version wrote it otherwise. */
export function quotedIn({ items, to, method, exp }: Record<string, unknown>): Quoted | undefined {
  return readQuoted({ items, to, method, exp }).value;
}

/** Returns a rate, its cost in currency units, in cents. */
export function inCents({ provider, serviceType, cost, estimatedDays }: ShippingMethod): ShippingMethod {
  return { provider, serviceType, cost: toCents(cost), estimatedDays };
}

/** Returns which of these methods a client's rate is. */
export function offeredAs(rate: ShippingMethod, offered: readonly ShippingMethod[]): ShippingMethod | undefined {
  const fields = ["provider", "serviceType", "cost"] as const;
  return offered.find((method) => fields.every((field) => method[field] === rate[field]));
}

export function isSamePlace(one: Place, other: Place): boolean {
  return one.country === other.country && one.state === other.state && one.postalCode === other.postalCode;
}

export function quoteRefused(why: string): PartlineError {
  return validationFailed({ field: "quote", message: `The 'quote' field ${why}.` });
}
