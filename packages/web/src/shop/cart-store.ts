import { isPartlineError, type CartItemInput, type OwnCart, type Partline } from "@partline/client";
import { useEffect, useSyncExternalStore } from "react";
import { useShop, type Shop } from "./context.tsx";

/** The cart as this tab last saw it; undefined before the first look. */
let cart: OwnCart | undefined;
const listeners = new Set<() => void>();

export function showCart(next: OwnCart): void {
  cart = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The shopper's own cart. It is read again when the tab is looked at again: another tab may have changed it. */
export function useCart(): OwnCart | undefined {
  const shop = useShop();
  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === "visible") void readCart(shop);
    };
    if (cart === undefined) look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [shop]);
  return useSyncExternalStore(
    subscribe,
    () => cart,
    () => undefined,
  );
}

/** Without the session of the page's user, "the own cart" is a guest's. @throws UNAUTHORIZED */
async function assertSession({ partline, user }: Shop): Promise<void> {
  if (user) await partline!.cart.getForUser({ userId: user.id });
}

/** @throws UNAUTHORIZED if the session of the page's user has ended */
export async function currentCart({ partline, user }: Shop): Promise<OwnCart> {
  if (!user) return partline!.cart.current();
  const { items, subtotal: total, updatedAt: lastSyncedAt } = await partline!.cart.getForUser({ userId: user.id });
  const itemCount = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return { items, total, itemCount, lastSyncedAt };
}

/** Leaves what was seen before if there is no answer. */
export async function readCart(shop: Shop): Promise<void> {
  try {
    showCart(await currentCart(shop));
  } catch (error) {
    if (!isPartlineError(error)) throw error;
  }
}

export const addToCart = (shop: Shop, item: CartItemInput): Promise<OwnCart> =>
  changeCart(shop, ({ cart: ownCart }) => ownCart.addItem({ item }));

/** Shows the cart as it is if another tab has removed the line. */
export const setQuantity = (shop: Shop, line: { productId: string; quantity: number }): Promise<OwnCart> =>
  changeCart(shop, ({ cart: ownCart }) =>
    ownCart.setQuantity(line).catch((error: unknown) => {
      if (isPartlineError(error, "NOT_FOUND")) return ownCart.current();
      throw error;
    }),
  );

let lastChange: Promise<unknown> | undefined;

/**
 * Changes the cart once the change before is answered, and shows it.
 * @throws UNAUTHORIZED if the session of the page's user has ended
 */
export function changeCart(shop: Shop, change: (partline: Partline) => Promise<OwnCart>): Promise<OwnCart> {
  const previous = lastChange;
  const next = (async () => {
    await previous?.catch(() => undefined);
    await assertSession(shop);
    const newCart = await change(shop.partline!);
    showCart(newCart);
    return newCart;
  })();
  lastChange = next;
  const ended = (): void => {
    if (lastChange === next) lastChange = undefined;
  };
  next.then(ended, ended);
  return next;
}

/** Waits for changes that are under way. @returns whether there was one */
export async function settled(): Promise<boolean> {
  const isWaited = lastChange !== undefined;
  await lastChange?.catch(() => undefined);
  return isWaited;
}
