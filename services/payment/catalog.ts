import { getAt } from "@partline/toolkit";
import type { ServiceBroker } from "moleculer";
import type { CallOrigin } from "@partline/moleculer-kit";
import { errorCode } from "../../mixins/errors.ts";
import type { Cents } from "@partline/parts-language";
import { call } from "../contracts.ts";
import { type CatalogItem, PRICES_HOLD_MS, type ShownItem } from "./checkout-rules.ts";
import type { Purchase, Line } from "./purchase.ts";

/** Returns what the catalog says of items, in their order; `confirmed` with the dealer's word on doubtful prices. */
export async function findCatalogItems(
  from: CallOrigin,
  items: readonly (Pick<ShownItem, "productId" | "partNumber" | "manufacturer"> & { unitPrice?: Cents })[],
  options: { confirmed?: boolean } = {},
): Promise<CatalogItem[]> {
  const queries = items.map(({ productId, partNumber, manufacturer, unitPrice }) => ({
    productId,
    partNumber,
    manufacturer: manufacturer || undefined,
    shown: options.confirmed ? unitPrice : undefined,
  }));
  return (await call(from, "catalog.price", { items: queries, ...options })).items;
}

type Warner = Pick<ServiceBroker["logger"], "warn" | "error">;

/** Lifetime of a hold: that of prices, and time for the provider's message of a late payment. */
const HOLDS_MS = PRICES_HOLD_MS + 3 * 60_000;

/**
 * Holds the pieces of a checkout, and says which are beyond the stock. A hold without some of the pieces, since the
 * caller holds too much, counts as over: the payment asks again.
 * @throws OUT_OF_STOCK unless it is paid
 */
export async function holdStock<L extends Line>(
  from: CallOrigin,
  key: string,
  items: readonly L[],
  { pickupPlace, paid = false }: { pickupPlace: string | undefined; paid?: boolean },
): Promise<Pick<Purchase, "hold"> & { items: L[] }> {
  const until = new Date(Date.now() + HOLDS_MS);
  const requestedLines = items.map(({ productId, quantity }) => ({ productId, quantity }));
  const request = { key, until, lines: requestedLines, paid, pickupPlace };
  const { lines, whole: isWhole } = await call(from, "catalog.hold", request);
  return {
    items: items.map((line, index) => {
      const { backordered, days, uncounted, elsewhere } = getAt(lines, index);
      const stock = { backordered: backordered ?? undefined, backorderDays: days ?? undefined };
      return { ...line, ...stock, uncounted: uncounted || undefined, elsewhere: elsewhere || undefined };
    }),
    hold: lines.some(({ backordered }) => backordered !== null)
      ? { key, until: isWhole ? until.getTime() : 0 }
      : undefined,
  };
}

/** Frees what a checkout held that was not opened. If that fails, its time runs out. */
export async function releaseStock(from: CallOrigin, key: string, logger: Warner): Promise<void> {
  await call(from, "catalog.release", { key }).catch((error: unknown) =>
    logger.warn({ key, code: errorCode(error), err: error }, "Pieces of a checkout that failed stay held for a while"),
  );
}

interface AtPayment {
  paymentKey: string;
  isOrdered: () => Promise<boolean>;
  /**
   * Returns for each other payment with the cartId whether it is for the same cart, whose hold its order has or gets.
   */
  coveredByOthers: () => Promise<boolean[]>;
  /** True if the payment is worked on again if this fails. */
  mayFail: boolean;
  logger: Warner;
}

export interface HeldLines extends Pick<Purchase, "items" | "hold"> {
  /** The catalog could not say what is there: the lines are as the checkout had them. */
  stockUnconfirmed?: true;
}

/**
 * Returns the lines of a paid checkout, and the hold that its order takes over: what ran out of time, or went to
 * another order of the cart, and is there no more is backordered. A cart that was saved again holds what its checkouts
 * held since the other order; a hold from before went to that order. An order that was made before holds its pieces.
 * @throws what the catalog throws, with `mayFail`. Without it the order waits no longer.
 */
export async function holdAtPayment(
  from: CallOrigin,
  { items, hold, pickupPlace }: Pick<Purchase, "items" | "hold" | "pickupPlace">,
  { paymentKey, isOrdered, coveredByOthers, mayFail, logger }: AtPayment,
): Promise<HeldLines> {
  if (!hold) return { items };
  const covered = await coveredByOthers();
  if ((covered.length === 0 && hold.until > Date.now()) || (await isOrdered())) return { items, hold };
  const ownHold = covered.includes(true) ? { ...hold, key: `checkout:${paymentKey}` } : hold;
  try {
    return { items: (await holdStock(from, ownHold.key, items, { pickupPlace, paid: true })).items, hold: ownHold };
  } catch (error) {
    if (mayFail) throw error;
    const facts = { paymentKey, code: errorCode(error), err: error };
    logger.error(facts, "An order was created while the catalog could not say what is in stock: check the shelf");
    return { items, hold: ownHold, stockUnconfirmed: true };
  }
}

/** Returns the lines beyond the stock for an answer, if there are any. */
export function presentBackorder(items: readonly Line[]) {
  const backordered = items.flatMap(
    ({ productId, partNumber, backordered: quantity = 0, backorderDays: days = null }) =>
      quantity > 0 ? [{ productId, partNumber, quantity, days }] : [],
  );
  return backordered.length > 0 ? { backordered } : {};
}
