import EasyPost from "@easypost/api";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { startEasyPostSandbox } from "../../packages/sandbox/src/easypost/server.ts";
import { call, enqueue } from "../../services/contracts.ts";
import { ORDERS, type OrderDocument } from "../../services/order/collections.ts";
import { AUSTIN } from "../support/addresses.ts";
import { eventually } from "../support/eventually.ts";
import { item, SHOP_MODE, startShop, type Shop } from "./payment.shop.ts";
import { createFaults } from "../support/sandbox-faults.ts";

const API_KEY = "EZTK_test";
/** Half of it is normalized before it signs. */
const SECRET = "s\u00e9cret-\ufb01";
const STAFF = { admin: true };

interface AtEasyPost {
  id: string;
  reference: string;
  tracking_code: string | null;
  refund_status: string | null;
  is_return: boolean;
  rates: { id: string; service: string }[];
}

describe("Labels of EasyPost", () => {
  let shop: Shop;
  let easyPost: Awaited<ReturnType<typeof startEasyPostSandbox>>;
  let webhook: Server;
  const received: { body: string; headers: { "x-hmac-signature": string } }[] = [];
  beforeAll(async () => {
    webhook = createServer((request, response) => {
      void text(request).then(async (body) => {
        const headers = { "x-hmac-signature": String(request.headers["x-hmac-signature"]) };
        received.push({ body, headers });
        await call(shop.broker, "order.receiveParcelNews", { body, headers });
        response.end();
      });
    });
    await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve));
    const { port } = webhook.address() as AddressInfo;
    const webhookUrls = [`http://127.0.0.1:${port}/`];
    const address = { host: "127.0.0.1", port: 0, apiKey: API_KEY, webhookSecret: SECRET, webhookUrls };
    easyPost = await startEasyPostSandbox(address);
    const from = JSON.stringify({ ...AUSTIN, name: "Shop" });
    const env = {
      EASYPOST_API_KEY: API_KEY,
      EASYPOST_API_BASE: `${easyPost.url}/v2`,
      SHIP_FROM: from,
      EASYPOST_WEBHOOK_SECRET: SECRET,
    };
    shop = await startShop({ mode: SHOP_MODE, env });
  });
  afterAll(async () => {
    await shop?.stop();
    await easyPost.close();
    webhook.close();
  });

  async function ask<T = AtEasyPost>(path = "", body?: object): Promise<T> {
    const headers = { authorization: `Basic ${btoa(`${API_KEY}:`)}`, "content-type": "application/json" };
    const sent = body ? { method: "POST", body: JSON.stringify(body) } : {};
    return (await (await fetch(`${easyPost.url}/v2/shipments${path}`, { headers, ...sent })).json()) as T;
  }
  const bought = async (shipmentId: string) => {
    const { shipments } = await ask<{ shipments: AtEasyPost[] }>();
    return shipments.filter(({ reference, tracking_code }) => reference === shipmentId && tracking_code);
  };
  async function makeOrder(): Promise<OrderDocument> {
    const { methods } = await call(shop.broker, "payment.quoteShipping", {
      ...{ items: [item("bns-1", { quantity: 2 })], destination: AUSTIN },
    });
    const { quote } = methods.find(({ serviceType }) => serviceType === "Priority")!;
    const { sessionId } = await shop.checkout({
      ...{ items: [item("bns-1", { quantity: 2 })], quote, shippingAddress: AUSTIN },
    });
    await shop.pay({ sessionId });
    await shop.deliver(await shop.event("checkout.session.completed", sessionId));
    return (await shop.orders()).find(({ paymentKey }) => paymentKey === sessionId)!;
  }
  const ship = (orderId: string, label: object, runId?: string) =>
    call(shop.as(STAFF), "order.adminShip", { orderId, label }, { meta: { runId } });

  it("are of the method that the buyer chose, once for a request that runs again, and voided with the shipment", async () => {
    const { _id: orderId } = await makeOrder();
    const runId = ulid();
    const { rates } = await call(shop.as(STAFF), "order.adminLabelRates", { orderId });
    expect(rates.filter(({ isBuyersChoice }) => isBuyersChoice)).toEqual([
      {
        ...{ rate: "USPS Priority", provider: "USPS", serviceType: "Priority", isBuyersChoice: true },
        ...{ cost: expect.stringMatching(/^\d+\.\d\d$/), estimatedDays: expect.any(Number) },
      },
    ]);
    expect(rates.map(({ cost }) => Number(cost))).toEqual(rates.map(({ cost }) => Number(cost)).sort((a, b) => a - b));
    const [shipped, again] = [await ship(orderId, {}, runId), await ship(orderId, {}, runId)];
    const { shipmentId, trackingNumber } = shipped.shipments![0]!;
    expect(again).toEqual(shipped);
    expect(await bought(shipmentId)).toMatchObject([
      { tracking_code: trackingNumber, selected_rate: { service: "Priority" } },
    ]);
    const [label] = shipped.labels!;
    expect(shipped).toMatchObject({ status: "shipped", carrier: "USPS", labels: [{ shipmentId, state: "bought" }] });
    const paper = await fetch(label!.url!);
    expect([paper.headers.get("content-type"), (await paper.text()).slice(0, 5)]).toEqual(["application/pdf", "%PDF-"]);

    await call(shop.as(STAFF), "order.adminCancelShipment", { orderId, shipmentId });
    await eventually(async () => (await bought(shipmentId))[0]!.refund_status === "submitted");
    await eventually(async () => {
      const { labels } = await call(shop.as(STAFF), "order.adminGet", { orderId });
      return labels![0]!.state === "voided";
    });
  });

  it("that a process bought and died before it wrote the shipment are not bought again", async () => {
    const { _id: orderId } = await makeOrder();
    const shipmentId = `shp_${ulid()}`;
    const parcel = await ask("", {
      shipment: {
        ...{ reference: shipmentId, parcel: { weight: 30 } },
        ...{ to_address: { country: "US", zip: "78701" }, from_address: { country: "US", zip: "78701" } },
      },
    });
    const [rate] = parcel.rates;
    const labelling = { shipmentId, parcelId: parcel.id, rateId: rate!.id, request: {}, actor: "admin" };
    await shop.documents.collection<OrderDocument>(ORDERS).updateOne({ _id: orderId }, { $set: { labelling } });
    const { tracking_code: trackingNumber } = await ask(`/${parcel.id}/buy`, { rate });
    await expect(ship(orderId, {})).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
    await shop.documents.atomically([enqueue("order.label", orderId, { orderId })]);
    const order = await eventually(async () => {
      const read = await call(shop.as(STAFF), "order.adminGet", { orderId });
      return read.shipments && read;
    });
    expect(order).toMatchObject({ status: "shipped", shipments: [{ shipmentId, trackingNumber }] });
    expect(await bought(shipmentId)).toHaveLength(1);
  });

  it("are refused with the rates that are offered, outside the country, and without an answer ship nothing", async () => {
    const { _id: orderId } = await makeOrder();
    await expect(ship(orderId, { rate: "USPS Rocket" })).rejects.toMatchObject({
      ...{ code: "VALIDATION_FAILED", message: expect.stringContaining("USPS Priority (") },
    });
    expect(await call(shop.as(STAFF), "order.adminGet", { orderId })).toMatchObject({ labelOffered: true });
    const shippingAddress = { ...AUSTIN, city: "Toronto", state: "ON", postalCode: "M5V 3L9", country: "CA" };
    await call(shop.as(STAFF), "order.setShippingAddress", { orderId, shippingAddress });
    await expect(ship(orderId, {})).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await call(shop.as(STAFF), "order.setShippingAddress", { orderId, shippingAddress: AUSTIN });
    const { set, allWell } = createFaults(() => easyPost);
    await set({ kind: "error", value: 500 });
    await expect(ship(orderId, {})).rejects.toMatchObject({ code: "PROVIDER_ERROR" });
    await allWell();
    expect(await ship(orderId, { rate: "ups ground", weightGrams: 900 })).toMatchObject({ carrier: "UPS" });
    const { _id } = await makeOrder();
    const pickedUp = { $set: { fulfilment: "pickup" }, $unset: { shippingPaidFor: true } } as const;
    await shop.documents.collection<OrderDocument>(ORDERS).updateOne({ _id }, pickedUp);
    await expect(ship(_id, {})).rejects.toMatchObject({ code: "VALIDATION_FAILED", data: [{ field: "label" }] });
  });

  it("of a return are bought once it is approved, the cheapest, addressed to the shop, and voided when it is called off", async () => {
    const { _id: orderId } = await makeOrder();
    await ship(orderId, {});
    const [lines, reason] = [[{ productId: "bns-1", quantity: 1 }], "damaged" as const];
    const { returns: asked = [] } = await call(shop.as(STAFF), "order.requestReturn", { orderId, lines, reason });
    const { returnId } = asked[0]!;
    expect(asked[0]).not.toHaveProperty("label");
    const { rates } = await call(shop.as(STAFF), "order.adminLabelRates", { orderId, returnId });
    expect(rates[0]).toMatchObject({ rate: "USPS GroundAdvantage" });
    const decide = () => call(shop.as(STAFF), "order.adminDecideReturn", { orderId, returnId, decision: "approved" });
    const [approved] = await Promise.all([decide(), decide()]);
    expect(approved.returns![0]!.label).toBeDefined();
    const read = () => call(shop.as(STAFF), "order.adminGet", { orderId });
    const label = await eventually(async () => {
      const { returns } = await read();
      return returns![0]!.label?.url !== undefined && returns![0]!.label;
    });
    expect(await bought(returnId)).toMatchObject([{ is_return: true, selected_rate: { service: "GroundAdvantage" } }]);
    const { labels, returns } = await read();
    const { trackingNumber } = labels!.at(-1)!;
    expect(labels!.at(-1)).toMatchObject({ cost: rates[0]!.cost, trackingNumber: expect.any(String) });
    expect(returns![0]!.label).toMatchObject({ state: "bought", trackingNumber });
    expect(await (await fetch(label.url!)).text()).toContain("(Shop)");

    await call(shop.as(STAFF), "order.cancelReturn", { orderId, returnId });
    await eventually(async () => (await bought(returnId))[0]!.refund_status === "submitted");
    expect((await read()).returns![0]!.label).toEqual({ state: "voided" });
  });

  it("of a return are not bought where staff want none, and not voided once pieces came by them", async () => {
    const { _id: orderId } = await makeOrder();
    await ship(orderId, {});
    const approve = async (quantity: number, label?: boolean) => {
      const request = { orderId, lines: [{ productId: "bns-1", quantity }], reason: "damaged" as const };
      const { returns = [] } = await call(shop.as(STAFF), "order.requestReturn", request);
      const { returnId } = returns.at(-1)!;
      const decision = { orderId, returnId, decision: "approved", ...(label === undefined ? {} : { label }) } as const;
      await call(shop.as(STAFF), "order.adminDecideReturn", decision);
      return returnId;
    };
    const read = async () => (await call(shop.as(STAFF), "order.adminGet", { orderId })).returns!.at(-1)!;
    const unlabelled = await approve(1, false);
    expect(await read()).not.toHaveProperty("label");
    await call(shop.as(STAFF), "order.cancelReturn", { orderId, returnId: unlabelled });

    const returnId = await approve(2);
    await eventually(async () => (await read()).label?.state === "bought");
    const lines = [{ productId: "bns-1", quantity: 1 }];
    await call(shop.as(STAFF), "order.adminReceiveReturn", { orderId, returnId, lines });
    await expect(call(shop.as(STAFF), "order.cancelReturn", { orderId, returnId })).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
    });
    await call(shop.as(STAFF), "order.adminCancelReturn", { orderId, returnId });
    expect(await read()).toMatchObject({ cancelledAt: expect.any(String), label: { state: "bought" } });
  });

  it("of a return that nobody sells are said to have failed, in a note", async () => {
    const { _id: orderId } = await makeOrder();
    await ship(orderId, {});
    const lines = [{ productId: "bns-1", quantity: 1 }];
    const { returns } = await call(shop.as(STAFF), "order.requestReturn", { orderId, lines, reason: "damaged" });
    const { returnId } = returns![0]!;
    const { set, allWell } = createFaults(() => easyPost);
    await set({ kind: "no_rates" });
    expect((await call(shop.as(STAFF), "order.adminLabelRates", { orderId, returnId })).rates).toEqual([]);
    await call(shop.as(STAFF), "order.adminDecideReturn", { orderId, returnId, decision: "approved" });
    const order = await eventually(async () => {
      const current = await call(shop.as(STAFF), "order.adminGet", { orderId });
      return current.notes !== undefined && current;
    });
    await allWell();
    expect(order.notes).toMatchObject([
      { text: expect.stringMatching(/^No return label .* offers no label for this/) },
    ]);
    expect(order.returns![0]).not.toHaveProperty("label");
  });

  it("arrive as EasyPost says: an order is delivered with its last parcel, once; a wrong signature says nothing", async () => {
    const { _id: orderId } = await makeOrder();
    const lines = [{ productId: "bns-1", quantity: 1 }];
    const read = () => call(shop.as(STAFF), "order.adminGet", { orderId });
    for (const _parcel of [1, 2])
      await call(shop.as(STAFF), "order.adminShip", {
        orderId,
        lines,
        label: { rate: "USPS Priority", weightGrams: 500 },
      });
    const [first, second] = (await read()).shipments!.map(({ trackingNumber }) => trackingNumber!);
    const arrive = (number: string, status?: string, est_delivery_date?: unknown) =>
      fetch(`${easyPost.url}/sandbox/parcels/${number}`, {
        method: "POST",
        body: JSON.stringify({ status, est_delivery_date }),
      });
    const { version: unsaid } = await read();
    for (const estimate of ["2026-12-08T00:00:00Z", "2026-12-08T12:30:00Z", "soon", 8, null])
      await arrive(first!, "in_transit", estimate);
    expect(await read()).toMatchObject({ version: unsaid + 1, shipments: [{ expectedAt: "2026-12-08" }, {}] });
    await arrive(first!);
    expect(await read()).toMatchObject({ status: "shipped", shipments: [{ deliveredAt: expect.any(String) }, {}] });
    const before = (await read()).version;
    await arrive(first!);
    expect((await read()).version).toBe(before);

    await arrive(second!, "return_to_sender");
    await arrive(second!, "return_to_sender");
    expect((await read()).notes).toMatchObject([{ text: expect.stringContaining(`${second} is on its way back`) }]);
    const { body, headers } = received.at(-1)!;
    const forged = body.replace("return_to_sender", "delivered");
    for (const signature of [headers["x-hmac-signature"], "", "hmac-sha256-hex=00"])
      await expect(
        call(shop.broker, "order.receiveParcelNews", { body: forged, headers: { "x-hmac-signature": signature } }),
      ).rejects.toMatchObject({ code: "INVALID_SIGNATURE" });
    expect((await read()).status).toBe("shipped");

    const { version } = await read();
    await Promise.all([arrive(second!), arrive(second!)]);
    expect(await read()).toMatchObject({
      ...{ status: "delivered", version: version + 1, deliveredAt: expect.any(String) },
    });
    // EasyPost's own library accepts what the sandbox signs.
    const Client = EasyPost as unknown as new (key: string) => {
      Utils: { validateWebhook(body: Buffer, headers: object, secret: string): { description: string } };
    };
    const last = received.at(-1)!;
    const event = new Client(API_KEY).Utils.validateWebhook(Buffer.from(last.body), last.headers, SECRET);
    expect(event.description).toBe("tracker.updated");
  });
});
