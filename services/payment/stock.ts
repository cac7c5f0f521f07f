import { ulid } from "ulid";
import type { CallOrigin } from "../../broker/contract/call.ts";
import { call } from "../contracts.ts";
import { PRICES_HOLD_MS } from "./checkout-rules.ts";
import type { Line, Purchase } from "./provider-requests.ts";

/** As long as prices, and for the provider's message of a payment in the last moment. */
const HOLDS_MS = PRICES_HOLD_MS + 3 * 60_000;

/**
 * Holds the pieces of a checkout; all checkouts of a cart share a hold.
 * @returns the lines with the pieces beyond the stock, where that is known
 * @throws OUT_OF_STOCK
 */
export function holdStock<L extends Line>(
  ctx: CallOrigin,
  cartId: string | null,
  items: readonly L[],
): Promise<Held<L>> {
  return held(ctx, cartId === null ? `checkout:${ulid()}` : `cart:${cartId}`, items, false);
}

/**
 * Returns the lines of a paid checkout: what ran out of time and was sold to others is backordered. The order does not
 * wait for a catalog that is away: then nothing of it is known to be there. One that was made before holds its pieces.
 */
export async function heldAtPayment(
  from: CallOrigin,
  { items, hold }: Pick<Purchase, "items" | "hold">,
  isOrdered: () => Promise<boolean>,
): Promise<Line[]> {
  if (!hold || hold.until > Date.now() || (await isOrdered())) return items;
  try {
    return (await held(from, hold.key, items, true)).items;
  } catch {
    return items.map((line) => (line.backordered === undefined ? line : { ...line, backordered: line.quantity }));
  }
}

type Held<L> = Pick<Purchase, "hold"> & { items: L[] };

async function held<L extends Line>(
  from: CallOrigin,
  key: string,
  items: readonly L[],
  paid: boolean,
): Promise<Held<L>> {
  const until = new Date(Date.now() + HOLDS_MS);
  const asked = items.map(({ productId, quantity }) => ({ productId, quantity }));
  const { lines } = await call(from, "catalog.hold", { key, until, lines: asked, paid });
  const isKnown = lines.some(({ backordered }) => backordered !== null);
  return {
    items: items.map((line, index) => {
      const { backordered, days } = lines[index]!;
      return { ...line, backordered: backordered ?? undefined, backorderDays: days ?? undefined };
    }),
    hold: isKnown ? { key, until: until.getTime() } : undefined,
  };
}

/** Returns what a shopper is answered about lines beyond the stock; nothing if there are none. */
export function presentBackorder(items: readonly Line[]) {
  const backordered = items.flatMap(
    ({ productId, partNumber, backordered: quantity = 0, backorderDays: days = null }) =>
      quantity > 0 ? [{ productId, partNumber, quantity, days }] : [],
  );
  return backordered.length > 0 ? { backordered } : {};
}
