import { describe, expect, it } from "@jest/globals";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import createCartService from "../../services/cart/cart.service.ts";
import { call } from "../../services/contracts.ts";
import { eventually } from "../support/eventually.ts";
import { testSettings } from "../support/test-settings.ts";
import { newCartId, startShop } from "./payment.shop.ts";
import { storeAway } from "../support/store-away.ts";

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
    const real = await openDocumentStore({ dataDir: testSettings().dataDir });
    let isAway = false;
    const store = storeAway(real, (operation) => isAway && operation !== "close");
    const shop = await startShop({ documents: store });
    try {
      const session = await shop.checkout();
      await shop.pay(session);
      const completed = await shop.event("checkout.session.completed", session.sessionId);
      isAway = true;
      await expect(shop.deliver(completed)).rejects.toMatchObject({ code: "UNAVAILABLE" });
      isAway = false;
      expect(await shop.webhookEvents()).toEqual([]);
      expect(await shop.deliver(completed)).toEqual({ received: true });
      expect(await shop.orders()).toHaveLength(1);
    } finally {
      await shop.stop();
      await store.close();
    }
  });
});
