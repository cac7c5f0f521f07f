import type { CartItem, LiveStock } from "@partline/client";
import { inTabStorage } from "../tab-storage.ts";
import type { Delivery } from "./delivery.tsx";

const KEY = "sent-checkout";

/** What this tab has last sent to the payment page: anyone may ask for a session's order, and learns no more of it. */
export interface SentCheckout {
  sessionId: string;
  userId: string | undefined;
  items: CartItem[];
  /** Of the lines. */
  total: number;
  /** Of the lines' parts, as the cart showed it. */
  stock: LiveStock[];
  delivery: Delivery;
}

/** Keeps it in this tab alone. Without storage, the page of the success says less. */
export function keepSentCheckout(checkout: SentCheckout): void {
  inTabStorage((storage) => storage.setItem(KEY, JSON.stringify(checkout)));
}

/** Returns what this tab sent under a session; undefined if it sent another, or was another user's. */
export function readSentCheckout(sessionId: string, userId: string | undefined): SentCheckout | undefined {
  const checkout = inTabStorage((storage) => JSON.parse(storage.getItem(KEY) ?? "null") as SentCheckout | null);
  return checkout?.sessionId === sessionId && checkout.userId === userId ? checkout : undefined;
}
