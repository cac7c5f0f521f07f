import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { joinSystem } from "../support/shared-system.ts";
import { ADMIN_TOKEN, type SystemClient } from "../support/system.ts";
import { browserTest, hasBrowser, newVisitor, openBrowser, press, violations } from "./chromium.ts";
import { linkTo, PART, pay, toPayment } from "./shopper.support.ts";

let system: SystemClient;
let end: () => Promise<void>;
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  if (hasBrowser) [{ system, end }, browser] = await Promise.all([joinSystem({ readsSamples: true }), openBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await end?.();
});
beforeEach(async () => {
  if (hasBrowser) ({ page, complaints } = await newVisitor(browser));
});

const shop = (path: string): string => system.url("shop") + path;
const button = (name: string | RegExp) => page.getByRole("button", { name });

/** Buys the part at the hosted page, and has it shipped. Returns the order's number. */
async function buyShipped(email: string): Promise<string> {
  await page.getByText(/The supplier confirmed this a moment ago/).waitFor();
  await press(button(/^Add to cart/));
  await page.getByText("In your cart: 1.").waitFor();
  await toPayment(page, shop("/cart"));
  const number = await pay(page, email);
  const admin = { adminToken: ADMIN_TOKEN };
  const answer = await system.request("gateway", "POST", "/api/admin/orders/search", { ...admin, body: { q: number } });
  const [{ orderId }] = (answer.body.data as { orders: [{ orderId: string }] }).orders;
  const shipments = `/api/admin/orders/${orderId}/shipments`;
  expect((await system.request("gateway", "POST", shipments, { ...admin, body: {} })).status).toBe(201);
  return number;
}

/** Asks to return one piece on the order's page. */
async function askForReturn(): Promise<void> {
  await page.getByText("Return items").click();
  expect(await violations(page)).toEqual([]);
  await press(button("Request a return"));
  // Nothing is sent without a reason and a number.
  expect(await page.getByText("We have your request").count()).toBe(0);
  await page.getByLabel("Reason").selectOption("defective");
  await press(button("Request a return"));
  await page.getByText("Enter how many you'd like to return.").waitFor();
  await page.getByLabel(/how many of 1/).fill("1");
  await page.getByLabel(/What should we know/).fill("It leaks");
  await press(button("Request a return"));
  await page.getByText("We have your request and will email you our answer.").waitFor();
  expect(await page.getByText("Return items").count()).toBe(0);
}

browserTest("a guest asks for a return by the link of a mail, and adds a photo", async () => {
  await page.goto(shop(PART));
  await page.goto(await linkTo(system, await buyShipped("guest@buyer.example")));
  await askForReturn();
  const photo = page.getByLabel("Add a photo (up to 3)");
  await photo.setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("no picture") });
  await page.getByText("That file isn't a photo we can open.").waitFor();
  await photo.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: await page.screenshot() });
  await page.getByText(/photos: 1/).waitFor();
  expect(await violations(page)).toEqual([]);
  expect(complaints.filter((text) => !text.includes("415"))).toEqual([]);
});

async function saveAddress(tab: Page, name: string, street: string, postalCode: string): Promise<void> {
  await tab.getByText("Add an address").click();
  await tab.getByLabel("Name").fill(name);
  await tab.getByLabel("Street address").fill(street);
  await tab.getByLabel("City").fill("Honolulu");
  await tab.getByLabel("State or province").selectOption("HI");
  await tab.getByLabel("ZIP or postal code").fill(postalCode);
  await press(tab.getByRole("button", { name: "Save address" }));
}

browserTest(
  "a user's account has addresses that the cart begins with, orders to repeat, returns and data",
  async () => {
    await page.goto(shop("/account"));
    await press(button("customer@partline.example"));
    await page.waitForURL(shop("/account"));
    await saveAddress(page, "Ada Home", "9 Elm St", "96801");
    await page.getByText("Ada Home, 9 Elm St, Honolulu HI 96801, US · default").waitFor();
    await page.goto(shop(PART));
    const number = await buyShipped("customer@partline.example");
    await page.goto(shop("/account"));
    await press(page.getByRole("link", { name: number }));
    await page.getByRole("heading", { name: number }).waitFor();
    await askForReturn();
    await press(button("Order again"));
    await page.getByText("Added to your cart: 1.").waitFor();
    await page.goto(shop("/cart"));
    await page
      .getByRole("option", { name: "Ada Home, 9 Elm St, Honolulu HI 96801, US" })
      .waitFor({ state: "attached" });

    await page.goto(shop("/account"));
    await page.getByText("We have your request and will email you our answer.").waitFor();
    expect(await violations(page)).toEqual([]);
    const data = await page.getByRole("link", { name: "Download your data" }).getAttribute("href");
    const exported = await page.request.get(shop(data!));
    expect([exported.status(), await exported.text()]).toEqual([200, expect.stringContaining("It leaks")]);
    const otherTab = await page.context().newPage();
    await otherTab.goto(shop("/account"));
    await saveAddress(otherTab, "Ada Office", "1 Bay St", "96802");
    await otherTab.getByRole("button", { name: /^Make default ?: Ada Office/ }).waitFor();
    await otherTab.close();
    await press(button(/^Remove ?: Ada Home/));
    await page.getByText("Ada Home, 9 Elm St, Honolulu HI 96801, US · default").waitFor({ state: "detached" });
    await page.getByText("Ada Office, 1 Bay St, Honolulu HI 96802, US · default").waitFor();
    expect(complaints).toEqual([]);
  },
);
