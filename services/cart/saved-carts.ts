import { PartlineError, notFound } from "../../mixins/errors.ts";
import { hasStoreCode, type DocumentStore } from "../../mixins/document-store/port.ts";
import { CART_CLEARINGS, SAVED_CARTS, type CartClearing, type SavedCart } from "./collections.ts";
import { savingOf } from "./savings.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lifetime of a cart that was saved for checkout. Source: spec, section 8. */
export const CHECKOUT_CART_MS = DAY_MS;

/** Lifetime of a guest's cart since its last change: once its id or session is lost, nobody can find it. */
export const GUEST_CART_MS = 90 * DAY_MS;

/** Longer than a provider repeats a webhook, so that a repeat finds the mark. */
const CLEARING_MS = 90 * DAY_MS;

/** Stores saved carts; expired ones are never found. */
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

    /** Empties a cart once for a payment, in one batch with its mark. @returns whether this call emptied a cart */
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
