import { randomUUID } from "node:crypto";
import { compareAndSet, replacing } from "../../mixins/compare-and-set.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { KeyedQueue } from "../../mixins/keyed-queue.ts";
import { OWN_CARTS, type OwnCart } from "./collections.ts";
import { mergeLines, type Line } from "./lines.ts";
import { isGuestCart, type OwnCartKeys } from "./ownership.ts";
import { GUEST_CART_MS } from "./saved-carts.ts";

/**
 * Stores own carts. Every change is a compare-and-set on the revision that was read, so none is lost; those of this
 * process queue, so that they do not collide.
 */
export function createOwnCarts(documents: DocumentStore) {
  const carts = documents.collection<OwnCart>(OWN_CARTS);
  const queue = new KeyedQueue();

  const load = (key: string | undefined): Promise<OwnCart | null> =>
    key === undefined ? Promise.resolve(null) : carts.findOne({ _id: key });

  /**
   * Makes the new lines of the old ones by `edit`, again after a concurrent write.
   * @throws VERSION_CONFLICT (see `compareAndSet`), and what `edit` throws
   */
  const change = ({ cart, absorb }: OwnCartKeys, edit: (lines: readonly Line[]) => Line[]): Promise<OwnCart> =>
    queue.run(cart, () =>
      compareAndSet(documents, "The cart", async () => {
        const [mine, guests] = await Promise.all([load(cart), load(absorb)]);
        const lines = mine?.items ?? [];
        const at = new Date();
        const changed = written(cart, edit(guests ? mergeLines(lines, guests.items) : lines), at, lines);
        const conditions = [replacing(OWN_CARTS, mine, "revision", changed)];
        if (guests && guests.items.length > 0)
          conditions.push(replacing(OWN_CARTS, guests, "revision", written(guests._id, [], at)));
        return { conditions, result: changed };
      }),
    );

  return {
    change,

    /** Writes only if there are guest's lines to merge. @returns null for a cart that was never written */
    async read(keys: OwnCartKeys): Promise<OwnCart | null> {
      // In this order: lines that another request merges meanwhile are in the cart that is read afterwards.
      const guests = await load(keys.absorb);
      return guests && guests.items.length > 0 ? change(keys, (lines) => [...lines]) : load(keys.cart);
    },

    /** Removes the cart, and the guest's cart that would have been merged into it. */
    async remove({ cart, absorb }: OwnCartKeys): Promise<void> {
      const keys = absorb === undefined ? [cart] : [cart, absorb];
      await documents.atomically(keys.map((key) => ({ collection: OWN_CARTS, deleteOne: { filter: { _id: key } } })));
    },
  };
}

/** Returns a cart after a change of its lines, which renews the lifetime of a guest's cart. */
export function written(key: string, items: readonly Line[], at: Date, before: readonly Line[] = []): OwnCart {
  const since = new Map(before.map(({ productId, addedAt }) => [productId, addedAt ?? 0]));
  return {
    _id: key,
    items: items.map((line) => ({ ...line, addedAt: since.get(line.productId) ?? line.addedAt ?? at.getTime() })),
    revision: randomUUID(),
    updatedAt: at,
    expiresAt: isGuestCart(key) ? new Date(at.getTime() + GUEST_CART_MS) : undefined,
  };
}
