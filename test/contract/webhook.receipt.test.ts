import { describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { call } from "../../services/contracts.ts";
import { signed } from "./payment.shop.ts";
import { useWebhookShop } from "./webhook.support.ts";

describe("Receiving webhooks", () => {
  const given = useWebhookShop();
  const { shop, ordersOf, paidSession } = given;

  describe("signatures", () => {
    it.each([
      ["forged", async () => ({ secret: "whsec_of_somebody_else" })],
      ["stale", async () => ({ timestamp: Math.floor(Date.now() / 1000) - 301 })],
      // A second more than the tolerance may pass until it is looked at.
      ["future", async () => ({ timestamp: Math.floor(Date.now() / 1000) + 320 })],
    ])("refuses a %s one", async (_name, options) => {
      const { sessionId, completed } = await paidSession();
      await expect(shop.deliver(completed, await options())).rejects.toMatchObject({ code: "INVALID_SIGNATURE" });
      expect(await ordersOf(sessionId)).toEqual([]);
    });

    it.each([-290, 290])("takes one that is %d s from our clock", async (seconds) => {
      const { completed } = await paidSession();
      await expect(shop.deliver(completed, { timestamp: Math.floor(Date.now() / 1000) + seconds })).resolves.toEqual({
        received: true,
      });
    });

    it.each(["", "{}", "\uFFFD"])("refuses a malformed signature, for the body %j", async (body) => {
      const now = Math.floor(Date.now() / 1000);
      for (const signature of [
        "nonsense",
        `t=${now}`,
        `t=${now},v1=`,
        `t=${now},v1=${"é".repeat(64)}`,
        `t=${now},v1=${"0".repeat(64)}`,
      ]) {
        const answer = call(shop.broker, "payment.receiveWebhook", {
          body,
          headers: { "stripe-signature": signature },
        });
        await expect(answer).rejects.toMatchObject({ code: "INVALID_SIGNATURE" });
      }
    });

    it("refuses a missing one, and a changed text", async () => {
      await expect(call(shop.broker, "payment.receiveWebhook", { body: "{}", headers: {} })).rejects.toMatchObject({
        code: "INVALID_SIGNATURE",
      });
      const good = signed({ id: "evt_1", type: "charge.refunded" }, { secret: shop.settings.payment.webhookSecret });
      const changed = call(shop.broker, "payment.receiveWebhook", {
        ...good,
        body: good.body.replace("evt_1", "evt_2"),
      });
      await expect(changed).rejects.toMatchObject({ code: "INVALID_SIGNATURE" });
    });
  });

  it.each([
    "null",
    "5",
    "[]",
    "{",
    JSON.stringify({ id: { $gt: "" }, type: "charge.refunded", data: { object: {} } }),
    '{"id":"evt_1","type":"charge.refunded","data":null}',
  ])("refuses %s, which is signed and no event", async (body) => {
    await expect(shop.deliver(body)).rejects.toMatchObject({ code: "INVALID_JSON" });
  });

  it("refuses an event with a field amiss, of which nothing is kept: the event itself still has its effect", async () => {
    const { sessionId, completed } = await paidSession();
    const amiss = { ...completed, data: { object: { ...completed.data.object, amount_total: -1 } } };
    await expect(shop.deliver(amiss)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await ordersOf(sessionId)).toEqual([]);
    await shop.deliver(completed);
    expect(await ordersOf(sessionId)).toHaveLength(1);
  });

  it("acknowledges and drops what nothing depends on", async () => {
    const event = { id: `evt_${ulid()}`, object: "event", type: "product.created", data: { object: { id: "prod_1" } } };
    expect(await shop.deliver(event)).toEqual({ received: true });
    expect((await shop.webhookEvents()).map(({ _id }) => _id)).not.toContain(event.id);
  });
});
