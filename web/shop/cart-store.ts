import { isPartlineError, type CartItemInput, type OwnCart, type Partline } from "@partline/client";
import { useEffect, useSyncExternalStore } from "react";

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
export function useCart(partline: Partline | undefined): OwnCart | undefined {
  useEffect(() => {
    if (!partline) return;
    const look = (): void => {
      if (document.visibilityState === "visible") void readCart(partline);
    };
    if (cart === undefined) look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [partline]);
  return useSyncExternalStore(
    subscribe,
    () => cart,
    () => undefined,
  );
}

/** Leaves what was seen before if there is no answer. */
export async function readCart(partline: Partline): Promise<void> {
  try {
    showCart(await partline.cart.current());
  } catch (error) {
    if (!isPartlineError(error)) throw error;
  }
}

export const addToCart = (partline: Partline, item: CartItemInput): Promise<OwnCart> =>
  changeCart(() => partline.cart.addItem({ item }));

/** Shows the cart as it is if another tab has removed the line. */
export const setQuantity = (partline: Partline, line: { productId: string; quantity: number }): Promise<OwnCart> =>
  changeCart(() =>
    partline.cart.setQuantity(line).catch((error: unknown) => {
      if (isPartlineError(error, "NOT_FOUND")) return partline.cart.current();
      throw error;
    }),
  );

let underWay: Promise<unknown> | undefined;

/** Changes the cart once the change before is answered, and shows it. */
export function changeCart(change: () => Promise<OwnCart>): Promise<OwnCart> {
  const before = underWay;
  const next = (async () => {
    await before?.catch(() => undefined);
    const changed = await change();
    showCart(changed);
    return changed;
  })();
  underWay = next;
  const ended = (): void => {
    if (underWay === next) underWay = undefined;
  };
  next.then(ended, ended);
  return next;
}

/** Waits for changes that are under way. @returns whether there was one */
export async function settled(): Promise<boolean> {
  const isWaited = underWay !== undefined;
  await underWay?.catch(() => undefined);
  return isWaited;
}
