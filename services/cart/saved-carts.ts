import { PartlineError, notFound } from "../../mixins/errors.ts";
import { hasStoreCode, type DocumentStore } from "../../mixins/document-store/port.ts";
import { CART_CLEARINGS, SAVED_CARTS, type CartClearing, type SavedCart } from "./collections.ts";
import { savingOf } from "./savings.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lifetime of a cart that was saved for checkout. Source: spec, section 8. */
export const CHECKOUT_CART_MS = DAY_MS;

/**
 * Lifetime of a guest's cart since it was last written: nobody can find it again once its
 * id or its session's is lost.
 */
export const GUEST_CART_MS = 90 * DAY_MS;

/** Longer than any provider repeats a webhook, so a repeat always finds that its payment's cart was emptied. */
const CLEARING_MS = 90 * DAY_MS;

/** Saved carts in the document store; what has expired is not there. */
export function createSavedCarts(documents: DocumentStore) {
  const carts = documents.collection<SavedCart>(SAVED_CARTS);
  return {
    /** @throws CART_EXISTS */
    async insert(cart: SavedCart): Promise<void> {
      try {
        await documents.atomically([{ collection: SAVED_CARTS, insertOne: { ...cart } }, savingOf(cart)]);
      } catch (error) {
        if (hasStoreCode(error, "DUPLICATE_KEY"))
          throw new PartlineError("CART_EXISTS", `Cart ${cart._id} exists already`);
        throw error;
      }
    },

    find: (cartId: string): Promise<SavedCart | null> => carts.findOne({ _id: cartId }),

    /** @throws NOT_FOUND */
    async get(cartId: string): Promise<SavedCart> {
      const cart = await carts.findOne({ _id: cartId });
      if (!cart) throw notFound("Cart");
      return cart;
    },

    /** @throws NOT_FOUND when someone else was faster */
    async remove(cartId: string): Promise<void> {
      if ((await carts.deleteOne({ _id: cartId })) === 0) throw notFound("Cart");
    },

    /**
     * Empties a cart once a payment, in one write with the mark that says so. @returns whether this call emptied one
     */
    async emptyOnce(cartId: string, paymentKey: string): Promise<boolean> {
      const mark: CartClearing = { _id: paymentKey, cartId, expiresAt: new Date(Date.now() + CLEARING_MS) };
      try {
        const [, emptied] = await documents.atomically([
          { collection: CART_CLEARINGS, insertOne: { ...mark } },
          { collection: SAVED_CARTS, updateOne: { filter: { _id: cartId }, update: { $set: { items: [] } } } },
        ]);
        return emptied!.matched > 0;
      } catch (error) {
        if (hasStoreCode(error, "DUPLICATE_KEY")) return false;
        throw error;
      }
    },

    removeAllOf: (userId: string): Promise<number> => carts.deleteMany({ userId }),
  };
}
