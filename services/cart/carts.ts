import { randomUUID } from "node:crypto";
import type { Params } from "../../broker/contract/define.ts";
import { compareAndSet, replacing } from "../../mixins/compare-and-set.ts";
import {
  type AtomicWrite,
  type DocumentStore,
  isWritten,
  type CollectionDefinition,
  type Document,
} from "../../mixins/document-store/port.ts";
import { KeyedQueue } from "../../mixins/keyed-queue.ts";
import { type Actions, outbox } from "../contracts.ts";
import type { Channels } from "../../broker/channels/port.ts";
import { PartlineError, notFound } from "../../mixins/errors.ts";
import { subtotalOf, type Cents } from "../../mixins/money.ts";
import { mergeLines, type Line, takeBought } from "./lines.ts";
import { isGuestCart, type OwnCartKeys, sessionCartKey, userCartKey, type CartOwner } from "./ownership.ts";

/** Every change is a compare-and-set, so none is lost; those of this process queue, so that they do not collide. */
export function createOwnCarts(documents: DocumentStore) {
  const carts = documents.collection<OwnCart>(OWN_CARTS);
  const queue = new KeyedQueue();

  const load = (key: string | undefined): Promise<OwnCart | null> =>
    key === undefined ? Promise.resolve(null) : carts.findOne({ _id: key });

  /** Edits again after a concurrent write. @throws VERSION_CONFLICT (see `compareAndSet`), and what `edit` throws */
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

/** A change renews the lifetime of a guest's cart. */
function written(key: string, items: readonly Line[], at: Date, before: readonly Line[] = []): OwnCart {
  const since = new Map(before.map(({ productId, addedAt }) => [productId, addedAt ?? 0]));
  return {
    _id: key,
    items: items.map((line) => ({ ...line, addedAt: since.get(line.productId) ?? line.addedAt ?? at.getTime() })),
    revision: randomUUID(),
    updatedAt: at,
    expiresAt: isGuestCart(key) ? new Date(at.getTime() + GUEST_CART_MS) : undefined,
  };
}

/** Longer than a provider repeats a webhook, so that a repeat finds the mark. */
const CLEARING_MS = 90 * 24 * 60 * 60 * 1000;

type Paid = Params<Actions["cart.clearAfterOrder"]>;

/** Clears the carts of a payment once, in one batch with its mark. False for a repeat. */
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

  return ({ cartId, cartSavedAt, paymentKey, ownCart }: Paid): Promise<boolean> =>
    compareAndSet(documents, "The cart", async () => {
      if (await marks.findOne({ _id: paymentKey })) return { conditions: [], result: false };
      const mark = { _id: paymentKey, cartId, expiresAt: new Date(Date.now() + CLEARING_MS) };
      const ofPaid = cartSavedAt === undefined ? {} : { createdAt: { $lte: new Date(cartSavedAt) } };
      const emptied = { filter: { _id: cartId ?? "", ...ofPaid }, update: { $set: { items: [] } } };
      return {
        conditions: [{ collection: CART_CLEARINGS, insertOne: mark }, ...(ownCart ? await takenFromOwn(ownCart) : [])],
        also: cartId === null ? [] : [{ collection: SAVED_CARTS, updateOne: emptied }],
        result: true,
      };
    });
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Source: spec, section 8. */
export const CHECKOUT_CART_MS = DAY_MS;

/** Since its last change: once its id or session is lost, nobody can find it. */
export const GUEST_CART_MS = 90 * DAY_MS;

const OF_USER_READ = 50;
/** Lines of several carts in an answer: a message between nodes has at most 1 MB. */
const OF_USER_LINES = 200;

export function createSavedCarts(documents: DocumentStore) {
  const carts = documents.collection<SavedCart>(SAVED_CARTS);
  return {
    /** @throws CART_EXISTS */
    async insert(cart: SavedCart): Promise<void> {
      const write = documents.atomically([{ collection: SAVED_CARTS, insertOne: { ...cart } }, savingOf(cart)]);
      if (!(await isWritten(write, "DUPLICATE_KEY")))
        throw new PartlineError("CART_EXISTS", `Cart ${cart._id} exists already`);
    },

    find: (cartId: string): Promise<SavedCart | null> => carts.findOne({ _id: cartId }),

    /** @throws NOT_FOUND when someone else was faster */
    async remove(cartId: string): Promise<void> {
      if ((await carts.deleteOne({ _id: cartId })) === 0) throw notFound("Cart");
    },

    /** As many as fit into an answer, and the id of the last if there may be more. */
    async ofUser(userId: string, after = ""): Promise<{ carts: SavedCart[]; next: string | null }> {
      const found = await carts.find({ userId, _id: { $gt: after } }, { sort: { _id: 1 }, limit: OF_USER_READ });
      let lines = 0;
      const fitting = found.filter(({ items }, index) => (lines += items.length) <= OF_USER_LINES || index === 0);
      const isAll = found.length < OF_USER_READ && fitting.length === found.length;
      return { carts: fitting, next: isAll ? null : fitting.at(-1)!._id };
    },

    removeAllOf: (userId: string): Promise<number> => carts.deleteMany({ userId }),
  };
}

/** An event for each would cost several times what saving the cart does. */
const BATCH = 500;

function savingOf({ _id: cartId, items, createdAt: savedAt }: SavedCart): AtomicWrite {
  const _id = `${savedAt.toISOString()}_${randomUUID()}`;
  const saving: CartSaving = { _id, cartId, items: items.length, subtotal: subtotalOf(items), savedAt };
  return { collection: CART_SAVINGS, insertOne: { ...saving } };
}

/** Announces saved carts, oldest first, each once despite crashes and other processes. */
export function announceSavedCarts(documents: DocumentStore, channels: Pick<Channels, "wake">) {
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
    const announced = waiting.map(({ _id }): AtomicWrite => ({
      collection: CART_SAVINGS,
      require: true,
      deleteOne: { filter: { _id } },
    }));
    const write = documents.atomically([...announced, outbox("cart.saved", { carts })]);
    // Unless another process was faster.
    if (await isWritten(write, "CONDITION_FAILED")) channels.wake();
  };
  return { isNeeded: async () => (await savings.findOne({})) !== null, run };
}

/** By the client's id; it can only be emptied or deleted. */
export interface SavedCart extends Document, CartOwner {
  items: Line[];
  createdAt: Date;
  /** Absent for a cart that stays. */
  expiresAt?: Date;
}

export const SAVED_CARTS: CollectionDefinition = {
  name: "saved_carts",
  fields: { userId: "string", createdAt: "date", expiresAt: "date" },
  indexes: [{ keys: { userId: 1 } }],
  expires: "expiresAt",
};

/** The one cart of a user or of a guest's session. */
export interface OwnCart extends Document {
  items: Line[];
  /** Random, new at each write, for compare-and-set. */
  revision: string;
  updatedAt: Date;
  /** Absent for a user's cart, which stays. */
  expiresAt?: Date;
}

export const OWN_CARTS: CollectionDefinition = {
  name: "own_carts",
  fields: { revision: "string", updatedAt: "date", expiresAt: "date" },
  expires: "expiresAt",
};

/** A payment, by its key, for which carts were cleared. */
export interface CartClearing extends Document {
  cartId: string | null;
  expiresAt: Date;
}

export const CART_CLEARINGS: CollectionDefinition = {
  name: "cart_clearings",
  fields: { cartId: "string", expiresAt: "date" },
  expires: "expiresAt",
};

/** A saved cart that is not announced yet; ids are in the order of time. */
export interface CartSaving extends Document {
  cartId: string;
  /** Number of lines. */
  items: number;
  subtotal: Cents;
  savedAt: Date;
}

export const CART_SAVINGS: CollectionDefinition = { name: "cart_savings", fields: { savedAt: "date" } };
