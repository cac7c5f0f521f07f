import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { checkOutAndPay, findOrder, type SearchHit } from "../../packages/bench/src/support/shop.ts";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN } from "../support/system.ts";
import { startReceiver } from "../support/webhook-receiver.ts";

describe("webhooks out, over HTTP", () => {
  const system = useSystem();
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(async () => {
    await receiver.close();
  });

  const asAdmin = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown) =>
    system.request("gateway", method, `/api/admin/webhooks${path}`, { body, adminToken: ADMIN_TOKEN });

  test("a receiver that knows nothing but standardwebhooks gets a paid order once", async () => {
    const url = receiver.url;
    const made = await asAdmin("POST", "", { url, eventTypes: ["order.created", "order.shipped"] });
    expect([made.status, made.body.data.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
    const { endpointId, secret } = made.body.data;
    receiver.verifyBy(secret);
    const found = await system.request("gateway", "GET", "/api/search?q=carburetor&limit=20");
    const hit = (found.body.parts as SearchHit[]).find(({ unitPrice }) => unitPrice !== null)!;
    const { sessionId } = await checkOutAndPay(system, hit);
    const { orderId } = await findOrder(system, sessionId);
    const own = () => receiver.received.filter(({ data }) => data.orderId === orderId);
    await eventually(() => own().length > 0, 30_000);
    expect(own()).toMatchObject([{ type: "order.created", data: { orderId, items: [{ productId: hit.productId }] } }]);
    expect(receiver.refused).toEqual([]);
    const messageId = own()[0]!.id;
    const delivery = await eventually(async () => {
      const { body } = await asAdmin("GET", `/${endpointId}/deliveries/${messageId}`);
      return body.data.state === "delivered" && body.data;
    });
    expect(delivery.log).toMatchObject([{ outcome: "delivered", status: 204 }]);

    expect((await asAdmin("GET", `/${endpointId}`)).text).not.toContain(secret);
    expect((await asAdmin("POST", `/${endpointId}/deliveries/${messageId}/replay`)).status).toBe(202);
    await eventually(() => own().length === 2, 30_000);
    expect(new Set(own().map(({ id }) => id))).toEqual(new Set([messageId]));
    expect((await asAdmin("DELETE", `/${endpointId}`)).status).toBe(200);
    expect((await asAdmin("GET", `/${endpointId}`)).status).toBe(404);
  });

  test("the gateway describes the events, for programs and for people", async () => {
    const document = await system.request("gateway", "GET", "/asyncapi.json");
    expect(document.body).toMatchObject({ asyncapi: expect.stringMatching(/^3\./) });
    expect(Object.keys(document.body.channels)).toEqual(expect.arrayContaining(["order.created", "webhooks"]));
    const page = await system.request("gateway", "GET", "/asyncapi");
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('<section id="order.created">')]);
    expect((await system.request("cart", "GET", "/asyncapi.json")).status).toBe(404);
  });
});
