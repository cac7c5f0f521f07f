import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { startEasyPostSandbox } from "../../packages/sandbox/src/easypost/server.ts";
import { AUSTIN } from "../support/addresses.ts";
import { buy } from "../support/buy.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type System } from "../support/system.ts";

const API_KEY = "EZTK_test";

let easyPost: Awaited<ReturnType<typeof startEasyPostSandbox>>;
let system: System;
let killed: Promise<void> | undefined;
/** Passes requests on to the stand-in, and kills the system once it has sold a label, before it gets the answer. */
const proxy = createServer((request, response) => {
  void (async () => {
    const { method = "GET", url = "", headers } = request;
    const body = method === "GET" ? undefined : await text(request);
    const answer = await fetch(easyPost.url + url, {
      ...{ method, headers: { authorization: String(headers.authorization), "content-type": "application/json" } },
      ...(body ? { body } : {}),
    });
    const answerText = await answer.text();
    if (url.endsWith("/buy")) await (killed ??= system.kill());
    response.writeHead(answer.status, { "content-type": "application/json" }).end(answerText);
  })();
});
beforeAll(async () => {
  easyPost = await startEasyPostSandbox({ host: "127.0.0.1", port: 0, apiKey: API_KEY });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const from = JSON.stringify({ ...AUSTIN, name: "Shop" });
  const env = {
    EASYPOST_API_KEY: API_KEY,
    EASYPOST_API_BASE: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v2`,
    SHIP_FROM: from,
  };
  system = await startSystem({ env });
}, 120_000);
afterAll(async () => {
  await system?.stop();
  proxy.close();
  await easyPost?.close();
});

interface AtEasyPost {
  tracking_code: string | null;
  reference: string | null;
}

async function listBought(): Promise<AtEasyPost[]> {
  const headers = { authorization: `Basic ${btoa(`${API_KEY}:`)}` };
  const answer = await fetch(`${easyPost.url}/v2/shipments`, { headers });
  const { shipments } = (await answer.json()) as { shipments: AtEasyPost[] };
  return shipments.filter(({ tracking_code }) => tracking_code !== null);
}

it("kill -9 between a label and its shipment leaves one label, and the shipment", async () => {
  const file = { rawBody: "part_number,title,list_price\nLC-1,Label Cap,9\n", headers: { "Content-Type": "text/csv" } };
  await system.request("catalog", "POST", "/catalog/import/ueb", { ...file, adminToken: ADMIN_TOKEN });
  const items = [{ productId: "ueb-lc1", partNumber: "LC-1", title: "Label Cap", quantity: 1, unitPrice: 9 }];
  const quoted = await system.request("gateway", "POST", "/api/shipping/quotes", {
    body: { items, destination: AUSTIN },
  });
  const { quote } = quoted.body.data.methods[0] as { quote: string };
  const { orderId } = await buy(system, { items, quote, shippingAddress: AUSTIN });

  const asked = system.request("gateway", "POST", `/api/admin/orders/${orderId}/shipments`, {
    ...{ body: { label: {} }, adminToken: ADMIN_TOKEN },
  });
  await expect(asked).rejects.toThrow();
  await killed;
  const [label] = await listBought();
  await system.start();

  const order = await eventually(async () => {
    const { body } = await system.request("gateway", "GET", `/api/admin/orders/${orderId}`, {
      adminToken: ADMIN_TOKEN,
    });
    return body.data.shipments && body.data;
  }, 60_000);
  expect(order.shipments).toMatchObject([{ shipmentId: label!.reference, trackingNumber: label!.tracking_code }]);
  expect(await listBought()).toHaveLength(1);
}, 180_000);
