import { randomUUID } from "node:crypto";
import { type AtomicWrite, type Channels, type DocumentStore, isWritten } from "@partline/durable";
import { getAt } from "@partline/toolkit";
import { PartlineError, notFound } from "../../mixins/errors.ts";
import { computeSubtotal } from "@partline/parts-language";
import { outbox } from "../contracts.ts";
import { CART_SAVINGS, type CartSaving, SAVED_CARTS, type SavedCart } from "./collections.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Lifetime of a cart that was saved for checkout. Source: spec, section 8. */
export const CHECKOUT_CART_MS = DAY_MS;

/** Lifetime of a guest's cart since its last change: once its id or session is lost, nobody can find it. */
export const GUEST_CART_MS = 90 * DAY_MS;

const OF_USER_READ = 50;
/** Lines of several carts in an answer: a message between nodes has at most 1 MB. */
const OF_USER_LINES = 200;

export function createSavedCarts(documents: DocumentStore) {
  const carts = documents.collection<SavedCart>(SAVED_CARTS);
  return {
    /** @throws CART_EXISTS */
    async insert(cart: SavedCart): Promise<void> {
      const write = documents.atomically([{ collection: SAVED_CARTS, insertOne: { ...cart } }, buildSavingWrite(cart)]);
      if (!(await isWritten(write, "DUPLICATE_KEY")))
        throw new PartlineError("CART_EXISTS", `Cart ${cart._id} already exists`);
    },

    find: (cartId: string): Promise<SavedCart | null> => carts.findOne({ _id: cartId }),

    /** @throws NOT_FOUND when someone else was faster */
    async remove(cartId: string): Promise<void> {
      if ((await carts.deleteOne({ _id: cartId })) === 0) throw notFound("Cart");
    },

    /** Lists as many carts as fit into an answer, with the id of the last if there may be more. */
    async listByUser(userId: string, after = ""): Promise<{ carts: SavedCart[]; next: string | null }> {
      const batch = await carts.find({ userId, _id: { $gt: after } }, { sort: { _id: 1 }, limit: OF_USER_READ });
      let lines = 0;
      const page = batch.filter(({ items }, index) => (lines += items.length) <= OF_USER_LINES || index === 0);
      const isAll = batch.length < OF_USER_READ && page.length === batch.length;
      return { carts: page, next: isAll ? null : getAt(page, -1)._id };
    },

    removeByUser: (userId: string): Promise<number> => carts.deleteMany({ userId }),
  };
}

/** Most carts in an event: an event for each would cost several times what saving the cart does. */
const BATCH = 500;

/** For the batch that saves the cart. */
function buildSavingWrite({ _id: cartId, items, createdAt: savedAt }: SavedCart): AtomicWrite {
  const _id = `${savedAt.toISOString()}_${randomUUID()}`;
  const saving: CartSaving = { _id, cartId, items: items.length, subtotal: computeSubtotal(items), savedAt };
  return { collection: CART_SAVINGS, insertOne: { ...saving } };
}

/** Announces saved carts, oldest first, each once despite crashes and other processes. */
export function announceSavedCarts(documents: DocumentStore, channels: Pick<Channels, "wake">) {
  const savings = documents.collection<CartSaving>(CART_SAVINGS);
  const run = async (): Promise<void> => {
    const pendingSavings = await savings.find({}, { sort: { _id: 1 }, limit: BATCH });
    if (pendingSavings.length === 0) return;
    const carts = pendingSavings.map(({ cartId, items, subtotal, savedAt }) => ({
      cartId,
      items,
      subtotal,
      saved_at: savedAt.toISOString(),
    }));
    const removals = pendingSavings.map(({ _id }): AtomicWrite => ({
      collection: CART_SAVINGS,
      require: true,
      deleteOne: { filter: { _id } },
    }));
    const write = documents.atomically([...removals, outbox("cart.saved", { carts })]);
    // Unless another process was faster.
    if (await isWritten(write, "CONDITION_FAILED")) channels.wake();
  };
  return { isNeeded: async () => (await savings.findOne({})) !== null, run };
}
