import type { CartItem, LiveStock } from "@partline/client";
import type { ReadyDay } from "../parts/pieces.ts";
import type { Delivery } from "./delivery.tsx";

const KEY = "sent-checkout";

/** What this tab has last sent to the payment page: anyone may ask for a session's order, and learns no more of it. */
export interface SentCheckout {
  sessionId: string;
  userId: string | undefined;
  items: CartItem[];
  /** Of the lines. */
  total: number;
  ready: ReadyDay | undefined;
  /** Of the lines' parts, as the cart showed it. */
  stock: LiveStock[];
  delivery: Delivery;
}

/** Keeps it in this tab alone. */
export function keepSentCheckout(checkout: SentCheckout): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(checkout));
  } catch {
    // Blocked: the page of the success says less.
  }
}

/** Returns what this tab sent under a session; undefined if it sent another, or was another user's. */
export function readSentCheckout(sessionId: string, userId: string | undefined): SentCheckout | undefined {
  try {
    const checkout = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as SentCheckout | null;
    return checkout?.sessionId === sessionId && checkout.userId === userId ? checkout : undefined;
  } catch {
    return undefined;
  }
}
