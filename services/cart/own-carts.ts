import { sumByKey } from "@partline/toolkit/pure";
import { randomUUID } from "node:crypto";
import type { Params } from "@partline/api-contracts";
import { type AtomicWrite, type DocumentStore, compareAndSet, createReplacement } from "@partline/durable";
import { KeyedQueue } from "@partline/toolkit";
import type { Actions } from "../contracts.ts";
import { CART_CLEARINGS, type CartClearing, OWN_CARTS, type OwnCart, SAVED_CARTS, type Line } from "./collections.ts";
import { mergeLines, takeBought } from "./lines.ts";
import { isGuestCart, type OwnCartKeys, toSessionCartKey, toUserCartKey } from "./ownership.ts";
import { GUEST_CART_MS } from "./saved-carts.ts";

/**
 * Creates the store of own carts. Every change is a compare-and-set, so none is lost; changes of this process queue.
 */
export function createOwnCarts(documents: DocumentStore) {
  const carts = documents.collection<OwnCart>(OWN_CARTS);
  const queue = new KeyedQueue();

  const load = (key: string | undefined): Promise<OwnCart | null> =>
    key === undefined ? Promise.resolve(null) : carts.findOne({ _id: key });

  /**
   * Applies `edit` to the lines and writes them; repeats after a concurrent write.
   * @throws VERSION_CONFLICT (see `compareAndSet`), and what `edit` throws
   */
  const change = ({ cart, absorb }: OwnCartKeys, edit: (lines: readonly Line[]) => Line[]): Promise<OwnCart> =>
    queue.run(cart, () =>
      compareAndSet(documents, "The cart", async () => {
        const [ownCart, guestCart] = await Promise.all([load(cart), load(absorb)]);
        const lines = ownCart?.items ?? [];
        const now = new Date();
        const updatedCart = buildOwnCart(
          cart,
          edit(guestCart ? mergeLines(lines, guestCart.items) : lines),
          now,
          lines,
        );
        const conditions = [createReplacement(OWN_CARTS, ownCart, "revision", updatedCart)];
        if (guestCart && guestCart.items.length > 0)
          conditions.push(createReplacement(OWN_CARTS, guestCart, "revision", buildOwnCart(guestCart._id, [], now)));
        return { conditions, result: updatedCart };
      }),
    );

  return {
    change,

    /** Writes only if there are guest's lines to merge. @returns null for a cart that was never written */
    async read(keys: OwnCartKeys): Promise<OwnCart | null> {
      // In this order: lines that another request merges meanwhile are in the cart that is read afterwards.
      const guestCart = await load(keys.absorb);
      return guestCart && guestCart.items.length > 0 ? change(keys, (lines) => [...lines]) : load(keys.cart);
    },

    /** Removes the cart, and the guest's cart that would have been merged into it. */
    async remove({ cart, absorb }: OwnCartKeys): Promise<void> {
      const keys = absorb === undefined ? [cart] : [cart, absorb];
      await documents.atomically(keys.map((key) => ({ collection: OWN_CARTS, deleteOne: { filter: { _id: key } } })));
    },
  };
}

/** A change renews the lifetime of a guest's cart. */
function buildOwnCart(key: string, items: readonly Line[], now: Date, previousLines: readonly Line[] = []): OwnCart {
  const addedAtByProduct = new Map(previousLines.map(({ productId, addedAt }) => [productId, addedAt ?? 0]));
  return {
    _id: key,
    items: items.map((line) => ({
      ...line,
      addedAt: addedAtByProduct.get(line.productId) ?? line.addedAt ?? now.getTime(),
    })),
    revision: randomUUID(),
    updatedAt: now,
    expiresAt: isGuestCart(key) ? new Date(now.getTime() + GUEST_CART_MS) : undefined,
  };
}

/** Lifetime of the mark, longer than a provider repeats a webhook. */
const CLEARING_MS = 90 * 24 * 60 * 60 * 1000;

type ClearingParams = Params<Actions["cart.clearAfterOrder"]>;

/**
 * Empties a saved cart and takes what was bought out of the shopper's own one, once for a payment: all in one batch
 * with its mark. False for a repeat.
 */
export function createCartClearing(documents: DocumentStore) {
  const marks = documents.collection<CartClearing>(CART_CLEARINGS);
  const ownCarts = documents.collection<OwnCart>(OWN_CARTS);

  async function buildOwnCartWrites({ userId, sessionId, openedAt, items }: NonNullable<ClearingParams["ownCart"]>) {
    const now = new Date();
    const writes: AtomicWrite[] = [];
    const bought = sumByKey(items.map(({ productId, quantity }) => [productId, quantity]));
    // The session's cart may wait for being merged into the user's.
    for (const key of [userId && toUserCartKey(userId), sessionId && toSessionCartKey(sessionId)]) {
      const cart = key ? await ownCarts.findOne({ _id: key }) : null;
      const lines = cart && takeBought(cart.items, bought, openedAt);
      if (lines)
        writes.push(createReplacement(OWN_CARTS, cart, "revision", buildOwnCart(cart._id, lines, now, cart.items)));
    }
    return writes;
  }

  return ({ cartId, cartSavedAt, paymentKey, ownCart }: ClearingParams): Promise<boolean> =>
    compareAndSet(documents, "The cart", async () => {
      if (await marks.findOne({ _id: paymentKey })) return { conditions: [], result: false };
      const mark = { _id: paymentKey, cartId, expiresAt: new Date(Date.now() + CLEARING_MS) };
      const savedAtFilter = cartSavedAt === undefined ? {} : { createdAt: { $lte: new Date(cartSavedAt) } };
      const emptyItems = { filter: { _id: cartId ?? "", ...savedAtFilter }, update: { $set: { items: [] } } };
      return {
        conditions: [
          { collection: CART_CLEARINGS, insertOne: mark },
          ...(ownCart ? await buildOwnCartWrites(ownCart) : []),
        ],
        also: cartId === null ? [] : [{ collection: SAVED_CARTS, updateOne: emptyItems }],
        result: true,
      };
    });
}
