import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import { readFileSync } from "node:fs";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type System } from "../support/system.ts";
import { browserTest, hasBrowser, openBrowser } from "./chromium.ts";
import { newStaff, type Staff } from "./staff.support.ts";

let system: System;
let browser: Browser;
let page: Page;
let staff: Staff;

const PARTS = "part_number,title,list_price\n900-001,Console test filter,20\n900-002,Console test belt,60\n";
const ITEMS = [
  { productId: "bns-900001", partNumber: "900-001", title: "Console test filter", unitPrice: 20, quantity: 2 },
  { productId: "bns-900002", partNumber: "900-002", title: "Console test belt", unitPrice: 60, quantity: 1 },
];
const ADDRESS = {
  name: "Ada <b>Mechanic</b>",
  street: "1 Main St",
  city: "Austin",
  state: "TX",
  postalCode: "78701",
  country: "US",
};

beforeAll(async () => {
  if (!hasBrowser) return;
  [system, browser] = await Promise.all([startSystem(), openBrowser()]);
  const headers = { "Content-Type": "text/csv" };
  const imported = { rawBody: PARTS, adminToken: ADMIN_TOKEN, headers };
  expect((await system.request("catalog", "POST", "/catalog/import/bns", imported)).status).toBe(200);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});
beforeEach(async () => {
  if (hasBrowser) await visit();
});
afterEach(async () => {
  await page?.context().close();
});

async function visit(options: BrowserContextOptions = {}): Promise<void> {
  staff = await newStaff(system, browser, options);
  ({ page } = staff);
}

/** An order of 100.00, paid at the hosted page: two filters at 20.00 and a belt at 60.00. */
async function buy(): Promise<{ orderId: string; orderNumber: string }> {
  const opened = await system.request("payment", "POST", "/api/checkout/session", {
    body: { items: ITEMS, shippingAddress: ADDRESS },
  });
  expect(opened.status).toBe(200);
  const { sessionId, url } = opened.body.data as { sessionId: string; url: string };
  await submit(formsOf(await (await fetch(url)).text(), url)[0]!);
  return eventually(async () => {
    const answer = await system.request("payment", "GET", `/api/orders/by-session/${sessionId}`);
    return answer.status === 200 && (answer.body.data as { orderId: string; orderNumber: string });
  }, 30_000);
}

const orderAt = async (orderId: string) =>
  (await system.request("payment", "GET", `/api/admin/orders/${orderId}`, { adminToken: ADMIN_TOKEN })).body.data;

browserTest("staff alone come in; what the pages call asks for a credential too", async () => {
  expect((await page.goto(staff.at("/")))!.status()).toBe(401);
  await staff.axeClean();
  for (const [method, path] of [
    ["POST", "/api/admin/orders/search"],
    ["GET", "/admin/tasks"],
    ["GET", "/api/analytics/orders"],
  ] as const)
    expect([path, (await system.request("console", method, path)).status]).not.toEqual([path, 200]);
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "customer@partline.example" }).click();
  await page.getByText("customer@partline.example is not staff of this shop.").waitFor();
  expect((await page.reload())!.status()).toBe(403);
  const search = await page.request.post(staff.at("/api/admin/orders/search"), { data: {} });
  expect(search.status()).toBe(403);
  await staff.axeClean();
  await staff.button("Sign out").click();
  await page.getByRole("link", { name: "Sign in" }).waitFor();
  expect(staff.complaints).toEqual([]);
  await page.goto(staff.at("/sign-in-failed?why=token"));
  await page
    .getByRole("alert")
    .getByText(/Signing in again does not help/)
    .waitFor();
  expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
});

browserTest("a new order is shipped in three clicks, and its timeline says so", async () => {
  const { orderId, orderNumber } = await buy();
  await staff.signIn("/orders");
  await page.getByRole("link", { name: orderNumber }).click();
  await staff.button("Ship").click();
  await staff.axeClean();
  await staff.inDialog("Ship").click();
  await page.getByText("Mail: shipped").waitFor();
  await page.getByText("2 × 900-001, 1 × 900-002").first().waitFor();
  expect(await orderAt(orderId)).toMatchObject({ status: "shipped", shipments: [{ items: [{}, {}] }] });
  await staff.axeClean();
  const slip = await page.request.get(staff.at(`/api/admin/orders/${orderId}/packing-slip.pdf`));
  expect([slip.status(), slip.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  // What is shipped has left the queue.
  await page.goto(staff.at("/orders"));
  await page.getByRole("combobox", { name: "Piece status" }).waitFor();
  await page.getByRole("link", { name: orderNumber }).waitFor({ state: "detached" });
  expect(staff.complaints).toEqual([]);
});

browserTest("by keyboard alone, pieces are shipped, come back and are refunded; a part is cancelled", async () => {
  const { orderId, orderNumber } = await buy();
  await staff.signIn("/orders");
  await page.getByRole("link", { name: orderNumber }).focus();
  await page.keyboard.press("Enter");
  await staff.press("Ship");
  await page.getByLabel("Pieces of 900-001").fill("1");
  await page.getByLabel("Carrier").fill("ups");
  await page.getByLabel("Tracking number").fill("1Z999");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByText(/ups · 1Z999/).waitFor();

  await staff.press("Cancel");
  await staff.axeClean();
  await page.getByLabel("Pieces of 900-001").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Pieces cancelled", { exact: true }).waitFor();
  await eventually(async () => (await orderAt(orderId)).status === "shipped", 10_000);

  await staff.press("Return");
  await page.getByLabel("Pieces of 900-002").fill("1");
  await page.getByLabel(/^Restocking fee/).fill("10");
  await page.keyboard.press("Enter");
  await staff.press("Mark as received");
  await page.getByText("Return received").waitFor();
  expect(await orderAt(orderId)).toMatchObject({
    paymentStatus: "partially_refunded",
    refundedAmount: 70,
    trackingNumber: "1Z999",
  });
  await staff.axeClean();
  expect(staff.complaints).toEqual([]);
});

browserTest("a refusal stands in the words of the API; notes and names are text", async () => {
  const { orderId } = await buy();
  await staff.signIn(`/orders/${orderId}/show`);
  await page.getByText("Ada <b>Mechanic</b>").waitFor();
  await staff.button("Refund").click();
  await page.getByRole("combobox", { name: "Refund" }).selectOption({ label: "An amount" });
  await page.getByLabel("Amount (USD)").fill("500");
  await staff.inDialog("Refund").click();
  const refused = await system.request("payment", "POST", `/api/admin/orders/${orderId}/refunds`, {
    adminToken: ADMIN_TOKEN,
    body: { amount: 500 },
  });
  await page.getByRole("alert").getByText(refused.body.error.message).waitFor();
  for (const noAmount of ["", "12,5,0", "1,250", "twelve"]) {
    await page.getByLabel("Amount (USD)").fill(noAmount);
    await page.getByRole("dialog").getByText("Write a number.").waitFor();
    expect([noAmount, await staff.inDialog("Refund").isDisabled()]).toEqual([noAmount, true]);
  }
  await page.getByLabel("Amount (USD)").fill("12,50");
  await staff.inDialog("Refund").dblclick();
  await page.getByText("Refunded", { exact: true }).first().waitFor();
  expect(await orderAt(orderId)).toMatchObject({ refundedAmount: 12.5 });
  await page.getByRole("dialog").waitFor({ state: "detached" });

  await page.getByLabel("Note", { exact: true }).fill("<img src=x onerror=alert(1)>");
  await staff.button("Add note").click();
  await page.getByText("Note added", { exact: true }).waitFor();
  expect(await orderAt(orderId)).toMatchObject({ notes: [{ text: "<img src=x onerror=alert(1)>" }] });
  await page.reload();
  await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
  await staff.axeClean();
  expect(staff.complaints).toEqual([]);
});

browserTest("orders are found by number, address and part; the address is in no URL", async () => {
  const { orderNumber } = await buy();
  await staff.signIn("/orders");
  const urls: string[] = [];
  page.on("request", (request) => urls.push(request.url()));
  const field = page.getByRole("textbox", { name: "Number, e-mail, part" });
  for (const text of [orderNumber, "SHOPPER@example.com", "900 002"]) {
    await field.fill(text);
    await page.getByRole("link", { name: orderNumber }).waitFor();
  }
  await field.fill("nobody@example.com");
  await page.getByRole("link", { name: orderNumber }).waitFor({ state: "detached" });
  expect(urls.filter((url) => /example\.com/i.test(decodeURIComponent(new URL(url).search)))).toEqual([]);
});

browserTest("a session that ended leads to the sign-in and back to the page", async () => {
  const { orderId, orderNumber } = await buy();
  await staff.signIn(`/orders/${orderId}/show`);
  await staff.button("Ship").waitFor();
  await page.context().clearCookies();
  await staff.button("Ship").click();
  await staff.inDialog("Ship").click();
  await page.getByRole("button", { name: "admin@partline.example" }).click();
  await page.getByRole("heading", { name: orderNumber, exact: true }).waitFor();
  expect(await orderAt(orderId)).toMatchObject({ status: "pending" });
});

browserTest("a price file is checked, then imported; its refused rows come as a file", async () => {
  await staff.signIn("/price-files");
  await page.getByLabel("Vendor").selectOption("BNS");
  const bad = Array.from({ length: 3_000 }, (_, row) => `bad-${row},,1\n`).join("");
  const file = `part_number,title,list_price\n910-001,Console gasket,5\n${bad}`;
  await page.getByLabel(/^Price file/).setInputFiles({
    ...{ name: "prices.csv", mimeType: "text/csv" },
    buffer: Buffer.from(file),
  });
  const found = async () =>
    (await system.request("gateway", "GET", "/api/search?q=910-001")).body.parts.length as number;
  await staff.button("Check without writing").click();
  await page.getByText("Checked: nothing is written yet").waitFor();
  await page.getByText("3,000", { exact: true }).waitFor();
  expect(await found()).toBe(0);
  await staff.axeClean();
  const download = page.waitForEvent("download");
  await staff.button("Refused rows as a file").click();
  const rows = readFileSync(await (await download).path(), "utf8").split("\r\n");
  expect([rows.length, rows[1]]).toEqual([3_002, `3,The column 'title' is empty,"bad-0,,1"`]);
  await staff.button("Import").click();
  await page.getByText("Imported", { exact: true }).waitFor();
  expect(await found()).toBe(1);
  expect(staff.complaints).toEqual([]);
});

browserTest("tasks are looked at, run and dropped", async () => {
  await staff.signIn("/tasks");
  const task = page.getByRole("article", { name: "catalog.timed:KMT" });
  await task.getByRole("button", { name: "Look" }).click();
  await page.getByRole("dialog").getByText("payload").waitFor();
  await staff.axeClean();
  await page.keyboard.press("Escape");
  await task.getByRole("button", { name: /^Run now/ }).click();
  await page.getByText("It runs").waitFor();
  await task.getByRole("button", { name: /^Drop/ }).click();
  await page.getByText(/^Drop catalog\.timed:KMT\?/).waitFor();
  await staff.button("Confirm").click();
  await page.getByText("Dropped").waitFor();
  const left = await system.request("eventstore", "GET", "/admin/tasks/catalog.timed:KMT", { adminToken: ADMIN_TOKEN });
  expect(left.status).toBe(404);
  await page.goto(staff.at("/dead-letters"));
  await page.getByText("Nothing was given up").waitFor();
  await staff.axeClean();
});

browserTest("who may not do something sees no button for it, and is refused without", async () => {
  const { orderId } = await buy();
  await staff.comeInAs("read-only", `/orders/${orderId}/show`);
  await page.getByText("Order made").waitFor();
  expect(await staff.button("Ship").count()).toBe(0);
  expect(await page.getByRole("menuitem").allTextContents()).toEqual(
    expect.arrayContaining(["Orders", "Customers", "Search", "Dead letters", "Tasks"]),
  );
  expect(await page.getByRole("menuitem", { name: "Price files" }).count()).toBe(0);
  const shipped = await page.request.post(staff.at(`/api/admin/orders/${orderId}/shipments`), { data: {} });
  expect(shipped.status()).toBe(403);
  await staff.axeClean();
});

browserTest("every page fits a phone, in light and dark", async () => {
  const { orderId, orderNumber } = await buy();
  await page.context().close();
  await visit({ viewport: { width: 360, height: 740 } });
  await staff.signIn("/orders");
  await page.getByText(orderNumber).waitFor();
  await staff.axeCleanInBoth();
  await page.goto(staff.at(`/orders/${orderId}/show`));
  await page.getByText("Order made").waitFor();
  await staff.axeCleanInBoth();
  for (const path of ["/price-files", "/dead-letters", "/tasks"]) {
    await page.goto(staff.at(path));
    await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
    await page.waitForLoadState("networkidle");
    await staff.axeCleanInBoth();
  }
  expect(staff.complaints).toEqual([]);
});
