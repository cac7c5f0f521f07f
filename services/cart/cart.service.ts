import type { ServiceBroker, ServiceSchema } from "moleculer";
import { callerOf, type Caller } from "../../broker/contract/context.ts";
import type { Params } from "../../broker/contract/define.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { PartlineError } from "../../mixins/errors.ts";
import { call, implement } from "../contracts.ts";
import { createClearing } from "./clearing.ts";
import type { SavedCart } from "./collections.ts";
import { cartContract } from "./contract.ts";
import {
  addLine,
  addLines,
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
import { createOwnCarts } from "./own-carts.ts";
import { assertMaySave, assertMayUse, ownCartOf, userCartKey, userCartOf } from "./ownership.ts";
import { CHECKOUT_CART_MS, GUEST_CART_MS, announceSavedCarts, createSavedCarts } from "./saved-carts.ts";

const ANNOUNCE_EVERY_MS = 1_000;

type SaveParams = Params<(typeof cartContract)["actions"]["save"]>;

export default function cartService(broker: ServiceBroker): ServiceSchema {
  const { documents, channels } = serviceRuntimeOf(broker);
  const saved = createSavedCarts(documents);
  const own = createOwnCarts(documents);
  const clear = createClearing(documents);

  async function save(caller: Caller, { cartId, items, userId, sessionId }: SaveParams, lifetimeMs?: number) {
    assertMaySave(caller, { userId, sessionId });
    const createdAt = new Date();
    const expiresAt = lifetimeMs === undefined ? undefined : new Date(createdAt.getTime() + lifetimeMs);
    const cart: SavedCart = { _id: cartId, userId, sessionId, items: toLines(items), createdAt, expiresAt };
    await saved.insert(cart);
    return presentSavedCart(cart);
  }

  async function savedCartFor(caller: Caller, cartId: string): Promise<SavedCart> {
    const cart = await saved.get(cartId);
    assertMayUse(caller, cart);
    return cart;
  }

  return implement(cartContract, {
    actions: {
      save: (ctx) => save(callerOf(ctx), ctx.params, ctx.params.userId === undefined ? GUEST_CART_MS : undefined),
      saveForCheckout: (ctx) => save(callerOf(ctx), ctx.params, CHECKOUT_CART_MS),
      get: async (ctx) => presentSavedCart(await savedCartFor(callerOf(ctx), ctx.params.cartId)),
      async remove(ctx) {
        const { _id } = await savedCartFor(callerOf(ctx), ctx.params.cartId);
        await saved.remove(_id);
        return { deleted: true };
      },

      current: async (ctx) => presentOwnCart(await own.read(ownCartOf(callerOf(ctx)))),
      async sync(ctx) {
        const lines = toLines(ctx.params.items);
        const merge = ctx.params.strategy === "merge";
        return presentOwnCart(
          await own.change(ownCartOf(callerOf(ctx)), (kept) => (merge ? addLines(kept, lines) : lines)),
        );
      },
      clear: async (ctx) => presentOwnCart(await own.change(ownCartOf(callerOf(ctx)), () => [])),
      async addItem(ctx) {
        const line = toLine(ctx.params.item);
        return presentOwnCart(await own.change(ownCartOf(callerOf(ctx)), (lines) => addLine(lines, line)));
      },
      async setQuantity(ctx) {
        const { productId, quantity } = ctx.params;
        return presentOwnCart(
          await own.change(ownCartOf(callerOf(ctx)), (lines) => setQuantity(lines, productId, quantity)),
        );
      },
      async replaceItem(ctx) {
        const { productId } = ctx.params;
        const keys = ownCartOf(callerOf(ctx));
        const { partNumber, manufacturer } = lineOf((await own.read(keys))?.items ?? [], productId);
        const asked = { productId, partNumber, manufacturer: manufacturer || undefined };
        const { items } = await call(ctx, "catalog.price", { items: [asked], successors: true });
        const [{ successor } = {}] = items;
        if (successor?.price == null)
          throw new PartlineError("NOT_FOUND", `No active part with a price replaces ${partNumber}`);
        const { price: _inCents, ...part } = { ...successor, unitPrice: successor.price };
        return presentOwnCart(await own.change(keys, (lines) => replaceLine(lines, productId, part)));
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
