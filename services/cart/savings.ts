import { randomUUID } from "node:crypto";
import type { Channels } from "../../broker/channels/port.ts";
import type { PeriodicTask } from "../../broker/periodic.ts";
import { hasStoreCode, type AtomicWrite, type DocumentStore } from "../../mixins/document-store/port.ts";
import { subtotalOf } from "../../mixins/money.ts";
import { outbox } from "../contracts.ts";
import { CART_SAVINGS, type CartSaving, type SavedCart } from "./collections.ts";

/** Most carts in an event: an event for each would cost several times what saving the cart does. */
const BATCH = 500;

/** The write that queues the announcement of a cart, for the batch that saves it. */
export function savingOf({ _id: cartId, items, createdAt }: SavedCart): AtomicWrite {
  const saving: CartSaving = {
    _id: `${createdAt.toISOString()}_${randomUUID()}`,
    cartId,
    items: items.length,
    subtotal: subtotalOf(items),
    savedAt: createdAt,
  };
  return { collection: CART_SAVINGS, insertOne: { ...saving } };
}

/** Announces saved carts, oldest first, each once despite crashes and other processes. It does not slow saving down. */
export function announceSavedCarts(
  documents: DocumentStore,
  channels: Pick<Channels, "wake">,
): Pick<PeriodicTask, "isNeeded" | "run"> {
  const savings = documents.collection<CartSaving>(CART_SAVINGS);
  const run = async (): Promise<void> => {
    const waiting = await savings.find({}, { sort: { _id: 1 }, limit: BATCH });
    if (waiting.length === 0) return;
    const carts = waiting.map(({ cartId, items, subtotal, savedAt }) => ({
      cartId,
      items,
      subtotal,
      saved_at: savedAt.toISOString(),
    }));
    const announced: AtomicWrite[] = waiting.map(({ _id }) => ({
      collection: CART_SAVINGS,
      require: true,
      deleteOne: { filter: { _id } },
    }));
    try {
      await documents.atomically([...announced, outbox("cart.saved", { carts })]);
      channels.wake();
    } catch (error) {
      // Another process was faster.
      if (!hasStoreCode(error, "CONDITION_FAILED")) throw error;
    }
  };
  return { isNeeded: async () => (await savings.findOne({})) !== null, run };
}
