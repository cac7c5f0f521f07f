import type { ServiceBroker, ServiceSchema } from "moleculer";
import { type CallContext, type Caller, callerOf } from "../../broker/contract/context.ts";
import type { Params } from "../../broker/contract/define.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { call, implement } from "../contracts.ts";
import type { SavedCart } from "./collections.ts";
import { cartContract } from "./contract.ts";
import {
  addLine,
  addLines,
  type Line,
  lineOf,
  presentForCheckout,
  presentOwnCart,
  presentSavedCart,
  presentUserCart,
  replaceLine,
  setQuantity,
  toLine,
  toLines,
} from "./lines.ts";
import { createClearing, createOwnCarts } from "./own-carts.ts";
import { assertMaySave, assertMayUse, decideOwner, ownCartOf, userCartKey, userCartOf } from "./ownership.ts";
import { CHECKOUT_CART_MS, GUEST_CART_MS, announceSavedCarts, createSavedCarts } from "./saved-carts.ts";

const ANNOUNCE_EVERY_MS = 1_000;

type SaveParams = Params<(typeof cartContract)["actions"]["save"]>;

/** How long a cart is kept by whose it is; undefined: it stays. */
interface CartLifetime {
  guestMs: number;
  userMs?: number;
}

export default function cartService(broker: ServiceBroker): ServiceSchema {
  const { documents, channels } = serviceRuntimeOf(broker);
  const saved = createSavedCarts(documents);
  const own = createOwnCarts(documents);
  const clear = createClearing(documents);

  async function save(caller: Caller, { cartId, items, ...sent }: SaveParams, lifetime: CartLifetime) {
    const { userId, sessionId } = decideOwner(caller, sent);
    assertMaySave(caller, { userId, sessionId });
    const createdAt = new Date();
    const lifetimeMs = userId === undefined ? lifetime.guestMs : lifetime.userMs;
    const expiresAt = lifetimeMs === undefined ? undefined : new Date(createdAt.getTime() + lifetimeMs);
    const cart: SavedCart = { _id: cartId, userId, sessionId, items: toLines(items), createdAt, expiresAt };
    await saved.insert(cart);
    return presentSavedCart(cart);
  }

  async function savedCartFor(caller: Caller, cartId: string): Promise<SavedCart> {
    const cart = await saved.find(cartId);
    if (!cart) throw notFound("Cart");
    assertMayUse(caller, cart);
    return cart;
  }

  const changed = async (ctx: CallContext<unknown>, edit: (lines: readonly Line[]) => Line[]) =>
    presentOwnCart(await own.change(ownCartOf(callerOf(ctx)), edit));

  return implement(cartContract, {
    actions: {
      save: (ctx) => save(callerOf(ctx), ctx.params, { guestMs: GUEST_CART_MS }),
      saveForCheckout: (ctx) =>
        save(callerOf(ctx), ctx.params, { guestMs: CHECKOUT_CART_MS, userMs: CHECKOUT_CART_MS }),
      get: async (ctx) => presentSavedCart(await savedCartFor(callerOf(ctx), ctx.params.cartId)),
      async remove(ctx) {
        await saved.remove((await savedCartFor(callerOf(ctx), ctx.params.cartId))._id);
        return { deleted: true };
      },

      current: async (ctx) => presentOwnCart(await own.read(ownCartOf(callerOf(ctx)))),
      async sync(ctx) {
        const lines = toLines(ctx.params.items);
        return changed(ctx, (kept) => (ctx.params.strategy === "merge" ? addLines(kept, lines) : lines));
      },
      clear: (ctx) => changed(ctx, () => []),
      addItem: (ctx) => changed(ctx, (lines) => addLine(lines, toLine(ctx.params.item))),
      setQuantity: (ctx) => changed(ctx, (lines) => setQuantity(lines, ctx.params.productId, ctx.params.quantity)),
      async replaceItem(ctx) {
        const { productId } = ctx.params;
        const lines = (await own.read(ownCartOf(callerOf(ctx))))?.items ?? [];
        const { partNumber, manufacturer } = lineOf(lines, productId);
        const asked = { productId, partNumber, manufacturer: manufacturer || undefined };
        const { items } = await call(ctx, "catalog.price", { items: [asked], successors: true });
        const [{ successor } = {}] = items;
        if (successor?.price == null)
          throw new PartlineError("NOT_FOUND", `No active part with a price replaces ${partNumber}`);
        const { price: _inCents, ...part } = { ...successor, unitPrice: successor.price };
        return changed(ctx, (kept) => replaceLine(kept, productId, part));
      },

      async getForUser(ctx) {
        const { userId } = ctx.params;
        return presentUserCart(userId, await own.read(userCartOf(callerOf(ctx), userId)));
      },
      async replaceForUser(ctx) {
        const { userId, items } = ctx.params;
        const keys = userCartOf(callerOf(ctx), userId);
        const lines = toLines(items);
        return presentUserCart(userId, await own.change(keys, () => lines));
      },
      async removeForUser(ctx) {
        await own.remove(userCartOf(callerOf(ctx), ctx.params.userId));
        return { deleted: true };
      },

      async access(ctx) {
        const cart = await saved.find(ctx.params.cartId);
        if (!cart) return { cart: null };
        assertMayUse(callerOf(ctx), cart);
        return { cart: presentForCheckout(cart) };
      },
      async savedOfUser({ params: { userId, after } }) {
        const { carts, next } = await saved.ofUser(userId, after);
        return { carts: carts.map(presentSavedCart), next };
      },
      clearAfterOrder: async (ctx) => ({ cleared: await clear(ctx.params) }),
    },
    channels: {
      "user.deleted": {
        group: "cart",
        async handler({ payload: { userId } }) {
          await own.remove({ cart: userCartKey(userId) });
          await saved.removeAllOf(userId);
        },
      },
    },
    periodic: [{ name: "cart.tell-saved", everyMs: ANNOUNCE_EVERY_MS, ...announceSavedCarts(documents, channels) }],
  });
}
