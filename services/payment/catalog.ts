import type { CallOrigin } from "../../broker/contract/call.ts";
import type { Cents } from "../../mixins/money.ts";
import { call } from "../contracts.ts";
import { KeyedQueue } from "../../mixins/keyed-queue.ts";
import { type CatalogItem, PRICES_HOLD_MS, type ShownItem, whyUnavailable } from "./checkout-rules.ts";
import type { Line, Purchase } from "./provider-requests.ts";
import type { PaymentParts } from "./records.ts";

/** Returns what the catalog says of items, in their order; `confirmed` with the dealer's word on doubtful prices. */
export async function inCatalog(
  from: CallOrigin,
  items: readonly (Pick<ShownItem, "productId" | "partNumber" | "manufacturer"> & { unitPrice?: Cents })[],
  options: { confirmed?: boolean } = {},
): Promise<CatalogItem[]> {
  const wanted = items.map(({ productId, partNumber, manufacturer, unitPrice }) => ({
    productId,
    partNumber,
    manufacturer: manufacturer || undefined,
    shown: options.confirmed ? unitPrice : undefined,
  }));
  return (await call(from, "catalog.price", { items: wanted, ...options })).items;
}

/** As long as prices, and for the message of a payment in the last moment. */
const HOLDS_MS = PRICES_HOLD_MS + 3 * 60_000;

/** All checkouts of a cart share a hold. */
export const holdOfCart = (cartId: string): string => `cart:${cartId}`;

/** Holds the pieces of a checkout, and says which are beyond the stock. @throws OUT_OF_STOCK unless it is paid */
export async function holdStock<L extends Line>(
  from: CallOrigin,
  key: string,
  items: readonly L[],
  paid = false,
): Promise<Pick<Purchase, "hold"> & { items: L[] }> {
  const until = new Date(Date.now() + HOLDS_MS);
  const asked = items.map(({ productId, quantity }) => ({ productId, quantity }));
  const { lines } = await call(from, "catalog.hold", { key, until, lines: asked, paid });
  return {
    items: items.map((line, index) => {
      const { backordered, days } = lines[index]!;
      return { ...line, backordered: backordered ?? undefined, backorderDays: days ?? undefined };
    }),
    hold: lines.some(({ backordered }) => backordered !== null) ? { key, until: until.getTime() } : undefined,
  };
}

/** If the catalog is away, the hold's time runs out. */
export async function releaseStock(from: CallOrigin, key: string): Promise<void> {
  await call(from, "catalog.release", { key }).catch(() => undefined);
}

interface AtPayment {
  paymentKey: string;
  isOrdered: () => Promise<boolean>;
  /** Of each other payment with the cartId, whether it is for the same cart; its order has or gets the cart's hold. */
  coveredByOthers: () => Promise<boolean[]>;
}

/**
 * Returns the lines of a paid checkout, and the hold that its order takes over. What ran out of time, or went to another
 * order of the cart, and is there no more is backordered; all of it while the catalog is away. A cart that was saved
 * again holds what its checkouts held since the other order. An order that was made before holds its pieces.
 */
export async function heldAtPayment(
  from: CallOrigin,
  { items, hold }: Pick<Purchase, "items" | "hold">,
  { paymentKey, isOrdered, coveredByOthers }: AtPayment,
): Promise<Pick<Purchase, "items" | "hold">> {
  if (!hold) return { items };
  const covered = await coveredByOthers();
  if ((covered.length === 0 && hold.until > Date.now()) || (await isOrdered())) return { items, hold };
  const own = covered.includes(true) ? { ...hold, key: `checkout:${paymentKey}` } : hold;
  try {
    return { items: (await holdStock(from, own.key, items, true)).items, hold: own };
  } catch {
    const away = (line: Line) => (line.backordered === undefined ? line : { ...line, backordered: line.quantity });
    return { items: items.map(away), hold: own };
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

/** Products that the catalog is asked about at once. */
const AT_ONCE = 1_000;

/** Closes open checkouts whose prices are the catalog's no more, so that nobody pays an old one. */
export function createPriceWatch({ broker, checkouts, closing }: PaymentParts) {
  const queue = new KeyedQueue();
  const next = new Map<string, Promise<void>>();

  async function look(vendor: string): Promise<void> {
    const prefix = vendor === "" ? "" : `${vendor.toLowerCase()}-`;
    const open = (await checkouts.listOpen()).map((checkout) => ({
      checkout,
      lines: checkout.purchase.items.filter(({ productId }) => productId.startsWith(prefix)),
    }));
    const now = await pricesOf(open.flatMap(({ lines }) => lines));
    const failures: unknown[] = [];
    for (const { checkout, lines } of open) {
      if (lines.every(({ productId, price }) => now.get(productId) === price)) continue;
      await closing.close(checkout).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  async function pricesOf(lines: readonly Line[]): Promise<Map<string, Cents | null>> {
    const products = [...new Map(lines.map((line) => [line.productId, line])).values()];
    const prices = new Map<string, Cents | null>();
    for (let at = 0; at < products.length; at += AT_ONCE) {
      const asked = products.slice(at, at + AT_ONCE);
      for (const [index, item] of (await inCatalog(broker, asked)).entries())
        prices.set(asked[index]!.productId, whyUnavailable(item) === undefined ? item.price : null);
    }
    return prices;
  }

  return {
    /**
     * Looks at the open checkouts with parts of a vendor, or at all. Calls that come while one looks share the next look.
     * @throws PROVIDER_ERROR if one could not be closed; the others are
     */
    recheck(vendor = ""): Promise<void> {
      const waiting = next.get(vendor);
      if (waiting) return waiting;
      const turn = queue.run(vendor, async () => {
        await Promise.resolve();
        next.delete(vendor);
        await look(vendor);
      });
      next.set(vendor, turn);
      return turn;
    },
  };
}
