import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { DELIVERIES, type DeliveryRow } from "../../packages/durable/src/channels/deliveries.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import { quarters } from "../support/images.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, type System } from "../support/system.ts";
import { browserTest, hasBrowser, press } from "./chromium.ts";
import { AUSTIN } from "../support/addresses.ts";
import { buy } from "../support/buy.ts";
import { newStaff, startSelling, type Staff } from "./staff.support.ts";

let system: System;
let browser: Browser;
/** One for all tests: a first load of the console takes a second of a processor. */
let staff: Staff;
let page: Page;

const PARTS = "part_number,title,list_price\n900-001,Console test filter,20\n900-002,Console test belt,60\n";
/** What a PNG begins with. */
const PNG = Buffer.from("89504e470d0a1a0a", "hex");
const ITEMS = [
  { productId: "bns-900001", partNumber: "900-001", title: "Console test filter", unitPrice: 20, quantity: 2 },
  { productId: "bns-900002", partNumber: "900-002", title: "Console test belt", unitPrice: 60, quantity: 1 },
];
/** Its day is another one than that of UTC, which is the browser's. */
const SHOP_TIME_ZONE = new Date().getUTCHours() < 11 ? "Pacific/Pago_Pago" : "Pacific/Kiritimati";
const ADDRESS = { ...AUSTIN, name: "Ada <b>Mechanic</b>" };

beforeAll(async () => {
  if (!hasBrowser) return;
  ({ system, browser } = await startSelling(PARTS, { SHOP_TIME_ZONE }));
  staff = await newStaff(system, browser);
  ({ page } = staff);
  // The dealer has none of it.
  await system.request("catalog", "POST", "/catalog/refresh/kaw", { adminToken: ADMIN_TOKEN });
  await eventually(async () => {
    const { body } = await system.request("catalog", "GET", "/parts/kaw?q=117133279");
    return body.parts[0].stock?.quantityOnHand === 0;
  }, 60_000);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});
beforeEach(() => staff?.reset());

/** An order of 100.00: two filters at 20.00 and a belt at 60.00. */
const order = () => buy(system, { items: ITEMS, shippingAddress: ADDRESS });

const mailsOf = async (orderId: string): Promise<{ state: string }[]> =>
  (await system.request("payment", "GET", `/api/admin/orders/${orderId}/mails`, { adminToken: ADMIN_TOKEN })).body.data
    .mails;

const orderAt = async (orderId: string) =>
  (await system.request("payment", "GET", `/api/admin/orders/${orderId}`, { adminToken: ADMIN_TOKEN })).body.data;

browserTest("staff alone come in; what the pages call asks for a credential too", async () => {
  expect((await page.goto(staff.at("/")))!.status()).toBe(401);
  await press(page.getByRole("link", { name: "Sign in" }));
  await press(page.getByRole("button", { name: "customer@partline.example" }));
  await page.getByText("customer@partline.example isn't on this shop's staff.").waitFor();
  expect((await page.reload())!.status()).toBe(403);
  const search = await page.request.post(staff.at("/api/admin/orders/search"), { data: {} });
  expect(search.status()).toBe(403);
  await press(staff.button("Sign out"));
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  expect(staff.complaints).toEqual([]);
  await page.goto(staff.at("/sign-in-failed?why=token"));
  await page
    .getByRole("alert")
    .getByText(/Signing in again won't help/)
    .waitFor();
  expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
});

browserTest("the shop says what its settings page says, but the environment's time zone stays", async () => {
  await staff.comeInAs("admin", "/settings");
  await page.getByLabel("Phone").fill("+1 775 555 0100");
  await page.getByLabel("Opening hours").first().fill("Mon to Fri 8 am to 5 pm\nSat 9 am to noon");
  expect(await page.getByLabel("Time zone").isEditable()).toBe(false);
  await page.getByRole("tab", { name: "Returns", exact: true }).click();
  await page.getByRole("textbox", { name: "English" }).fill("Within **30 days**");
  await staff.axeClean();
  const sent = page.waitForRequest((request) => request.method() === "PATCH");
  await staff.button("Save").click();
  // What a form does not change may be pinned, or follow the product.
  expect(Object.keys((await sent).postDataJSON() as object).sort()).toEqual([
    ...["openingHours", "phone", "policies", "version"],
  ]);
  await eventually(async () => (await (await fetch(system.url("shop"))).text()).includes("Sat 9 am to noon"));
  await page.goto(`${system.url("shop")}/policies/returns`);
  expect(await page.locator("main strong").textContent()).toBe("30 days");
  const phone = page.getByRole("contentinfo").getByRole("link", { name: "+1 775 555 0100" });
  expect(await phone.getAttribute("href")).toBe("tel:+17755550100");
  expect(staff.complaints).toEqual([]);
});

browserTest("logo and colors are set by a form, which names what is wrong, and the shop has them", async () => {
  const tab = (name: string) => page.getByRole("tab", { name, exact: true }).click();
  await staff.comeInAs("admin", "/settings");
  await tab("Appearance");
  const logo = page.getByLabel("Logo", { exact: true }).last();
  // The browser reads a file by itself; what a test has in memory would be sent to it as text.
  const big = join(mkdtempSync(join(tmpdir(), "console-")), "big.png");
  writeFileSync(big, Buffer.alloc(21 << 20, PNG));
  await logo.setInputFiles(big);
  await page.getByRole("alert").getByText("This file is too large.").waitFor();
  staff.complaints.splice(0);
  const buffer = await quarters(400, 100).png().toBuffer();
  await logo.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer });
  await page.getByRole("img", { name: "Logo" }).waitFor();
  await page.getByRole("textbox", { name: "Main color", exact: true }).fill("#f59e0b");
  await staff.axeClean();
  await tab("Stock");
  await staff.axeClean();
  await tab("Shipping costs");
  const zone = page.getByRole("button", { name: /^Alaska, / });
  await press(zone);
  await press(page.getByRole("button", { name: /^standard ground/ }).first());
  const bound = page.getByLabel("Up to").nth(1);
  await bound.fill("0.5");
  await staff.axeClean();
  // A mistake unfolds its zone.
  await press(zone);
  await bound.waitFor({ state: "hidden" });
  await staff.button("Save").click();
  await page.getByText("This must be higher than the limit before it.").first().waitFor();
  await bound.fill("5");
  staff.complaints.splice(0);
  await staff.button("Save").click();
  await eventually(async () => (await (await fetch(system.url("shop"))).text()).includes("/api/media/"));
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(system.url("shop"));
    await page.locator(".brand img").waitFor();
    await staff.axeClean();
  }
  await page.emulateMedia({ colorScheme: null });
  // A table of the shop's own is enforced: the orders of the other tests pay no shipping.
  const body = { shippingTable: null };
  const reset = await system.request("gateway", "PATCH", "/api/admin/settings", { adminToken: ADMIN_TOKEN, body });
  expect(reset.status).toBe(200);
  expect(staff.complaints).toEqual([]);
});

browserTest("a new order is shipped in three clicks, and its timeline says so", async () => {
  const { orderId, orderNumber } = await order();
  await staff.comeInAs("admin", "/orders");
  await press(page.getByRole("link", { name: orderNumber }));
  await press(staff.button("Ship"));
  await press(staff.inDialog("Ship"));
  await page.getByText("Email: shipped").waitFor();
  await page.getByText("2 × 900-001, 1 × 900-002").first().waitFor();
  expect(await orderAt(orderId)).toMatchObject({ status: "shipped", shipments: [{ items: [{}, {}] }] });
  const slip = await page.request.get(staff.at(`/api/admin/orders/${orderId}/packing-slip.pdf`));
  expect([slip.status(), slip.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  expect(await page.getByRole("link", { name: "Packing slip" }).getAttribute("href")).toContain("/shipments/shp_");
  // It has not left after all.
  await staff.press("Cancel shipment");
  await press(staff.inDialog("Confirm"));
  await page.getByText("Email: shipment cancelled").waitFor();
  expect((await orderAt(orderId)).shipments).toBeUndefined();
  await staff.press("Ship");
  await press(staff.inDialog("Ship"));
  await page.getByRole("dialog").waitFor({ state: "detached" });
  // What is shipped has left the queue, and all orders have it.
  await staff.goTo("/orders?queue=to_pack");
  await page.getByRole("combobox", { name: "Item status" }).waitFor();
  await page.getByRole("link", { name: orderNumber }).waitFor({ state: "detached" });
  await press(page.getByRole("link", { name: "All", exact: true }));
  await page.getByRole("link", { name: orderNumber }).waitFor();
  expect(staff.complaints).toEqual([]);
});

browserTest(
  "an order that waits for stock is in the queue; what is in stock is shipped, and tracked later",
  async () => {
    const waiting = { productId: "kaw-117133279", partNumber: "11713-3279", title: "Carburetor", unitPrice: 89.49 };
    const items = [ITEMS[1], { ...waiting, quantity: 2 }];
    const { orderId, orderNumber } = await buy(system, { items, shippingAddress: ADDRESS });
    const { orderNumber: onlyWaiting } = await buy(system, { items: items.slice(1), shippingAddress: ADDRESS });
    await staff.comeInAs("admin", "/orders");
    const row = (number: string) => page.getByRole("row", { name: number });
    await row(onlyWaiting).getByText("2 backordered").waitFor();
    await row(orderNumber).getByText("1 to pack").waitFor();
    await press(page.getByRole("link", { name: orderNumber }));
    await press(staff.button("Ship"));
    expect(await page.getByLabel("Quantity of 900-002").inputValue()).toBe("1");
    expect(await page.getByLabel("Quantity of 11713-3279").inputValue()).toBe("0");
    await page.getByText("of 2, on backorder").waitFor();
    // What is not there is not typed by mistake: it needs a tick.
    await page.getByLabel("Quantity of 11713-3279").fill("2");
    expect(await page.getByLabel("Quantity of 11713-3279").inputValue()).toBe("0");
    const tick = page.getByRole("checkbox", { name: "11713-3279: The 2 backordered items have arrived" });
    await tick.check();
    expect(await page.getByLabel("Quantity of 11713-3279").inputValue()).toBe("2");
    await staff.axeClean();
    await tick.uncheck();
    await press(staff.inDialog("Ship"));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    expect(await orderAt(orderId)).toMatchObject({ status: "processing", shipments: [{ items: [{ quantity: 1 }] }] });

    await staff.press("Add tracking number");
    await staff.axeClean();
    expect(await staff.inDialog("Save").isDisabled()).toBe(true);
    await page.getByRole("textbox", { name: "Carrier" }).fill("UPS");
    await page.getByRole("textbox", { name: "Tracking number" }).fill("1Z999AA10123456784");
    await page.keyboard.press("Enter");
    const tracked = page.getByRole("link", { name: "1Z999AA10123456784" });
    expect(await tracked.getAttribute("href")).toBe("https://www.ups.com/track?tracknum=1Z999AA10123456784");
    expect(await orderAt(orderId)).toMatchObject({ shipments: [{ carrier: "UPS" }] });
    expect(staff.complaints).toEqual([]);
  },
);

browserTest("an order that its buyer fetches says so, and is made ready without a carrier", async () => {
  const { orderId, orderNumber } = await buy(system, { items: ITEMS, fulfilment: "pickup" });
  await staff.comeInAs("admin", "/orders");
  await page.getByRole("row", { name: orderNumber }).getByText("pickup").waitFor();
  await press(page.getByRole("link", { name: orderNumber }));
  await page.getByText("pickup", { exact: true }).waitFor();
  await press(staff.button("Ready for pickup"));
  expect(await page.getByLabel("Carrier").count()).toBe(0);
  await press(staff.inDialog("Ready for pickup"));
  await page.getByText("Email: ready for pickup").waitFor();
  await staff.goTo("/");
  await press(page.getByRole("link", { name: /Waiting for pickup$/ }));
  await press(page.getByRole("link", { name: orderNumber }));
  await press(staff.button("Mark as picked up"));
  await press(staff.inDialog("Confirm"));
  await page.getByText("Status: ready for pickup → picked up").waitFor();
  expect(await page.getByText(/shipped|delivered|shipment/i).count()).toBe(0);
  expect(await orderAt(orderId)).toMatchObject({ status: "delivered" });
  expect(staff.complaints).toEqual([]);
});

browserTest("chosen orders are marked as packed together; one that is refused says why", async () => {
  const { orderId, orderNumber } = await order();
  const { orderNumber: picked } = await buy(system, { items: ITEMS, fulfilment: "pickup" });
  await staff.comeInAs("admin", "/orders");
  const row = (number: string) => page.getByRole("row").filter({ has: page.getByRole("link", { name: number }) });
  for (const number of [orderNumber, picked]) await row(number).getByRole("checkbox").check();
  await staff.axeClean();
  const slips = await page.getByRole("link", { name: "Packing slips" }).getAttribute("href");
  expect((await page.request.get(staff.at(slips!))).headers()["content-type"]).toBe("application/pdf");
  const csv = await page.getByRole("link", { name: "Export (CSV)" }).getAttribute("href");
  expect(await (await page.request.get(staff.at(csv!))).text()).toContain(orderNumber);
  await staff.press("Mark as packed");
  await page.getByRole("dialog").getByText("A pickup order is made ready for pickup instead").waitFor();
  await staff.axeClean();
  await press(staff.inDialog("Close"));
  await row(orderNumber).getByText("3 packed").waitFor();
  await press(page.getByRole("link", { name: orderNumber }));
  await staff.press("Not packed yet");
  await staff.button("Mark as packed").waitFor();
  expect(await orderAt(orderId)).not.toHaveProperty("packed");
  expect(staff.complaints).toEqual([]);
});

browserTest("a mail that a buyer's address refuses waits until it is sent elsewhere or dealt with", async () => {
  const refused = `${system.sandboxUrl("mailbox")}/sandbox/refused`;
  await fetch(`${refused}/shopper@example.com`, { method: "PUT" });
  const { orderId, orderNumber } = await order();
  await staff.comeInAs("admin", "/");
  await eventually(async () => (await page.getByRole("link", { name: /^[1-9]\d*\s*Bounced emails$/ }).count()) > 0);
  await press(page.getByRole("link", { name: /Bounced emails$/ }));
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: orderNumber }) });
  await press(row.getByRole("button", { name: `Send again: ${orderNumber}` }));
  await page.getByLabel("Another address").fill("ada@example.com");
  await press(staff.inDialog("Send again"));
  await row.waitFor({ state: "detached" });
  await press(page.getByRole("menuitem", { name: "Orders", exact: true }));
  await press(page.getByRole("link", { name: orderNumber }));
  // To the order's own address, it is refused again.
  await press(page.getByRole("button", { name: "Send again: Email: confirmation" }).first());
  await press(staff.inDialog("Send again"));
  await eventually(async () => (await mailsOf(orderId)).filter(({ state }) => state === "refused").length === 2);
  await staff.goTo("/refused-mails");
  await press(row.getByRole("button", { name: `Done: ${orderNumber}` }));
  await press(staff.inDialog("Confirm"));
  await row.waitFor({ state: "detached" });
  await fetch(refused, { method: "DELETE" });
  expect(staff.complaints).toEqual([]);
});

browserTest("the first page counts what waits, and leads to the orders that it counted", async () => {
  const { orderNumber } = await order();
  const { orderNumber: picked } = await buy(system, { items: ITEMS, fulfilment: "pickup" });
  await staff.comeInAs("admin", "/");
  await press(page.getByRole("link", { name: /To prepare for pickup$/ }));
  await page.getByRole("link", { name: picked }).waitFor();
  expect(await page.getByRole("link", { name: orderNumber }).count()).toBe(0);
  await press(page.getByRole("navigation", { name: "Orders to do" }).getByRole("link", { name: /^To pack \d+$/ }));
  await page.getByRole("link", { name: orderNumber }).waitFor();
  expect(await page.getByRole("link", { name: picked }).count()).toBe(0);
});

browserTest(
  "a disputed order says so in the list and above its actions, and ships only after a second question",
  async () => {
    const { orderId, orderNumber } = await order();
    const { paymentIntentId: payment_intent } = await orderAt(orderId);
    await fetch(`${system.sandboxUrl("payment")}/sandbox/disputes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ payment_intent, amount: 4_000, reason: "product_not_received" }),
    });
    await eventually(async () => (await orderAt(orderId)).disputeState === "open", 10_000);
    await staff.comeInAs("admin", "/orders");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: orderNumber }) });
    await row.getByText("disputed", { exact: true }).waitFor();
    await press(page.getByRole("link", { name: orderNumber }));
    await page.getByText("The bank holds $40.00").waitFor();
    await page.getByText(/\$40\.00 · needs your evidence · not received · evidence due/).waitFor();
    await staff.axeClean();
    await press(staff.button("Ship"));
    await page.getByText("Say why it goes out despite the dispute.").waitFor();
    expect(await staff.inDialog("Ship").isDisabled()).toBe(true);
    await page.getByLabel("Reason to ship despite the dispute").fill("The buyer withdraws it");
    await press(staff.inDialog("Ship"));
    await page.getByText("Email: shipped").waitFor();
    expect(await orderAt(orderId)).toMatchObject({ status: "shipped", notes: [{}] });
    expect(staff.complaints).toEqual([]);
  },
);

browserTest("by keyboard alone, pieces are shipped, come back and are refunded; a part is cancelled", async () => {
  const { orderId, orderNumber } = await order();
  await staff.comeInAs("admin", "/orders");
  await page.getByRole("link", { name: orderNumber }).focus();
  await page.keyboard.press("Enter");
  await staff.press("Ship");
  await page.getByLabel("Quantity of 900-001").fill("1");
  await page.getByLabel("Carrier").fill("ups");
  await page.getByLabel("Tracking number").fill("1Z999");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText(/UPS · 1Z999/).waitFor();

  await staff.press("Announce a delay");
  await page.getByLabel("Quantity of 900-001").fill("1");
  await page.getByLabel(/^Days/).fill("12");
  await page.keyboard.press("Enter");
  await page.getByText(/1 × 900-001, expected /).waitFor();

  await staff.press("Cancel");
  await staff.axeClean();
  await page.getByLabel("Quantity of 900-001").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Items cancelled", { exact: true }).waitFor();
  await eventually(async () => (await orderAt(orderId)).status === "shipped", 10_000);

  await staff.press("Return");
  await page.getByLabel("Quantity of 900-002").fill("1");
  await page.getByLabel(/^Restocking fee/).fill("10");
  await page.keyboard.press("Enter");
  await staff.press("Mark as received");
  await page.getByText("Up to $50.00").waitFor();
  await page.getByLabel(/^Restocking fee/).fill("12.50");
  await page.getByLabel("Condition of 900-002").selectOption("damaged");
  await page.getByText("Up to $47.50").waitFor();
  await staff.axeClean();
  await staff.press("Receive and refund");
  await page.getByText("Return received", { exact: true }).waitFor();
  await page.getByText("1 × 900-002, Damaged, $47.50 refunded").waitFor();
  expect(await orderAt(orderId)).toMatchObject({
    paymentStatus: "partially_refunded",
    refundedAmount: 67.5,
    trackingNumber: "1Z999",
  });
  await staff.axeClean();
  expect(staff.complaints).toEqual([]);
});

browserTest("a refusal stands in the words of the API; notes and names are text", async () => {
  const { orderId } = await order();
  await staff.comeInAs("admin", `/orders/${orderId}/show`);
  await page.getByText("Ada <b>Mechanic</b>").waitFor();
  await press(staff.button("Refund"));
  await page.getByRole("combobox", { name: "Refund" }).selectOption({ label: "An amount" });
  await page.getByLabel("Amount (USD)").fill("500");
  await page.getByText("You can refund up to $100.00.").waitFor();
  expect(await staff.inDialog("Refund").isDisabled()).toBe(true);
  await page.getByLabel("Amount (USD)").fill("100");
  // Somebody else was faster.
  const byHand = { adminToken: ADMIN_TOKEN, body: { amount: 80 } };
  await system.request("payment", "POST", `/api/admin/orders/${orderId}/refunds`, byHand);
  await press(staff.inDialog("Refund"));
  const refused = await system.request("payment", "POST", `/api/admin/orders/${orderId}/refunds`, {
    adminToken: ADMIN_TOKEN,
    body: { amount: 100 },
  });
  await page.getByRole("alert").getByText(refused.body.error.message).waitFor();
  for (const noAmount of ["", "12,5,0", "1,250", "twelve"]) {
    await page.getByLabel("Amount (USD)").fill(noAmount);
    await page.getByRole("dialog").getByText("Enter an amount with up to 2 decimals.").waitFor();
    expect([noAmount, await staff.inDialog("Refund").isDisabled()]).toEqual([noAmount, true]);
  }
  await page.getByLabel("Amount (USD)").fill("12,50");
  await staff.inDialog("Refund").dblclick();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText("Refunded", { exact: true }).first().waitFor();
  expect(await orderAt(orderId)).toMatchObject({ refundedAmount: 92.5 });

  await page.getByLabel("Note", { exact: true }).fill("<img src=x onerror=alert(1)>");
  await press(staff.button("Add note"));
  await page.getByText("Note added", { exact: true }).waitFor();
  expect(await orderAt(orderId)).toMatchObject({ notes: [{ text: "<img src=x onerror=alert(1)>" }] });
  await page.reload();
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  expect(staff.complaints).toEqual([]);
});

/** What these requests do is done, and no answer comes. Called, the returned function ends that. */
async function losesAnswers(paths: string): Promise<() => Promise<void>> {
  await page.route(paths, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  return () => page.unroute(paths);
}

/** Presses a button of the dialog twice: the first answer is lost. */
async function pressAgain(name: string, paths: string): Promise<void> {
  const answers = await losesAnswers(paths);
  await press(staff.inDialog(name));
  await page
    .getByRole("dialog")
    .getByRole("alert")
    .getByText(/check first, for example in the order/)
    .waitFor();
  await answers();
  await press(staff.inDialog(name));
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

browserTest("a press after a lost answer is the same refund, shipment or cancellation", async () => {
  const refundTen = async (): Promise<void> => {
    await press(staff.button("Refund"));
    await page.getByRole("combobox", { name: "Refund" }).selectOption({ label: "An amount" });
    await page.getByLabel("Amount (USD)").fill("10");
    await pressAgain("Refund", "**/refunds");
  };
  const { orderId } = await order();
  await staff.comeInAs("admin", `/orders/${orderId}/show`);
  await refundTen();
  expect(await orderAt(orderId)).toMatchObject({ refundedAmount: 10 });
  // Asked for again, it is another one.
  await refundTen();
  expect(await orderAt(orderId)).toMatchObject({ refundedAmount: 20 });
  await press(staff.button("Ship"));
  await page.getByLabel("Quantity of 900-001").fill("1");
  await pressAgain("Ship", "**/shipments");
  expect((await orderAt(orderId)).shipments).toHaveLength(1);

  // What was not cancelled is not, although it now is all that the order has.
  const { orderId: another } = await order();
  await staff.goTo(`/orders/${another}/show`);
  await press(staff.button("Cancel"));
  await page.getByLabel("Quantity of 900-001").fill("1");
  await pressAgain("Cancel and refund", "**/cancel");
  expect(await orderAt(another)).toMatchObject({ status: "pending", refundedAmount: 80 });
  expect(staff.complaints).toEqual([]);
});

browserTest("a dialog stays until what it asked for is answered", async () => {
  const { orderId } = await order();
  await staff.comeInAs("admin", `/orders/${orderId}/show`);
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/shipments", async (route) => {
    await isAnswered;
    await route.continue();
  });
  await press(staff.button("Ship"));
  await page.getByLabel("Carrier").fill("u".repeat(101));
  await press(staff.inDialog("Ship"));
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  expect(await staff.inDialog("Close").isDisabled()).toBe(true);
  answer();
  await page.getByRole("dialog").getByRole("alert").getByText("The carrier can have up to 100").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

browserTest("orders are found by number, address and part; the address is in no URL", async () => {
  const { orderNumber } = await order();
  await staff.comeInAs("admin", "/orders");
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  const field = page.getByRole("textbox", { name: "Number, name, email, phone, tracking, part" });
  for (const text of [orderNumber, orderNumber.slice(-8), "SHOPPER@example.com", "900 002"]) {
    await field.fill(text);
    await page.getByRole("link", { name: orderNumber }).waitFor();
  }
  await field.fill("nobody@example.com");
  await page.getByRole("link", { name: orderNumber }).waitFor({ state: "detached" });
  expect(urls.filter((url) => /example\.com/i.test(decodeURIComponent(new URL(url).search)))).toEqual([]);
});

browserTest("a day of a filter is one of the shop's, as the times in lists are, wherever the clerk is", async () => {
  const { orderId, orderNumber } = await order();
  const ship = { adminToken: ADMIN_TOKEN, body: { lines: [{ productId: "bns-900002", quantity: 1 }] } };
  await system.request("payment", "POST", `/api/admin/orders/${orderId}/shipments`, ship);
  const at = new Date((await orderAt(orderId)).createdAt as string);
  const day = (hours: number): string =>
    new Intl.DateTimeFormat("en-CA", { timeZone: SHOP_TIME_ZONE }).format(at.getTime() + hours * 3_600_000);
  const only = async (of: string): Promise<void> => {
    await page.getByLabel("From", { exact: true }).fill(of);
    await page.getByRole("textbox", { name: /^To/ }).fill(of);
  };
  expect(orderNumber).toContain(day(0).replaceAll("-", ""));
  await staff.comeInAs("admin", "/orders");
  const found = page.getByRole("link", { name: orderNumber });
  await found.waitFor();
  for (const name of ["From", "To"]) {
    await press(staff.button("Add filter"));
    await press(page.getByRole("menuitemcheckbox", { name, exact: true }));
    await page.getByRole("textbox", { name: new RegExp(`^${name}`) }).waitFor();
  }
  await only(day(24));
  await found.waitFor({ state: "detached" });
  await only(day(0));
  await found.waitFor();

  await staff.goTo("/audit");
  await page.getByLabel("Object", { exact: true }).fill(orderId);
  const shipped = page.getByRole("row", { name: /^Items shipped/ }).filter({ hasText: orderNumber });
  await shipped.waitFor();
  await only(day(24));
  await shipped.waitFor({ state: "detached" });
  await only(day(0));
  await shipped.waitFor();
});

browserTest("a page is named in the window's title, and gets the focus that went with the page before", async () => {
  const { orderNumber } = await order();
  await staff.comeInAs("admin", "/orders");
  const link = page.getByRole("link", { name: orderNumber });
  await link.waitFor();
  expect(await page.title()).toBe("Orders · Console");
  await link.press("Enter");
  await staff.button("Ship").waitFor();
  expect(await page.title()).toBe(`${orderNumber} · Console`);
  expect(await page.evaluate("document.activeElement.id")).toBe("main-content");
  await page.getByRole("menuitem", { name: "Keys" }).press("Enter");
  await page.getByRole("heading", { name: "Keys", level: 1 }).waitFor();
  expect(await page.title()).toBe("Keys · Console");
  await page.goto(staff.at("/orders/none/show"));
  await page.getByRole("alert").getByText("Order none not found").first().waitFor();
  expect(await page.title()).toBe("Order none not found · Console");
  await staff.axeClean();
  expect(staff.complaints).toEqual([]);
});

browserTest("a session that ended leads to the sign-in and back to the page", async () => {
  const { orderId, orderNumber } = await order();
  await staff.comeInAs("admin", `/orders/${orderId}/show`);
  await staff.button("Ship").waitFor();
  await page.context().clearCookies();
  // Its shelves cannot be read.
  await press(staff.button("Ship"));
  await press(page.getByRole("button", { name: "admin@partline.example" }));
  await page.getByRole("heading", { name: orderNumber, exact: true }).waitFor();
  expect(await orderAt(orderId)).toMatchObject({ status: "pending" });
});

browserTest("a price file is taken only once its vendor is known", async () => {
  let answer = (): void => undefined;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/admin/vendors", async (route) => {
    await isAnswered;
    await route.continue();
  });
  await staff.comeInAs("admin", "/price-files");
  await page.getByRole("heading", { name: "Price files", level: 1 }).waitFor();
  expect(await page.getByLabel(/^Price file/).count()).toBe(0);
  answer();
  await page.getByLabel("Vendor").selectOption("BNS");
  const file = { name: "prices.csv", mimeType: "text/csv", buffer: Buffer.from("part_number,title,list_price\n") };
  await page.getByLabel(/^Price file/).setInputFiles(file);
  await page.getByLabel("Encoding").waitFor();
  expect(await staff.button("Import").isEnabled()).toBe(true);
});

browserTest("tasks are looked at, run and dropped", async () => {
  await staff.comeInAs("admin", "/tasks");
  const task = page.getByRole("row", { name: "Scheduled job · KMT" });
  await press(task.getByRole("button", { name: "View" }));
  await page.getByRole("dialog").getByText("payload").waitFor();
  await page.keyboard.press("Escape");
  await press(task.getByRole("button", { name: /^Run now/ }));
  await page.getByText("Task started").waitFor();
  await press(task.getByRole("button", { name: /^Discard/ }));
  await page.getByText(/^Discard catalog\.timed:KMT\?/).waitFor();
  await press(staff.button("Confirm"));
  await page.getByText("Discarded").waitFor();
  const left = await system.request("eventstore", "GET", "/admin/tasks/catalog.timed:KMT", {
    adminToken: ADMIN_TOKEN,
  });
  expect(left.status).toBe(404);
  await staff.goTo("/dead-letters");
  await page.getByText("No dead letters").waitFor();
});

browserTest("who may not do something sees no button for it", async () => {
  const { orderId } = await order();
  await staff.comeInAs("read-only", `/orders/${orderId}/show`);
  await page.getByText("Order placed").waitFor();
  expect(await staff.button("Ship").count()).toBe(0);
  expect(await page.getByRole("menuitem").allTextContents()).toEqual(
    expect.arrayContaining(["Orders", "Customers", "Search", "Dead letters", "Tasks"]),
  );
  expect(await page.getByRole("menuitem", { name: "Price files" }).count()).toBe(0);
});

browserTest("offline, and under a server that starts again, an open page says so and goes on", async () => {
  const { orderId } = await order();
  await staff.comeInAs("admin", `/orders/${orderId}/show`);
  await press(staff.button("Ship"));
  await page.getByLabel("Carrier").fill("ups");
  const silent = page.getByRole("dialog").getByRole("alert").getByText("The server isn't responding.");
  await page.context().setOffline(true);
  await press(staff.inDialog("Ship"));
  await silent.waitFor();
  await staff.axeClean();
  await page.context().setOffline(false);
  await system.kill();
  await press(staff.inDialog("Ship"));
  await silent.waitFor();
  await leaveDeadLetters(["replayed", "dropped"]);
  await system.start();
  // What was typed is still there.
  await press(staff.inDialog("Ship"));
  await page.getByText("Email: shipped").waitFor();
  expect((await orderAt(orderId)).shipments).toMatchObject([{ carrier: "ups" }]);

  // What was given up before is looked at, tried again, and dropped.
  await page.goto(staff.at("/dead-letters"));
  const letter = (id: string) => page.getByRole("row", { name: `search.performed eventstore:${id}` });
  await letter("replayed").getByText("<b>the disk was full</b>").waitFor();
  await press(letter("replayed").getByRole("button", { name: /^View/ }));
  await page.getByRole("dialog").getByText('"query": "replayed"').waitFor();
  await staff.axeClean();
  await press(staff.inDialog("Close"));
  await press(letter("dropped").getByRole("button", { name: /^Discard/ }));
  await press(staff.button("Confirm"));
  await letter("dropped").waitFor({ state: "detached" });
  await press(letter("replayed").getByRole("button", { name: /^Retry/ }));
  await letter("replayed").waitFor({ state: "detached" });
  const searches = async () =>
    (
      await system.request("eventstore", "GET", "/events?event_type=SEARCH_PERFORMED&limit=1000", {
        adminToken: ADMIN_TOKEN,
      })
    ).text;
  await eventually(async () => (await searches()).includes('"replayed"'), 30_000);
  expect(await searches()).not.toContain('"dropped"');
  expect(staff.complaints).toEqual([]);
});

/** Into the store of a system that is down. */
async function leaveDeadLetters(ids: string[]): Promise<void> {
  const documents = await openDocumentStore({ mongoUrl: system.env.MONGO_URL, dataDir: system.dataDir });
  for (const id of ids)
    await documents.collection<DeliveryRow>(DELIVERIES).insertOne({
      _id: `eventstore:${id}`,
      ...{ channel: "search.performed", group: "eventstore", eventId: id, state: "dead", attempts: 23 },
      payload: {
        searches: [{ query: id, results_count: 1, filters: {}, took_ms: 3, searched_at: new Date().toISOString() }],
      },
      ...{ occurredAt: new Date(), dueAt: new Date(), diedAt: new Date(), reason: "<b>the disk was full</b>" },
    });
  await documents.close();
}
