import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { PartlineError } from "../../mixins/errors.ts";
import { hasStoreCode, type AtomicWrite, type DocumentStore } from "../../mixins/document-store/port.ts";
import { KeyedQueue } from "../../mixins/keyed-queue.ts";
import { OWN_CARTS, type OwnCart } from "./collections.ts";
import { mergeLines, type Line } from "./lines.ts";
import type { OwnCartKeys } from "./ownership.ts";

/** Rounds against other processes that write the same cart at the same moment; one of them succeeds in each round. */
const MAX_ROUNDS = 100;
const LONGEST_PAUSE_MS = 50;

/** Makes the new lines of the old ones; may be called again when what was read did not stand. */
type Edit = (lines: readonly Line[]) => Line[];

/**
 * The own carts in the document store. Every change is a compare-and-set on the revision that was read, so none is lost
 * whoever else writes; those of this process wait for each other, so that they do not collide.
 */
export function ownCarts(documents: DocumentStore) {
  const carts = documents.collection<OwnCart>(OWN_CARTS);
  const queue = new KeyedQueue();

  const load = (key: string | undefined): Promise<OwnCart | null> =>
    key === undefined ? Promise.resolve(null) : carts.findOne({ _id: key });

  async function tryChange({ cart, absorb }: OwnCartKeys, edit: Edit): Promise<OwnCart | undefined> {
    const [mine, guests] = await Promise.all([load(cart), load(absorb)]);
    const lines = mine?.items ?? [];
    const changed: OwnCart = {
      _id: cart,
      items: edit(guests ? mergeLines(lines, guests.items) : lines),
      revision: randomUUID(),
      updatedAt: new Date(),
    };
    const writes = [replace(mine, changed)];
    if (guests && guests.items.length > 0) writes.push(replace(guests, { ...guests, items: [], revision: randomUUID(), updatedAt: changed.updatedAt }));
    try {
      await documents.atomically(writes);
      return changed;
    } catch (error) {
      if (isOvertaken(error)) return undefined;
      throw error;
    }
  }

  /** @throws VERSION_CONFLICT when other processes write this cart without a pause, and whatever `edit` throws */
  const change = (keys: OwnCartKeys, edit: Edit): Promise<OwnCart> =>
    queue.run(keys.cart, async () => {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        if (round > 0) await delay(Math.random() * Math.min(round * 2, LONGEST_PAUSE_MS));
        const changed = await tryChange(keys, edit);
        if (changed) return changed;
      }
      throw new PartlineError("VERSION_CONFLICT", "The cart is being changed by too many at once; try again");
    });

  return {
    change,

    /** Without a guest's lines to move this is one read, and writes nothing. @returns null for a cart that was never written */
    async read(keys: OwnCartKeys): Promise<OwnCart | null> {
      const [mine, guests] = await Promise.all([load(keys.cart), load(keys.absorb)]);
      return guests && guests.items.length > 0 ? change(keys, (lines) => [...lines]) : mine;
    },

    /** Removes the cart, and with it what would have moved into it. */
    async remove({ cart, absorb }: OwnCartKeys): Promise<void> {
      const keys = absorb === undefined ? [cart] : [cart, absorb];
      await documents.atomically(keys.map((key) => ({ collection: OWN_CARTS, deleteOne: { filter: { _id: key } } })));
    },
  };
}

/** Fails the batch when somebody else has written since `read` was read. */
function replace(read: OwnCart | null, written: OwnCart): AtomicWrite {
  const replacement = { ...written };
  if (!read) return { collection: OWN_CARTS, insertOne: replacement };
  return { collection: OWN_CARTS, require: true, replaceOne: { filter: { _id: read._id, revision: read.revision }, replacement } };
}

function isOvertaken(error: unknown): boolean {
  return hasStoreCode(error, "CONDITION_FAILED", "DUPLICATE_KEY");
}
