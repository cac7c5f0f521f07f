import type { ServiceBroker, ServiceSchema } from "moleculer";
import { type CallContext, type Caller, getCaller } from "../../broker/contract/context.ts";
import type { Params } from "@partline/api-contracts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { notFound, PartlineError } from "../../mixins/errors.ts";
import { call, implement } from "../contracts.ts";
import type { SavedCart, Line } from "./collections.ts";
import { cartContract } from "./contract.ts";
import {
  addLine,
  addLines,
  getLine,
  presentForCheckout,
  presentOwnCart,
  presentSavedCart,
  presentUserCart,
  replaceLine,
  setQuantity,
  toLine,
  toLines,
} from "./lines.ts";
import { createCartClearing, createOwnCarts } from "./own-carts.ts";
import {
  assertMaySave,
  assertMayUse,
  decideOwner,
  resolveOwnCart,
  toUserCartKey,
  resolveUserCart,
} from "./ownership.ts";
import { CHECKOUT_CART_MS, GUEST_CART_MS, announceSavedCarts, createSavedCarts } from "./saved-carts.ts";

const ANNOUNCE_EVERY_MS = 1_000;

type SaveParams = Params<(typeof cartContract)["actions"]["save"]>;

/** How long a cart is kept by whose it is; undefined: it stays. */
interface CartLifetime {
  guestMs: number;
  userMs?: number;
}

export default function createCartService(broker: ServiceBroker): ServiceSchema {
  const { documents, channels } = getServiceRuntime(broker);
  const savedCarts = createSavedCarts(documents);
  const ownCarts = createOwnCarts(documents);
  const clear = createCartClearing(documents);

  async function save(caller: Caller, { cartId, items, ...requestedOwner }: SaveParams, lifetime: CartLifetime) {
    const { userId, sessionId } = decideOwner(caller, requestedOwner);
    assertMaySave(caller, { userId, sessionId });
    const createdAt = new Date();
    const lifetimeMs = userId === undefined ? lifetime.guestMs : lifetime.userMs;
    const expiresAt = lifetimeMs === undefined ? undefined : new Date(createdAt.getTime() + lifetimeMs);
    const cart: SavedCart = { _id: cartId, userId, sessionId, items: toLines(items), createdAt, expiresAt };
    await savedCarts.insert(cart);
    return presentSavedCart(cart);
  }

  async function getSavedCart(caller: Caller, cartId: string): Promise<SavedCart> {
    const cart = await savedCarts.find(cartId);
    if (!cart) throw notFound("Cart");
    assertMayUse(caller, cart);
    return cart;
  }

  const changeOwnCart = async (ctx: CallContext<unknown>, edit: (lines: readonly Line[]) => Line[]) =>
    presentOwnCart(await ownCarts.change(resolveOwnCart(getCaller(ctx)), edit));

  return implement(cartContract, {
    actions: {
      save: (ctx) => save(getCaller(ctx), ctx.params, { guestMs: GUEST_CART_MS }),
      saveForCheckout: (ctx) =>
        save(getCaller(ctx), ctx.params, { guestMs: CHECKOUT_CART_MS, userMs: CHECKOUT_CART_MS }),
      get: async (ctx) => presentSavedCart(await getSavedCart(getCaller(ctx), ctx.params.cartId)),
      async remove(ctx) {
        await savedCarts.remove((await getSavedCart(getCaller(ctx), ctx.params.cartId))._id);
        return { deleted: true };
      },

      current: async (ctx) => presentOwnCart(await ownCarts.read(resolveOwnCart(getCaller(ctx)))),
      async sync(ctx) {
        const lines = toLines(ctx.params.items);
        return changeOwnCart(ctx, (currentLines) =>
          ctx.params.strategy === "merge" ? addLines(currentLines, lines) : lines,
        );
      },
      clear: (ctx) => changeOwnCart(ctx, () => []),
      addItem: (ctx) => changeOwnCart(ctx, (lines) => addLine(lines, toLine(ctx.params.item))),
      setQuantity: (ctx) =>
        changeOwnCart(ctx, (lines) => setQuantity(lines, ctx.params.productId, ctx.params.quantity)),
      async replaceItem(ctx) {
        const { productId } = ctx.params;
        const lines = (await ownCarts.read(resolveOwnCart(getCaller(ctx))))?.items ?? [];
        const { partNumber, manufacturer } = getLine(lines, productId);
        const replacedPart = { productId, partNumber, manufacturer: manufacturer || undefined };
        const { items } = await call(ctx, "catalog.price", { items: [replacedPart], successors: true });
        const [{ successor } = {}] = items;
        if (successor?.price == null)
          throw new PartlineError("NOT_FOUND", `No active part with a price replaces ${partNumber}`);
        const { price: _inCents, ...part } = { ...successor, unitPrice: successor.price };
        return changeOwnCart(ctx, (currentLines) => replaceLine(currentLines, productId, part));
      },

      async getForUser(ctx) {
        const { userId } = ctx.params;
        return presentUserCart(userId, await ownCarts.read(resolveUserCart(getCaller(ctx), userId)));
      },
      async replaceForUser(ctx) {
        const { userId, items } = ctx.params;
        const keys = resolveUserCart(getCaller(ctx), userId);
        const lines = toLines(items);
        return presentUserCart(userId, await ownCarts.change(keys, () => lines));
      },
      async removeForUser(ctx) {
        await ownCarts.remove(resolveUserCart(getCaller(ctx), ctx.params.userId));
        return { deleted: true };
      },

      async access(ctx) {
        const cart = await savedCarts.find(ctx.params.cartId);
        if (!cart) return { cart: null };
        assertMayUse(getCaller(ctx), cart);
        return { cart: presentForCheckout(cart) };
      },
      async savedOfUser({ params: { userId, after } }) {
        const { carts, next } = await savedCarts.listByUser(userId, after);
        return { carts: carts.map(presentSavedCart), next };
      },
      clearAfterOrder: async (ctx) => ({ cleared: await clear(ctx.params) }),
    },
    channels: {
      "user.deleted": {
        group: "cart",
        async handler({ payload: { userId } }) {
          await ownCarts.remove({ cart: toUserCartKey(userId) });
          await savedCarts.removeByUser(userId);
        },
      },
    },
    periodic: [{ name: "cart.tell-saved", everyMs: ANNOUNCE_EVERY_MS, ...announceSavedCarts(documents, channels) }],
  });
}
