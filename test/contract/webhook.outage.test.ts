import { describe, expect, it } from "@jest/globals";
import { DocumentStoreError, type DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import createCartService from "../../services/cart/cart.service.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { testSettings } from "../support/test-settings.ts";
import { newCartId, startShop } from "./payment.shop.ts";

describe("A webhook while something is away", () => {
  it("is stored, answered 503, and completed by the sweep when the other service is back", async () => {
    const shop = await startShop();
    try {
      const cartId = newCartId();
      const completed = await shop.payCart(cartId);
      await shop.broker.destroyService("cart");
      await expect(shop.deliver(completed)).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
      expect(await shop.webhookEvents()).toMatchObject([{ _id: completed.id, state: "pending" }]);
      expect(await shop.orders()).toHaveLength(1);

      shop.broker.createService(createCartService(shop.broker));
      await eventually(async () => (await shop.webhookEvents())[0]?.state === "done");
      expect((await call(shop.broker, "cart.access", { cartId })).cart?.items).toEqual([]);
      expect(await shop.orders()).toHaveLength(1);
    } finally {
      await shop.stop();
    }
  });

  it("is not acknowledged while the store is away, and goes through afterwards", async () => {
    const { store, away } = await unreliableStore();
    const shop = await startShop({ documents: store });
    try {
      const session = await shop.checkout();
      await shop.pay(session);
      const completed = await shop.event("checkout.session.completed", session.sessionId);
      away(true);
      await expect(shop.deliver(completed)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      away(false);
      expect(await shop.webhookEvents()).toEqual([]);
      expect(await shop.deliver(completed)).toEqual({ received: true });
      expect(await shop.orders()).toHaveLength(1);
    } finally {
      await shop.stop();
      await store.close();
    }
  });
});

/** The embedded store, whose writes fail while it is away. */
async function unreliableStore(): Promise<{ store: DocumentStore; away(gone: boolean): void }> {
  const real = await openDocumentStore({ dataDir: testSettings().dataDir });
  let gone = false;
  const guarded = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const value: unknown = Reflect.get(object, name, object);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          if (name === "collection") return guarded(value.apply(object, args) as object);
          if (gone && name !== "close")
            return Promise.reject(new DocumentStoreError("UNAVAILABLE", "The store is away"));
          return value.apply(object, args) as unknown;
        };
      },
    });
  return { store: guarded(real), away: (state) => void (gone = state) };
}
