import { isDeepStrictEqual } from "node:util";
import type { ShippingAddress } from "../../broker/contract/common.ts";
import type { CallContext } from "../../broker/contract/context.ts";
import type { Params, Result } from "../../broker/contract/define.ts";
import { type InferRules, integer, object, rules, string } from "../../broker/contract/rules.ts";
import { readerOf } from "../../broker/contract/validator.ts";
import type { Settings } from "../../broker/settings.ts";
import { invalidField, type PartlineError, validationFailed } from "../../mixins/errors.ts";
import { toCents, toDecimal, worthOf } from "../../mixins/money.ts";
import { assertShipsTo, type Place, placeOf } from "../../mixins/postal-address.ts";
import type { Consignment, ShippingMethod, ShippingRates } from "../../mixins/shipping-rates/port.ts";
import { defaultGrams } from "../../mixins/shipping-rates/table.ts";
import type { SignedTokens } from "../../mixins/signed-token.ts";
import type { Actions } from "../contracts.ts";
import { inCatalog } from "./catalog.ts";
import { type CatalogItem, checkPrices, linesDigest, PRICES_HOLD_MS } from "./checkout-rules.ts";
import type { Line } from "./provider-requests.ts";
import { shippingMethodRule } from "../../broker/contract/placed-order.ts";

const PURPOSE = "shipping-quote";

interface Deps {
  settings: Pick<Settings, "shipping">;
  tokens: SignedTokens;
  rates: ShippingRates;
}

type Request = Pick<
  Params<Actions["payment.createCheckoutSession"]>,
  "fulfilment" | "shippingAddress" | "shippingRate" | "quote"
>;

/** What a purchase pays for shipping, and to where and until when if that was quoted. */
interface ChosenShipping {
  method?: ShippingMethod;
  to?: Place;
  until?: Date;
}

export type Shipping = ReturnType<typeof createShipping>;

/** Says what shipping costs, by quotes that it takes back for half an hour. */
export function createShipping({ settings: { shipping }, tokens, rates }: Deps) {
  const { table, shipTo, rates: listed, isEnforced } = shipping;
  const methodsFor = (lines: readonly Line[], catalog: readonly CatalogItem[], to: Place) =>
    rates.methods(consignmentOf(lines, catalog, defaultGrams(table)), to);

  async function quote(
    ctx: CallContext<Params<Actions["payment.quoteShipping"]>>,
  ): Promise<Result<Actions["payment.quoteShipping"]>> {
    const { items, destination } = ctx.params;
    const to = destinationOf(destination, "destination", shipTo);
    const catalog = await inCatalog(ctx, items);
    const lines = checkPrices(
      items.map((item, at) => ({ title: item.partNumber, ...item, unitPrice: catalog[at]?.price ?? 0 })),
      catalog,
    );
    const bound = { items: linesDigest(lines), to };
    const methods = await methodsFor(lines, catalog, to);
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
    lines: readonly Line[],
    address: Request["shippingAddress"],
  ): Promise<Quoted & { until: Date }> {
    const claims = await tokens.verify(PURPOSE, token);
    if (claims === "expired") throw quoteRefused("is a quote that has expired: ask for a new one");
    // Another version may have written it otherwise.
    const quoted = claims === "forged" ? undefined : quotedIn(claims);
    if (!quoted) throw quoteRefused("is forged, or is no quote of this shop");
    if (quoted.items !== linesDigest(lines))
      throw quoteRefused("is a quote for other items, quantities or prices: ask for one for these");
    const saysWhere = address?.country || address?.state || address?.postalCode;
    if (saysWhere && !isDeepStrictEqual(quoted.to, destinationOf(address!, "shippingAddress", shipTo)))
      throw quoteRefused("is a quote for another destination: ask for one for this shippingAddress");
    return { ...quoted, until: new Date(quoted.exp * 1_000) };
  }

  /** A rate that a client names itself. @throws VALIDATION_FAILED unless it is offered, where that is enforced */
  async function named(
    rate: NonNullable<Request["shippingRate"]>,
    lines: readonly Line[],
    catalog: readonly CatalogItem[],
    address: Request["shippingAddress"],
  ): Promise<ChosenShipping> {
    const asked = inCents(rate);
    const inList = offeredAs(asked, listed?.map(inCents) ?? []);
    if (inList || !isEnforced) return { method: inList ?? asked };
    const to = destinationOf(address ?? {}, "shippingAddress", shipTo);
    const method = offeredAs(asked, await methodsFor(lines, catalog, to));
    if (method) return { method, to };
    throw invalidField("shippingRate", "must be one of the rates that are offered");
  }

  return {
    quote,
    takeBack,

    /**
     * Returns what a checkout pays for shipping: nothing if the buyer fetches the order. While nothing is configured
     * outside production, also what a client says, and nothing if it says nothing.
     * @throws VALIDATION_FAILED
     */
    async choose(
      { fulfilment, quote: token, shippingRate, shippingAddress }: Request,
      lines: readonly Line[],
      catalog: readonly CatalogItem[],
    ): Promise<ChosenShipping> {
      if (token !== undefined && shippingRate !== undefined)
        throw quoteRefused("stands in place of 'shippingRate': give one of them");
      const given = token !== undefined ? "quote" : shippingRate !== undefined ? "shippingRate" : undefined;
      if (given !== undefined && fulfilment === "pickup")
        throw invalidField(given, "is not for an order that is fetched");
      if (token !== undefined) return takeBack(token, lines, shippingAddress);
      if (shippingRate !== undefined) return named(shippingRate, lines, catalog, shippingAddress);
      if (!isEnforced || fulfilment === "pickup") return {};
      throw quoteRefused(
        "must be a quote of POST /api/shipping/quotes, unless 'shippingRate' is one that is offered or 'fulfilment' is pickup",
      );
    },
  };
}

const WORDS: Record<keyof Place, string> = {
  country: "an ISO 3166 code of a country, like US",
  state: "the code of a state or province of that country, like TX",
  postalCode: "a postal code of that country",
};

/**
 * @throws VALIDATION_FAILED naming each field that shipping costs need and that cannot be used, and a country that is
 * not shipped to
 */
function destinationOf(address: ShippingAddress, field: string, shipTo: readonly string[]): Place {
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

/** `catalog` is in the order of the lines; what weighs nothing known weighs `unknownGrams`. */
function consignmentOf(
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

const quotedRules = rules({
  items: string(),
  to: object({ country: string(), state: string({ optional: true }), postalCode: string({ optional: true }) }),
  method: shippingMethodRule,
  /** Unix seconds. */
  exp: integer(),
});

/** What a quote says: a method for these items to this place. */
type Quoted = InferRules<typeof quotedRules>;

const readQuoted = readerOf(quotedRules);
const quotedIn = ({ items, to, method, exp }: Record<string, unknown>) => readQuoted({ items, to, method, exp }).value;

/** @param rate its cost in currency units */
export const inCents = (rate: ShippingMethod): ShippingMethod => ({ ...rate, cost: toCents(rate.cost) });

/** Returns which of these methods a client's rate is. */
export function offeredAs(rate: ShippingMethod, offered: readonly ShippingMethod[]): ShippingMethod | undefined {
  const fields = ["provider", "serviceType", "cost"] as const;
  return offered.find((method) => fields.every((field) => method[field] === rate[field]));
}

export const quoteRefused = (why: string): PartlineError => invalidField("quote", why);
