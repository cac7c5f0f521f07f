import { beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { ulid } from "ulid";
import type { Caller } from "../../broker/contract/context.ts";
import type { Result } from "@partline/api-contracts";
import { CART_SAVINGS, OWN_CARTS, SAVED_CARTS, type OwnCart } from "../../services/cart/collections.ts";
import { call, outbox, type Actions, type Events } from "../../services/contracts.ts";
import type { LineInput } from "../../services/cart/lines.ts";
import { eventually } from "../support/eventually.ts";
import { mongoSetting } from "../support/mongo.ts";
import { startTestBroker } from "../support/test-broker.ts";
import { testSettings } from "../support/test-settings.ts";
import { useStarted } from "../support/use-started.ts";

function item(productId: string, quantity = 1, unitPrice = 12.5): LineInput {
  return { productId, partNumber: "PN-1", title: "Part", quantity, unitPrice };
}

const cartId = (): string => `cart_${ulid()}`;
const nobody: Caller = { admin: false };
const guest = (sessionId: string = ulid()): Caller => ({ admin: false, sessionId });
const user = (sub: string = `user_${ulid()}`, sessionId?: string): Caller => ({
  user: { sub, role: "customer", aud: "a", azp: "z" },
  admin: false,
  sessionId,
});

const quantities = (cart: { items: { productId: string; quantity: number }[] }): Record<string, number> =>
  Object.fromEntries(cart.items.map(({ productId, quantity }) => [productId, quantity]));

describe("The cart service", () => {
  // Two nodes share no queue in memory, so that what they do at the same moment meets in the store.
  const test = useStarted(() =>
    startTestBroker({
      services: ["cart", "cart"],
      transport: "fake",
      settings: testSettings(mongoSetting("cart")),
    }),
  );

  const as = (caller: Caller) => test.as(caller);

  describe("saved carts", () => {
    it("are answered exact to the cent, with the dates of their life", async () => {
      const id = cartId();
      const saved = await call(as(nobody), "cart.saveForCheckout", {
        cartId: id,
        items: [item("a", 3, 0.1), item("b", 1, 19.99)],
      });
      expect(saved).toMatchObject({ cartId: id, subtotal: 20.29, currency: "usd" });
      expect(saved.expiresAt!.getTime() - saved.createdAt.getTime()).toBe(24 * 60 * 60 * 1000);
      expect(await call(as(nobody), "cart.get", { cartId: id })).toEqual(saved);
    });

    it("stay when a user saved them through the cart service, and end after 90 days when nobody's user did", async () => {
      const saved = await call(as(nobody), "cart.save", { cartId: cartId(), items: [item("a")] });
      expect(saved.expiresAt!.getTime() - saved.createdAt.getTime()).toBe(90 * 24 * 60 * 60 * 1000);
      const id = cartId();
      const ada = user("user_ada");
      await call(as(ada), "cart.save", { cartId: id, items: [item("a")], userId: "user_ada" });
      expect(await call(as(ada), "cart.get", { cartId: id })).toMatchObject({ expiresAt: null });
    });

    it("are refused under an id that is taken, with any items, also by many at once", async () => {
      const id = cartId();
      const saves = await Promise.allSettled(
        Array.from({ length: 10 }, (_, index) =>
          call(as(nobody), "cart.save", { cartId: id, items: [item(`p${index}`)] }),
        ),
      );
      expect(saves.filter((save) => save.status === "fulfilled")).toHaveLength(1);
      for (const save of saves)
        if (save.status === "rejected") expect(save.reason).toMatchObject({ code: "CART_EXISTS" });
    });

    it("are gone when their time is over, and their id is free again", async () => {
      const id = cartId();
      await call(as(nobody), "cart.saveForCheckout", { cartId: id, items: [item("a")] });
      await test.documents
        .collection(SAVED_CARTS)
        .updateOne({ _id: id }, { $set: { expiresAt: new Date(Date.now() - 1) } });
      await expect(call(as(nobody), "cart.get", { cartId: id })).rejects.toMatchObject({ code: "NOT_FOUND" });
      expect(await call(as(nobody), "cart.access", { cartId: id })).toEqual({ cart: null });
      await expect(call(as(nobody), "cart.save", { cartId: id, items: [item("b")] })).resolves.toMatchObject({
        cartId: id,
      });
    });

    it("are announced once each, in a few events, with what they hold and nothing of whose they are", async () => {
      const events: Events["cart.saved"][] = [];
      test.channels.subscribe("cart.saved", {
        group: `test-${ulid()}`,
        handler: async ({ payload }) => void events.push(payload as Events["cart.saved"]),
      });
      const ada = user();
      const ids = Array.from({ length: 30 }, cartId);
      const before = Date.now();
      await Promise.all(
        ids.map((id) =>
          call(as(ada), "cart.save", {
            cartId: id,
            items: [item("a", 3, 0.1), item("b", 1, 19.99)],
            userId: ada.user!.sub,
          }),
        ),
      );
      await expect(call(as(nobody), "cart.save", { cartId: ids[0]!, items: [item("c")] })).rejects.toMatchObject({
        code: "CART_EXISTS",
      });
      const told = () => events.flatMap(({ carts }) => carts).filter((cart) => ids.includes(cart.cartId));
      await eventually(
        async () => told().length >= ids.length && (await test.documents.collection(CART_SAVINGS).count({})) === 0,
      );
      expect(
        told()
          .map((cart) => cart.cartId)
          .sort(),
      ).toEqual([...ids].sort());
      for (const { cartId: _id, saved_at, ...cart } of told()) {
        expect(cart).toEqual({ items: 2, subtotal: 2_029 });
        expect(new Date(saved_at).getTime()).toBeGreaterThanOrEqual(before);
      }
      expect(events.length).toBeLessThan(ids.length);
    });

    it("of a user are listed in pages that a message between nodes holds", async () => {
      const { user: owner } = user();
      const userId = owner!.sub;
      const items = Array.from({ length: 90 }, (_, n) => item(`p${n}`));
      const ids = Array.from({ length: 5 }, cartId);
      for (const id of ids) await call(as(user(userId)), "cart.save", { cartId: id, items, userId });
      const pages: string[][] = [];
      for (let after: string | null | undefined; after !== null;) {
        const page: Result<Actions["cart.savedOfUser"]> = await call(test.broker, "cart.savedOfUser", {
          userId,
          after,
        });
        pages.push(page.carts.map((cart) => cart.cartId));
        after = page.next;
      }
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
      expect(pages.flat()).toEqual(ids.sort());
    });

    it("are deleted once", async () => {
      const id = cartId();
      await call(as(nobody), "cart.save", { cartId: id, items: [item("a")] });
      expect(await call(as(nobody), "cart.remove", { cartId: id })).toEqual({ deleted: true });
      await expect(call(as(nobody), "cart.remove", { cartId: id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });

  describe("checkout", () => {
    it("empties a cart once a payment, also if a cart is saved under its id later", async () => {
      const id = cartId();
      const paymentKey = ulid();
      await call(as(nobody), "cart.save", { cartId: id, items: [item("a")] });
      const clear = () => call(test.broker, "cart.clearAfterOrder", { cartId: id, paymentKey });
      const answers = await Promise.all([clear(), clear(), clear()]);
      expect(answers.filter(({ cleared }) => cleared)).toHaveLength(1);
      expect(await call(as(nobody), "cart.get", { cartId: id })).toMatchObject({ items: [], subtotal: 0 });

      await call(as(nobody), "cart.remove", { cartId: id });
      await call(as(nobody), "cart.save", { cartId: id, items: [item("later")] });
      expect(await clear()).toEqual({ cleared: false });
      expect(await call(as(nobody), "cart.get", { cartId: id })).toMatchObject({ items: [{ productId: "later" }] });
    });

    const paid = (caller: Caller, items: { productId: string; quantity: number }[], openedAt = Date.now()) => {
      const ownCart = { userId: caller.user?.sub, sessionId: caller.sessionId, openedAt, items };
      const paymentKey = ulid();
      return () => call(test.broker, "cart.clearAfterOrder", { cartId: null, paymentKey, ownCart });
    };

    it("takes what was bought out of the shopper's own cart, once a payment, and loses no add at the same moment", async () => {
      const caller = guest();
      await call(as(caller), "cart.sync", { items: [item("a", 3), item("b", 1), item("c", 2)] });
      const clear = paid(caller, [
        { productId: "a", quantity: 1 },
        { productId: "b", quantity: 5 },
        { productId: "a", quantity: 1 },
      ]);
      const add = (productId: string) => call(as(caller), "cart.addItem", { item: item(productId) });
      await Promise.all([clear(), ...Array.from({ length: 10 }, () => add("a")), clear(), add("c"), clear()]);
      await clear();
      expect(quantities(await call(as(caller), "cart.current", {}))).toEqual({ a: 11, c: 3 });
    });

    it("leaves lines that were added since the checkout was opened, also if the shopper's client sends others", async () => {
      const caller = guest();
      const { lastSyncedAt } = await call(as(caller), "cart.sync", { items: [item("a", 2)] });
      const openedAt = lastSyncedAt!.getTime();
      const bought = ["a", "b"].map((productId) => ({ productId, quantity: 2 }));
      const clear = paid(caller, bought, openedAt);
      await eventually(() => Date.now() > openedAt);
      await call(as(caller), "cart.sync", { items: [item("a", 3), item("b", 1)] });
      await clear();
      expect(quantities(await call(as(caller), "cart.current", {}))).toEqual({ a: 1, b: 1 });
    });

    it("takes from the user's own cart and the session's that is not merged into it yet, and makes none", async () => {
      const ada = user(undefined, ulid());
      const session = guest(ada.sessionId);
      const buy = [{ productId: "a", quantity: 3 }];
      await paid(ada, buy)();
      expect(await call(as(ada), "cart.current", {})).toMatchObject({ lastSyncedAt: null });
      await call(as(user(ada.user!.sub)), "cart.sync", { items: [item("a", 2)] });
      await call(as(session), "cart.sync", { items: [item("a", 2), item("b")] });
      await paid(ada, buy)();
      expect(quantities(await call(as(ada), "cart.current", {}))).toEqual({ a: 1, b: 1 });
    });
  });

  describe("own carts", () => {
    it("lose nothing to any interleaving of adds and removals of other lines", async () => {
      const change = fc.record({ productId: fc.constantFrom("a", "b", "c"), quantity: fc.integer({ min: 1, max: 9 }) });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 15 }), fc.boolean(), async (adds, removing) => {
          const caller = guest();
          await call(as(caller), "cart.addItem", { item: item("other", 2) });
          await Promise.all([
            ...adds.map(({ productId, quantity }) =>
              call(as(caller), "cart.addItem", { item: item(productId, quantity) }),
            ),
            ...(removing ? [call(as(caller), "cart.setQuantity", { productId: "other", quantity: 0 })] : []),
          ]);
          const expected: Record<string, number> = removing ? {} : { other: 2 };
          for (const { productId, quantity } of adds) expected[productId] = (expected[productId] ?? 0) + quantity;
          expect(quantities(await call(as(caller), "cart.current", {}))).toEqual(expected);
        }),
        { numRuns: 15 },
      );
    });

    it("leave the cart as it is when a change is refused", async () => {
      const caller = guest();
      const before = await call(as(caller), "cart.addItem", { item: item("a", 9_999) });
      await expect(call(as(caller), "cart.addItem", { item: item("a") })).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
      });
      expect(await call(as(caller), "cart.current", {})).toEqual(before);
    });
  });

  describe("own carts' lifetimes", () => {
    const NINETY_DAYS_MS = 90 * 24 * 60 * 60 * 1000;
    const stored = () => test.documents.collection<OwnCart>(OWN_CARTS);
    const ofGuest = ({ sessionId }: Caller) => ({ _id: `session:${sessionId}` });

    it("are 90 days since the last change for guests, and reading is none", async () => {
      const caller = guest();
      await call(as(caller), "cart.addItem", { item: item("a") });
      const soon = new Date(Date.now() + 60_000);
      await stored().updateOne(ofGuest(caller), { $set: { expiresAt: soon } });
      await call(as(caller), "cart.current", {});
      expect(await stored().findOne(ofGuest(caller))).toMatchObject({ expiresAt: soon });
      await call(as(caller), "cart.addItem", { item: item("b") });
      const { expiresAt, updatedAt } = (await stored().findOne(ofGuest(caller)))!;
      expect(expiresAt!.getTime() - updatedAt.getTime()).toBe(NINETY_DAYS_MS);
    });

    it("end with an empty cart, which can be filled again", async () => {
      const caller = guest();
      await call(as(caller), "cart.addItem", { item: item("a") });
      await stored().updateOne(ofGuest(caller), { $set: { expiresAt: new Date(Date.now() - 1) } });
      expect(await call(as(caller), "cart.current", {})).toMatchObject({ items: [], lastSyncedAt: null });
      expect(quantities(await call(as(caller), "cart.addItem", { item: item("b") }))).toEqual({ b: 1 });
    });

    it("have no end for users, also of what was a guest's, whose emptied cart goes", async () => {
      const sessionId = ulid();
      const ada = user(undefined, sessionId);
      await call(as(guest(sessionId)), "cart.addItem", { item: item("a") });
      await call(as(ada), "cart.current", {});
      expect(await stored().findOne({ _id: `user:${ada.user!.sub}` })).not.toHaveProperty("expiresAt");
      expect(await stored().findOne(ofGuest(guest(sessionId)))).toMatchObject({
        items: [],
        expiresAt: expect.any(Date),
      });
    });
  });

  describe("signing in", () => {
    let sessionId: string;
    let ada: Caller;
    beforeEach(async () => {
      sessionId = ulid();
      const sub = `user_${ulid()}`;
      ada = user(sub, sessionId);
      await call(as(user(sub)), "cart.addItem", { item: item("a", 2) });
      await call(as(guest(sessionId)), "cart.addItem", { item: item("a", 3) });
      await call(as(guest(sessionId)), "cart.addItem", { item: item("b") });
    });

    it("moves the session's lines into the user's cart once, also when many calls come at once", async () => {
      const carts = await Promise.all(Array.from({ length: 10 }, () => call(as(ada), "cart.current", {})));
      for (const cart of carts) expect(quantities(cart)).toEqual({ a: 5, b: 1 });
      expect(await call(as(guest(sessionId)), "cart.current", {})).toMatchObject({ items: [] });
    });

    it("counts what the guest and the user add meanwhile", async () => {
      const adds = Array.from({ length: 10 }, (_, index) =>
        call(as(index % 2 ? ada : guest(sessionId)), "cart.addItem", { item: item("a") }),
      );
      await Promise.all(adds);
      expect(quantities(await call(as(ada), "cart.current", {}))).toEqual({ a: 15, b: 1 });
    });

    it("comes before the change that is asked for", async () => {
      expect(quantities(await call(as(ada), "cart.setQuantity", { productId: "b", quantity: 9 }))).toEqual({
        a: 5,
        b: 9,
      });
      await call(as(guest(sessionId)), "cart.addItem", { item: item("c") });
      expect(quantities(await call(as(ada), "cart.sync", { items: [item("d")] }))).toEqual({ d: 1 });
      expect(await call(as(guest(sessionId)), "cart.current", {})).toMatchObject({ items: [] });
    });

    it("brings nothing back after the user's cart was deleted", async () => {
      expect(await call(as(ada), "cart.removeForUser", { userId: ada.user!.sub })).toEqual({ deleted: true });
      expect(await call(as(ada), "cart.current", {})).toMatchObject({ items: [], lastSyncedAt: null });
    });
  });

  it("deletes the carts of a user who was deleted, and nobody else's", async () => {
    const [ada, bob] = [user(), user()];
    const [adas, bobs] = [cartId(), cartId()];
    for (const [caller, id] of [
      [ada, adas],
      [bob, bobs],
    ] as const) {
      await call(as(caller), "cart.save", { cartId: id, items: [item("a")], userId: caller.user!.sub });
      await call(as(caller), "cart.addItem", { item: item("a") });
    }
    await test.documents.atomically([outbox("user.deleted", { userId: ada.user!.sub })]);
    test.channels.wake();
    await eventually(async () => (await call(as(ada), "cart.access", { cartId: adas })).cart === null);
    expect(await call(as(ada), "cart.current", {})).toMatchObject({ items: [] });
    expect(await call(as(bob), "cart.current", {})).toMatchObject({ itemCount: 1 });
    expect(await call(as(bob), "cart.get", { cartId: bobs })).toMatchObject({ cartId: bobs });
  });
});
