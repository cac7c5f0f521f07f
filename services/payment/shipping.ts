import { isDeepStrictEqual } from "node:util";
import type { ShippingAddress } from "../shared/commerce.ts";
import type { CallContext } from "../../broker/contract/context.ts";
import {
  type Params,
  type Result,
  type InferRules,
  integer,
  object,
  rules,
  string,
  createReader,
} from "@partline/api-contracts";
import type { Settings } from "../../broker/settings.ts";
import { invalidField, PartlineError, validationFailed } from "../../mixins/errors.ts";
import { type Cents, formatMoney, toCents, toDecimal, computeWorth } from "@partline/parts-language";
import { resolveKnownPlace, type Place, resolvePlace } from "@partline/toolkit/pure";
import {
  type Consignment,
  inOrder,
  type ShippingMethod,
  type ShippingRates,
} from "../../mixins/shipping-rates/port.ts";
import { defaultGrams } from "../../mixins/shipping-rates/table.ts";
import type { SignedTokens } from "../../mixins/http/signed-token.ts";
import type { Actions } from "../contracts.ts";
import { findCatalogItems } from "./catalog.ts";
import { type CatalogItem, checkPrices, computeLinesDigest, PRICES_HOLD_MS } from "./checkout-rules.ts";
import type { Purchase, Line } from "./purchase.ts";
import { assertShipsTo, getShippingTable, isShippingEnforced } from "../shared/shipping-costs.ts";
import { shippingMethodRule } from "../shared/placed-order.ts";

const PURPOSE = "shipping-quote";

interface Deps {
  settings: Pick<Settings, "shipping" | "shop">;
  tokens: SignedTokens;
  rates: ShippingRates;
}

type Request = Pick<
  Params<Actions["payment.createCheckoutSession"]>,
  "fulfilment" | "shippingAddress" | "shippingRate" | "quote"
>;

/** Shipping of a purchase: cost, and the place and expiry if the cost is that of a place. */
interface ChosenShipping {
  method?: ShippingMethod;
  /** Methods that the page offers in its place: at least one. */
  offers?: ShippingMethod[];
  paidFor?: Purchase["shippingPaidFor"];
  /** The only country that the address can be in. */
  country?: string;
  until?: Date;
}

/** Maximum number of methods on the provider's page. */
const MOST_OFFERS = 5;

export type Shipping = ReturnType<typeof createShipping>;

/** Says what shipping costs, by quotes that it takes back for half an hour. */
export function createShipping({ settings, tokens, rates }: Deps) {
  const { shipTo, from, rates: listed } = settings.shipping;
  const consignmentIn = (lines: readonly Line[], catalog: readonly CatalogItem[]) =>
    toConsignment(lines, catalog, defaultGrams(getShippingTable(settings)));
  const home = findHome(from, shipTo);

  async function quote(
    ctx: CallContext<Params<Actions["payment.quoteShipping"]>>,
  ): Promise<Result<Actions["payment.quoteShipping"]>> {
    const { items, destination } = ctx.params;
    const to = resolveDestination(destination, "destination", shipTo);
    const catalog = await findCatalogItems(ctx, items);
    const lines = checkPrices(
      items.map((item, index) => ({ title: item.partNumber, ...item, unitPrice: catalog[index]?.price ?? 0 })),
      catalog,
    );
    const bound = { items: computeLinesDigest(lines), to };
    const methods = await rates.methods(consignmentIn(lines, catalog), to);
    return {
      methods: await Promise.all(
        methods.map(async (method) => ({
          ...method,
          cost: toDecimal(method.cost),
          quote: await tokens.sign(PURPOSE, { ...bound, method } satisfies Omit<Quoted, "exp">, PRICES_HOLD_MS),
        })),
      ),
    };
  }

  /** @throws VALIDATION_FAILED that says why a quote cannot be taken */
  async function takeBack(
    token: string,
    address: Request["shippingAddress"],
    lines: readonly Line[],
    catalog: readonly CatalogItem[],
  ): Promise<ChosenShipping & { method: ShippingMethod; to: Place }> {
    const claims = await tokens.verify(PURPOSE, token);
    if (claims === "expired") throw quoteRefused("is a quote that has expired: ask for a new one");
    // Another version may have written it otherwise.
    const quoted = claims === "forged" ? undefined : quotedIn(claims);
    if (!quoted) throw quoteRefused("is forged, or is no quote of this shop");
    if (quoted.items !== computeLinesDigest(lines))
      throw quoteRefused("is a quote for other items, quantities or prices: ask for one for these");
    const saysWhere = address?.country || address?.state || address?.postalCode;
    const { to, method } = quoted;
    if (saysWhere && !isDeepStrictEqual(to, resolveDestination(address!, "shippingAddress", shipTo)))
      throw quoteRefused("is a quote for another destination: ask for one for this shippingAddress");
    const paidFor = toPaidFor(consignmentIn(lines, catalog), to);
    return { method, to, paidFor, country: to.country, until: new Date(quoted.exp * 1_000) };
  }

  /**
   * Lists what is offered to an address, the cheapest first: by as much of it as is known, else to the shop's own
   * place. Rates of SHIPPING_RATES cost the same everywhere.
   * @throws VALIDATION_FAILED for a country that is not shipped to
   */
  async function listOffersTo(
    address: Request["shippingAddress"],
    lines: readonly Line[],
    catalog: readonly CatalogItem[],
  ): Promise<{ methods: ShippingMethod[] } & Pick<ChosenShipping, "paidFor" | "country">> {
    const place = resolveKnownPlace(address ?? {});
    if (place) assertShipsTo(place, "shippingAddress", shipTo);
    const to = place && rates.zoneOf(place) !== undefined ? place : home;
    const consignment = consignmentIn(lines, catalog);
    const methods = await rates.methods(consignment, to);
    return { methods, paidFor: toPaidFor(consignment, to), country: place?.country };
  }

  /** @throws VALIDATION_FAILED if nothing takes these items */
  async function listOffers(...args: Parameters<typeof listOffersTo>): ReturnType<typeof listOffersTo> {
    const offered = listed ? { methods: inOrder(listed.map(inCents)) } : await listOffersTo(...args);
    if (offered.methods.length > 0) return offered;
    const message =
      'No shipping method takes all of these items there. Split the cart, or send `fulfilment: "pickup"`.';
    throw validationFailed({ field: "items", message });
  }

  /**
   * A rate that a client names, at our cost.
   * @throws VALIDATION_FAILED unless it is offered at the cost that is named
   */
  async function takeRate(
    rate: NonNullable<Request["shippingRate"]>,
    ...args: Parameters<typeof listOffersTo>
  ): Promise<ChosenShipping> {
    const requestedMethod = inCents(rate);
    const ours = listed?.map(inCents) ?? [];
    const inList = offeredAs(requestedMethod, ours);
    if (inList) return { method: inList };
    const { methods, paidFor, country } = await listOffersTo(...args);
    const method = offeredAs(requestedMethod, methods);
    if (method) return { method, paidFor, country };
    throw rateRefused(requestedMethod, [...ours, ...methods]);
  }

  return {
    quote,

    /**
     * Returns what a checkout pays for shipping: nothing if the buyer fetches the order, and what the page offers if
     * the request does not say it. While nothing is configured outside production, what a client says, and nothing if
     * it says nothing.
     * @throws VALIDATION_FAILED
     */
    async choose(
      { fulfilment, quote: token, shippingRate, shippingAddress }: Request,
      lines: readonly Line[],
      catalog: readonly CatalogItem[],
    ): Promise<ChosenShipping> {
      if (token !== undefined && shippingRate !== undefined)
        throw quoteRefused("stands in place of 'shippingRate': give one of them");
      const givenField = token !== undefined ? "quote" : shippingRate !== undefined ? "shippingRate" : undefined;
      if (givenField !== undefined && fulfilment === "pickup")
        throw invalidField(givenField, "does not apply to a pickup order");
      if (token !== undefined) return takeBack(token, shippingAddress, lines, catalog);
      if (fulfilment === "pickup") return {};
      if (!isShippingEnforced(settings)) return shippingRate ? { method: inCents(shippingRate) } : {};
      if (shippingRate !== undefined) return takeRate(shippingRate, shippingAddress, lines, catalog);
      const { methods, ...priced } = await listOffers(shippingAddress, lines, catalog);
      return { offers: methods.slice(0, MOST_OFFERS), ...priced };
    },

    /**
     * Returns what a payment intent pays for shipping. Without a quote its amount must hold the cheapest method there,
     * and pays for the one that it is the sum of; nothing while nothing is configured outside production.
     * @throws VALIDATION_FAILED naming the amount that is enough
     */
    async chooseForIntent(
      { fulfilment, quote: token, shippingAddress, amount }: Omit<Request, "shippingRate"> & { amount: Cents },
      lines: readonly Line[],
      catalog: readonly CatalogItem[],
    ): Promise<ChosenShipping & { to?: Place }> {
      if (token !== undefined && fulfilment === "pickup") throw quoteRefused("does not apply to a pickup order");
      const goods = computeWorth(lines);
      if (token === undefined && fulfilment !== "pickup" && isShippingEnforced(settings)) {
        const { methods, paidFor } = await listOffers(shippingAddress, lines, catalog);
        const [cheapest] = methods;
        const extra = amount - goods;
        if (cheapest && extra < cheapest.cost) throw amountRefused(goods, cheapest);
        return { method: methods.find(({ cost }) => cost === extra) ?? cheapest, paidFor };
      }
      if (amount < goods) throw amountRefused(goods);
      return token === undefined ? {} : takeBack(token, shippingAddress, lines, catalog);
    },
  };
}

/** The place that costs are of while an address does not say one. */
function findHome(from: ShippingAddress | undefined, shipTo: readonly string[]): Place {
  const place = from && resolvePlace(from);
  return place && !Array.isArray(place) && shipTo.includes(place.country) ? place : { country: shipTo[0]! };
}

function toPaidFor({ weightGrams, hazmat, oversize }: Consignment, to: Place): Purchase["shippingPaidFor"] {
  return { ...to, weightGrams, ...(hazmat ? { hazmat } : {}), ...(oversize ? { oversize } : {}) };
}

function amountRefused(goods: Cents, shipping?: ShippingMethod): PartlineError {
  const least = goods + (shipping?.cost ?? 0);
  const parts = shipping
    ? `${goods} for the goods and ${shipping.cost} for ${formatMethod(shipping)}`
    : "the cart's subtotal";
  return invalidField("amount", `must be at least ${least} cents (${formatMoney(least)}): ${parts}`);
}

const formatMethod = ({ provider, serviceType }: ShippingMethod): string => `${provider} ${serviceType}`;

/** Builds the refusal of a rate, like that of a changed price: with the present cost, or the methods offered. */
function rateRefused(requestedMethod: ShippingMethod, offered: readonly ShippingMethod[]): PartlineError {
  const now = offered.find((method) => formatMethod(method) === formatMethod(requestedMethod));
  const quotedName = `"${formatMethod(requestedMethod)}"`;
  const list = offered.map((method) => `${formatMethod(method)} ${formatMoney(method.cost)}`).join(", ") || "nothing";
  const message = now
    ? `Shipping cost changed for ${quotedName}: was ${formatMoney(requestedMethod.cost)}, now ${formatMoney(now.cost)}`
    : `${quotedName} at ${formatMoney(requestedMethod.cost)} is not offered. Offered now: ${list}`;
  const { provider, serviceType } = requestedMethod;
  const costs = { oldCost: toDecimal(requestedMethod.cost), ...(now ? { newCost: toDecimal(now.cost) } : {}) };
  return new PartlineError("VALIDATION_FAILED", message, [
    {
      ...{ field: "shippingRate", message, provider, serviceType, ...costs },
      offered: offered.map((method) => ({ ...method, cost: toDecimal(method.cost) })),
    },
  ]);
}

const WORDS: Record<keyof Place, string> = {
  country: "an ISO 3166 code of a country, like US",
  state: "the code of a state or province of that country, like TX",
  postalCode: "a postal code of that country, and of the state if there is one",
};

/**
 * @throws VALIDATION_FAILED naming each field that shipping costs need and that cannot be used, and a country that is
 * not shipped to
 */
function resolveDestination(address: ShippingAddress, field: string, shipTo: readonly string[]): Place {
  const place = resolvePlace(address);
  if (Array.isArray(place)) {
    // Without its country nothing can be said of the others.
    const unusableFields: (keyof Place)[] = place.includes("country") ? ["country"] : place;
    const [first, ...others] = unusableFields.map((name) => ({
      field: `${field}.${name}`,
      message: `The '${field}.${name}' field must be ${WORDS[name]}.`,
    }));
    throw validationFailed([first!, ...others]);
  }
  assertShipsTo(place, field, shipTo);
  return place;
}

/** `catalog` is in the order of the lines; what weighs nothing known weighs `unknownGrams`. */
function toConsignment(
  lines: readonly Pick<Line, "quantity" | "price">[],
  catalog: readonly CatalogItem[],
  unknownGrams: number,
): Consignment {
  const grams = (index: number): number => catalog[index]?.weightGrams ?? unknownGrams;
  return {
    weightGrams: lines.reduce((sum, { quantity }, index) => sum + quantity * grams(index), 0),
    subtotal: computeWorth(lines),
    hazmat: catalog.some(({ hazmat }) => hazmat),
    oversize: catalog.some(({ oversize }) => oversize),
  };
}

const quotedRules = rules({
  items: string(),
  to: object({ country: string(), state: string({ optional: true }), postalCode: string({ optional: true }) }),
  method: shippingMethodRule,
  /** Unix seconds. */
  exp: integer(),
});

/** Content of a quote: a method for these items to this place. */
type Quoted = InferRules<typeof quotedRules>;

const readQuoted = createReader(quotedRules);
const quotedIn = ({ items, to, method, exp }: Record<string, unknown>) => readQuoted({ items, to, method, exp }).value;

/** @param rate its cost in currency units */
export const inCents = (rate: ShippingMethod): ShippingMethod => ({ ...rate, cost: toCents(rate.cost) });

/** Returns which of these methods a client's rate is. */
export function offeredAs(rate: ShippingMethod, offered: readonly ShippingMethod[]): ShippingMethod | undefined {
  const fields = ["provider", "serviceType", "cost"] as const;
  return offered.find((method) => fields.every((field) => method[field] === rate[field]));
}

const quoteRefused = (why: string): PartlineError => invalidField("quote", why);
