import { newId } from "../../shared/new-id.ts";

const KEY = "checkout";
/** By then nothing that was opened under an id can be paid any more, and nothing is held for it. */
const KEPT_MS = 60 * 60_000;

interface Kept {
  id: string;
  userId?: string | undefined;
  sessionId?: string | undefined;
  usedAt: number;
}

/** Null also if the browser blocks its storage, or if what is there cannot be read. */
function kept(): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null;
  } catch {
    return null;
  }
}

/** Returns what this browser's cart was last paid under, unless it is over or another user's. */
export function findCheckout(userId: string | undefined): Pick<Kept, "id" | "sessionId"> | undefined {
  const last = kept();
  const isOurs = last?.userId === undefined || last.userId === userId;
  return last && isOurs && Date.now() < last.usedAt + KEPT_MS ? last : undefined;
}

/**
 * The id under which this browser's cart is paid, in every tab, until its order is there: a shopper who comes back from
 * the payment page finds the pieces that are held for the cart, and no second page stays payable. A guest who signs in
 * keeps the id; a user's id is no other user's.
 */
export function getCheckoutId(userId: string | undefined): string {
  const { id, sessionId } = findCheckout(userId) ?? { id: `cart_${newId()}` };
  keep({ id, userId, sessionId, usedAt: Date.now() });
  return id;
}

function keep(next: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(next));
  } catch {
    // Blocked: each payment is then a checkout of its own.
  }
}

/** Notes what was opened under the id. */
export function keepSession(sessionId: string): void {
  const last = kept();
  if (last) keep({ ...last, sessionId });
}

/** Called once the order of a session is there: what is bought next is another checkout. */
export function forgetCheckout(sessionId: string): void {
  if (kept()?.sessionId === sessionId) localStorage.removeItem(KEY);
}
