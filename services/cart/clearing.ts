import type { Params } from "../../broker/contract/define.ts";
import { compareAndSet, replacing } from "../../mixins/compare-and-set.ts";
import type { AtomicWrite, DocumentStore } from "../../mixins/document-store/port.ts";
import { CART_CLEARINGS, type CartClearing, OWN_CARTS, type OwnCart, SAVED_CARTS } from "./collections.ts";
import type { cartContract } from "./contract.ts";
import { takeBought } from "./lines.ts";
import { written } from "./own-carts.ts";
import { sessionCartKey, userCartKey } from "./ownership.ts";

/** Longer than a provider repeats a webhook, so that a repeat finds the mark. */
const CLEARING_MS = 90 * 24 * 60 * 60 * 1000;

type Paid = Params<(typeof cartContract)["actions"]["clearAfterOrder"]>;

/**
 * Empties a saved cart and takes what was bought out of the shopper's own one, once for a payment: all in one batch with
 * its mark. False for a repeat.
 */
export function createClearing(documents: DocumentStore) {
  const marks = documents.collection<CartClearing>(CART_CLEARINGS);
  const own = documents.collection<OwnCart>(OWN_CARTS);

  async function takenFromOwn({ userId, sessionId, openedAt, items }: NonNullable<Paid["ownCart"]>) {
    const at = new Date();
    const changes: AtomicWrite[] = [];
    const bought = new Map<string, number>();
    for (const { productId, quantity } of items) bought.set(productId, (bought.get(productId) ?? 0) + quantity);
    // The session's cart may wait for being merged into the user's.
    for (const key of [userId && userCartKey(userId), sessionId && sessionCartKey(sessionId)]) {
      const cart = key ? await own.findOne({ _id: key }) : null;
      const lines = cart && takeBought(cart.items, bought, openedAt);
      if (lines) changes.push(replacing(OWN_CARTS, cart, "revision", written(cart._id, lines, at, cart.items)));
    }
    return changes;
  }

  return ({ cartId, paymentKey, ownCart }: Paid): Promise<boolean> =>
    compareAndSet(documents, "The cart", async () => {
      if (await marks.findOne({ _id: paymentKey })) return { conditions: [], result: false };
      const mark = { _id: paymentKey, cartId, expiresAt: new Date(Date.now() + CLEARING_MS) };
      const emptied = { filter: { _id: cartId ?? "" }, update: { $set: { items: [] } } };
      return {
        conditions: [{ collection: CART_CLEARINGS, insertOne: mark }, ...(ownCart ? await takenFromOwn(ownCart) : [])],
        also: cartId === null ? [] : [{ collection: SAVED_CARTS, updateOne: emptied }],
        result: true,
      };
    });
}
