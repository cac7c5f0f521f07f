import { beforeAll, expect, it } from "@jest/globals";
import { ulid } from "ulid";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "../support/eventually.ts";
import { useSystem } from "../support/use-started.ts";
import { ADMIN_TOKEN } from "../support/system.ts";
import { importParts } from "../support/requests.ts";

const system = useSystem();
beforeAll(async () => {
  const answer = await importParts(
    system,
    "koh",
    "part_number,title,list_price\n25 828 81,Carburetor,123.95\n200-002,Belt,2.5",
  );
  expect(answer).toMatchObject({ status: 200, body: { refused: [] } });
  // The dealer has 3 of the first, and does not know the other.
  const refreshed = await system.request("catalog", "POST", "/catalog/refresh/koh", { adminToken: ADMIN_TOKEN });
  expect(refreshed.status).toBe(202);
  await eventually(async () => {
    const { body } = await system.request("catalog", "GET", "/parts/koh?q=2582881");
    return body.parts[0].stock?.quantityOnHand === 3;
  }, 30_000);
});

const item = (number: string, unitPrice: number, quantity: number) => ({
  productId: `koh-${number.replace(/\W/g, "")}`,
  partNumber: number,
  title: `Part ${number}`,
  quantity,
  unitPrice,
});

/** Buys items as a guest. */
async function buy(items: ReturnType<typeof item>[]) {
  const cartId = `cart_${Date.now()}_${ulid().toLowerCase()}`;
  const opened = await system.request("gateway", "POST", "/api/checkout/session", { body: { cartId, items } });
  const { sessionId, url } = opened.body.data as { sessionId: string; url: string };
  const [form] = formsOf(await (await fetch(url)).text(), url);
  expect((await submit(form!)).status).toBe(303);
  const { orderId, orderNumber } = await eventually(async () => {
    const { status, body } = await system.request("gateway", "GET", `/api/orders/by-session/${sessionId}`);
    return status === 200 && (body.data as { orderId: string; orderNumber: string });
  });
  const mails = (count: number) =>
    eventually(async () => {
      const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
      const all = ((await answer.json()) as { mails: { subject: string; text: string }[] }).mails;
      const own = all
        .filter(({ subject, text }) => text.includes(orderNumber) && !/^New order/.test(subject))
        .reverse();
      return own.length >= count && own;
    });
  return { opened, orderId, orderNumber, mails };
}

it("a guest buys two parts and is notified of each step; the shop ships, takes back and refunds", async () => {
  const ids = ["koh-2582881", "koh-200002"];
  const stock = await system.request("gateway", "POST", "/api/search/stock", { body: { ids } });
  const backorder = { from: "backorder", pieces: null, readyOn: null };
  expect(stock.body.results).toMatchObject([
    { manufacturer: "Kohler", supply: [{ from: "dealer", pieces: 3 }, backorder] },
    { imageUrl: null, supply: [] },
  ]);
  const items = [item("25 828 81", 123.95, 4), item("200-002", 2.5, 1)];
  const { opened, orderId, orderNumber, mails } = await buy(items);
  const backordered = [{ productId: "koh-2582881", partNumber: "25 828 81", quantity: 1, days: null }];
  expect(opened).toMatchObject({ status: 200, body: { data: { backordered } } });
  const admin = async (method: "GET" | "POST" | "PATCH", path: string, body?: object) => {
    const asked = { adminToken: ADMIN_TOKEN, ...(body ? { body } : {}) };
    return system.request("gateway", method, `/api/admin/orders/${orderId}${path}`, asked);
  };

  const [confirmation] = await mails(1);
  expect(confirmation!.subject).toBe(`Your order ${orderNumber}`);
  expect(confirmation!.text).toContain("1 on backorder");
  const token = /\/orders\/([\w.-]+)/.exec(confirmation!.text)![1]!;
  const page = await fetch(`${system.url("shop")}/orders/${token}`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(orderNumber)]);
  const byLink = (path = "") => system.request("gateway", "GET", `/api/orders/by-link/${path || token}`);
  expect(await byLink()).toMatchObject({
    status: 200,
    body: { data: { orderId, contact: { email: expect.stringContaining("@") }, shippingAddress: { country: "US" } } },
  });
  expect((await byLink()).body.data).not.toHaveProperty("addressMissing");
  for (const forged of [`${token.slice(0, -3)}AAA`, "none", token.split(".").slice(0, 2).join(".")])
    expect((await byLink(forged)).status).toBe(404);

  const parcel = (number: string, quantity: number) => ({
    lines: [{ partNumber: number, quantity }],
    carrier: "ups",
    tracking: "1Z999",
  });
  expect(await admin("POST", "/shipments", parcel("200-002", 1))).toMatchObject({
    status: 201,
    body: { data: { status: "processing", items: [{ state: "backordered" }, { state: "shipped" }] } },
  });
  const cancelled = await system.request("gateway", "POST", `/api/orders/by-link/${token}/cancel`, { body: {} });
  expect(cancelled).toMatchObject({ status: 409, body: { error: { code: "ORDER_NOT_CANCELLABLE" } } });
  expect(await admin("POST", "/shipments", parcel("200-002", 1))).toMatchObject({ status: 409 });
  expect(await admin("POST", "/shipments", parcel("25 828 81", 4))).toMatchObject({
    body: { data: { status: "shipped" } },
  });
  const { shipmentId } = ((await byLink()).body.data as { shipments: { shipmentId: string }[] }).shipments[0]!;
  const corrected = (trackingNumber: string) => admin("PATCH", `/shipments/${shipmentId}`, { trackingNumber });
  expect((await corrected("1Z\r\n2")).body.error.details).toMatchObject([{ field: "trackingNumber" }]);
  expect(await corrected("1Z2")).toMatchObject({ status: 200 });
  expect((await byLink()).body.data.shipments).toMatchObject([{ trackingNumber: "1Z2" }, { trackingNumber: "1Z999" }]);
  const shipped = (await mails(4)).slice(1).map(({ subject }) => subject);
  expect(shipped.sort()).toEqual([
    `Part of your order ${orderNumber} is on its way`,
    `Tracking for your order ${orderNumber}`,
    `Your order ${orderNumber} is on its way`,
  ]);

  const takenBack = await admin("POST", `/shipments/${shipmentId}/cancel`);
  expect(takenBack).toMatchObject({ status: 200, body: { data: { status: "processing", trackingNumber: "1Z999" } } });
  expect((await mails(5)).at(-1)!.subject).toBe(`Your order ${orderNumber} hasn't left yet`);
  expect(await admin("POST", `/shipments/${shipmentId}/cancel`)).toMatchObject({ status: 404 });
  expect(await admin("POST", "/shipments", parcel("200-002", 1))).toMatchObject({
    body: { data: { status: "shipped" } },
  });
  await mails(6);

  const lines = [{ partNumber: "25 828 81", quantity: 1 }];
  const unwanted = await admin("POST", "/returns", { lines });
  const [{ returnId: calledOff }] = unwanted.body.data.returns as [{ returnId: string }];
  expect(await admin("POST", `/returns/${calledOff}/cancel`)).toMatchObject({ status: 200 });
  expect((await mails(7)).at(-1)!.subject).toBe(`Your return for order ${orderNumber} is cancelled`);
  const expected = await admin("POST", "/returns", { lines, reason: "wrong_part", restockingFee: 2 });
  const { returnId } = (expected.body.data as { returns: { returnId: string }[] }).returns[1]!;
  expect(await admin("POST", `/returns/${returnId}/receipt`)).toMatchObject({
    status: 200,
    body: { data: { refundedAmount: 121.95, items: [{ quantities: { shipped: 3, returned: 1 } }, {}] } },
  });
  expect((await mails(8)).at(-1)!.subject).toBe(`We've received your return for order ${orderNumber}`);
  const [{ shipmentId: left }] = (await byLink()).body.data.shipments as [{ shipmentId: string }];
  for (const paper of ["invoice", "packing-slip", `shipments/${left}/packing-slip`]) {
    const pdf = await admin("GET", `/${paper}.pdf`);
    expect([pdf.status, pdf.headers.get("content-type")]).toEqual([200, "application/pdf"]);
  }
  expect(await admin("POST", "/shipments", { lines: [{ partNumber: "none", quantity: 1 }] })).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: "lines[0].partNumber" }] } },
  });

  // The buyer has lost the mail.
  const { contact, shippingAddress } = (await byLink()).body.data as {
    contact: { email: string };
    shippingAddress: { postalCode: string };
  };
  const { email } = contact;
  const { postalCode } = shippingAddress;
  const lookUp = (body: object) => system.request("gateway", "POST", "/api/orders/look-up", { body });
  expect((await lookUp({ orderNumber })).body.error).toMatchObject({ details: [{ field: "email" }] });
  const wrong = await lookUp({ orderNumber, email: `x${email}`, postalCode: "00000" });
  const right = await lookUp({ orderNumber: ` ${orderNumber.toLowerCase()}`, email: email.toUpperCase() });
  expect([right.status, right.body]).toEqual([wrong.status, wrong.body]);
  expect((await mails(9)).at(-1)!.subject).toBe(`Your link to order ${orderNumber}`);
  const found = (await lookUp({ orderNumber, email, postalCode })).body.data as { token: string };
  const seen = (await byLink(found.token)).body.data as { shippingAddress: object };
  expect(seen).toMatchObject({ orderNumber, readOnly: true, shippingAddress: { postalCode } });
  expect([seen, seen.shippingAddress]).toEqual([
    expect.not.objectContaining({ contact: expect.anything() }),
    expect.not.objectContaining({ street: expect.anything() }),
  ]);
  for (const [method, path, body] of [
    ["POST", "cancel", {}],
    ["PUT", "shipping-address", { shippingAddress }],
    ["POST", "returns", { lines: [{ productId: "koh-2582881", quantity: 1 }], reason: "other" }],
    ["GET", "invoice.pdf", undefined],
  ] as const)
    expect(
      await system.request("gateway", method, `/api/orders/by-link/${found.token}/${path}`, { ...(body && { body }) }),
    ).toMatchObject({ status: 403, body: { error: { code: "FORBIDDEN" } } });
  // One was mailed a moment ago.
  expect(await system.request("gateway", "POST", `/api/orders/by-link/${found.token}/mail`)).toMatchObject({
    status: 202,
  });
  for (let times = 3; times < 6; times += 1) await lookUp({ orderNumber, postalCode: "00000" });
  const limited = await lookUp({ orderNumber, email });
  expect([limited.status, Number(limited.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);
  // Other numbers do not help who goes on with the buyer's address.
  for (let number = 1; number <= 3; number += 1)
    expect((await lookUp({ orderNumber: `ORD-${number}`, email })).status).toBe(200);
  expect((await lookUp({ orderNumber: "ORD-4", email: email.toUpperCase() })).status).toBe(429);
  const { mails: kept } = (await admin("GET", "/mails")).body.data as { mails: { kind: string }[] };
  expect(kept.filter(({ kind }) => kind === "order-link")).toHaveLength(1);
});

it("what an order waits for is bought in: the buyer learns the day, and gets the pieces when they arrive", async () => {
  const file = "part_number,title,list_price,stock\nPW-1,Spark Plug,10,1\n";
  const headers = { "Content-Type": "text/csv" };
  await system.request("catalog", "POST", "/catalog/import/ueb", { rawBody: file, adminToken: ADMIN_TOKEN, headers });
  const plugs = { ...item("PW-1", 10, 3), productId: "ueb-pw1", title: "Spark Plug" };
  const { orderId, orderNumber, mails } = await buy([plugs]);
  const admin = async (method: "GET" | "POST" | "PATCH", path: string, body?: object, key?: string) => {
    const keyed = key === undefined ? {} : { headers: { "Idempotency-Key": key } };
    return system.request("gateway", method, `/api/admin${path}`, {
      ...{ adminToken: ADMIN_TOKEN, ...keyed, ...(body ? { body } : {}) },
    });
  };
  const waiting = async () => (await admin("GET", `/orders/${orderId}`)).body.data.items[0].quantities.backordered;
  const missing = async () =>
    (await admin("GET", "/shortages")).body.data.parts.filter(({ id }: { id: string }) => id === "ueb-pw1");
  await mails(1);
  expect(await missing()).toMatchObject([{ backordered: 2, missing: 2, orders: [{ orderId, orderNumber }] }]);

  const lines = [{ id: "ueb-pw1", quantity: 4 }];
  const wrong = await admin("POST", "/purchases", { vendor: "koh", lines });
  expect(wrong.body.error).toMatchObject({ code: "VALIDATION_FAILED" });
  const made = await admin("POST", "/purchases", { vendor: "ueb", lines, expectedAt: "2030-12-08" });
  expect(made).toMatchObject({ status: 201, body: { status: "open", version: 1, lines: [{ received: 0 }] } });
  const path = `/purchases/${made.body.purchaseId}`;
  expect((await mails(2))[1]!.text).toContain("We expect the items below on December 8, 2030");
  expect(await missing()).toEqual([]);
  const later = await admin("POST", "/purchases", { vendor: "ueb", lines, expectedAt: "2030-12-31" });
  await admin("POST", `/purchases/${later.body.purchaseId}/cancel`);
  const expectedAt = async () => (await admin("GET", `/orders/${orderId}`)).body.data.items[0].expectedAt;
  await admin("PATCH", path, { expectedAt: null });
  await eventually(async () => (await expectedAt()) === undefined);
  await admin("PATCH", path, { note: "Order 4711", version: 2 });

  const one = { lines: [{ id: "ueb-pw1", quantity: 1 }] };
  for (const _attempt of [1, 2])
    expect((await admin("POST", `${path}/receipts`, one, "first-box")).body).toMatchObject({
      ...{ status: "open", note: "Order 4711", lines: [{ received: 1 }] },
    });
  await eventually(async () => (await waiting()) === 1);
  // Until it is sent, it would speak of the next receipt, too.
  await mails(3);
  const tooMany = await admin("POST", `${path}/receipts`, { lines });
  expect(tooMany).toMatchObject({ status: 409, body: { error: { code: "INVALID_TRANSITION" } } });
  expect((await admin("POST", `${path}/receipts`, {})).body).toMatchObject({ status: "received" });
  await eventually(async () => (await waiting()) === 0);
  expect((await mails(4)).map(({ subject }) => subject)).toEqual([
    `Your order ${orderNumber}`,
    `Update on your order ${orderNumber}`,
    ...[1, 2].map(() => `Your backordered items are in: order ${orderNumber}`),
  ]);
  expect((await admin("GET", "/parts/ueb-pw1/stock")).body).toMatchObject({
    places: [{ place: "main", onHand: 5 }],
    held: 3,
    movements: [{ cause: "purchase", change: 3 }, { cause: "purchase", change: 1 }, { cause: "price_file" }],
  });
  expect((await admin("POST", `${path}/cancel`)).status).toBe(409);

  // Where nobody counted, others may lie beside what was bought: what was sold is to pack, and on the list.
  const belts = "part_number,title,list_price\nPW-2,Belt,10\n";
  await system.request("catalog", "POST", "/catalog/import/ueb", { rawBody: belts, adminToken: ADMIN_TOKEN, headers });
  const sell = async (quantity: number) => {
    const order = await buy([{ ...item("PW-2", 10, quantity), productId: "ueb-pw2", title: "Belt" }]);
    return async () => (await admin("GET", `/orders/${order.orderId}`)).body.data.items[0];
  };
  const receive = async (quantity: number) => {
    const bought = await admin("POST", "/purchases", { vendor: "ueb", lines: [{ id: "ueb-pw2", quantity }] });
    await admin("POST", `/purchases/${bought.body.purchaseId}/receipts`, {});
  };
  const listed = async () =>
    (await admin("GET", "/shortages")).body.data.parts.filter(({ id }: { id: string }) => id === "ueb-pw2");
  const first = await sell(6);
  expect(await listed()).toEqual([]);
  await receive(3);
  const second = await sell(1);
  // A checkout that is not paid holds none of what nobody counted.
  const unpaid = { items: [{ ...item("PW-2", 10, 5), productId: "ueb-pw2", title: "Belt" }] };
  await system.request("payment", "POST", "/api/checkout/session", { body: unpaid });
  expect(await listed()).toMatchObject([{ uncounted: true, missing: 4, orders: [{}, {}] }]);
  for (const [read, uncounted] of [
    [first, 6],
    [second, 1],
  ] as const)
    expect(await read()).toMatchObject({ uncounted, state: "open" });
  await receive(4);
  await eventually(async () => (await first()).uncounted === undefined && (await second()).uncounted === undefined);
  expect(await listed()).toEqual([]);
});
