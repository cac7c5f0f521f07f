import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { startSystem, type System } from "../support/system.ts";
import { browserTest, hasBrowser, newVisitor, openBrowser, overflow, violations } from "./chromium.ts";

let system: System;
let browser: Browser;
let page: Page;
let complaints: string[];
const shop = (path: string): string => system.url("shop") + path;

beforeAll(async () => {
  if (!hasBrowser) return;
  [system, browser] = await Promise.all([startSystem({ readsSamples: true }), openBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await system?.stop();
});
const visit = async (options?: BrowserContextOptions): Promise<void> => {
  ({ page, complaints } = await newVisitor(browser, options));
};
beforeEach(async () => {
  if (hasBrowser) await visit();
});
afterEach(async () => {
  await page?.context().close();
});

const PART = "/parts/carburetor-assembly-fs730v-kaw-159648141";

async function addPart(count = 1): Promise<void> {
  await page.goto(shop(PART));
  await page.getByLabel("Quantity").fill(String(count));
  await page.getByRole("button", { name: "Add to the cart" }).click();
  await page.getByText(/^In the cart: /).waitFor();
}

async function toPayment(): Promise<void> {
  await page.goto(shop("/cart"));
  await page.getByLabel("State or province").fill("NY");
  await page.getByLabel("Postal code").fill("10001");
  await page.getByRole("button", { name: "Show shipping costs" }).click();
  await page.getByRole("radiogroup").getByRole("radio").first().waitFor();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.waitForURL(/\/c\/pay\//);
}

async function pay(email: string): Promise<string> {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: /^Pay \$/ }).click();
  await page.waitForURL(/\/checkout\/success/);
  await page.getByRole("heading", { name: "Thank you for your order" }).waitFor();
  return (await page.getByText(/^ORD-/).textContent())!;
}

/** The link of the mail about an order. */
function linkTo(orderNumber: string): Promise<string> {
  return eventually(async () => {
    const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
    const { mails } = (await answer.json()) as { mails: { text: string }[] };
    const mail = mails.find(({ text }) => text.includes(orderNumber));
    return /http\S+\/orders\/[\w.-]+/.exec(mail?.text ?? "")?.[0] ?? "";
  }, 30_000);
}

const axeClean = async (): Promise<void> => expect([page.url(), await violations(page)]).toEqual([page.url(), []]);

browserTest("a guest finds a part by keyboard, pays, and cancels by the mail's link", async () => {
  await page.goto(shop("/"));
  await axeClean();
  await page.getByRole("combobox", { name: /^Part number/ }).focus();
  await page.keyboard.type("15964 81", { delay: 30 });
  await page.getByRole("option").first().waitFor();
  await axeClean();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(shop(PART));
  await page.getByText(/The supplier said so just now/).waitFor();
  await axeClean();
  await page.getByLabel("Quantity").focus();
  await page.keyboard.press("Enter");
  await page.getByText("In the cart: 1.").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(shop("/cart"));
  await axeClean();
  await toPayment();
  const number = await pay("guest@buyer.example");
  await axeClean();
  expect(await page.getByRole("link", { name: /^Cart/ }).textContent()).toBe("Cart");

  const link = await linkTo(number);
  expect(new URL(link).origin).toBe(system.url("shop"));
  await page.goto(link);
  await page.getByRole("heading", { name: number }).waitFor();
  await axeClean();
  const invoice = await page.request.get(
    new URL((await page.getByRole("link", { name: /Invoice/ }).getAttribute("href"))!, link).href,
  );
  expect([invoice.status(), invoice.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  await page.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Cancel the order" }).click();
  await page.getByText(/Your order is cancelled/).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("a user signs in by redirect, orders, finds the order in the list, and signs out", async () => {
  await addPart();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "customer@partline.example" }).click();
  await page.waitForURL(shop(PART));
  const cookies = await page.context().cookies(shop("/"));
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort()).toEqual([
    ["partline_shop_guest", true, "Lax"],
    ["partline_shop_token", true, "Lax"],
  ]);
  expect(await page.evaluate("JSON.stringify([{ ...localStorage }, document.cookie])")).toBe('[{},""]');
  await toPayment();
  const number = await pay("customer@partline.example");
  await page.goto(shop("/orders"));
  await axeClean();
  await page.getByRole("link", { name: number }).click();
  await page.getByRole("heading", { name: number }).waitFor();
  await axeClean();
  const invoice = await page.getByRole("link", { name: /Invoice/ }).getAttribute("href");
  expect((await page.request.get(shop(invoice!))).status()).toBe(200);
  const address = page.url();
  // A guest has asked at the desk of this tab.
  await page.evaluate("sessionStorage.setItem('desk ', '[]')");
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL(shop("/"));
  expect(await page.evaluate("sessionStorage.getItem('desk ')")).toBeNull();
  expect((await page.request.get(shop(invoice!))).status()).toBe(401);
  await page.goto(address);
  expect(page.url()).toContain("/oauth/authorize");
  expect(complaints).toEqual([]);
});

browserTest("results narrow by facets, sort, and say what else was meant", async () => {
  await page.goto(shop("/search?q=carburetor"));
  await axeClean();
  const hits = page.getByRole("list").filter({ has: page.getByRole("heading", { level: 2 }) });
  const first = (): Promise<string | null> => hits.getByRole("listitem").first().textContent();
  await page.getByRole("complementary").getByRole("link", { name: "Kawasaki" }).click();
  await page.getByRole("link", { name: "Remove the filter Kawasaki" }).waitFor();
  expect(await first()).toContain("Kawasaki");
  await page.getByLabel("Sort by").selectOption("price_asc");
  await page.waitForURL(/sort=price_asc/);
  const prices = await hits.locator("strong").allTextContents();
  const numbers = prices.map((price) => Number(price.replace(/[^0-9.]/g, "")));
  expect(numbers.length).toBeGreaterThan(3);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  await page.goBack();
  await page.goBack();
  expect(page.url()).toBe(shop("/search?q=carburetor"));
  await page.goto(shop("/search?q=zzzqqqxx"));
  await page.getByText(/Nothing was found/).waitFor();
  await axeClean();
  expect(complaints).toEqual([]);
});

browserTest("results and a part are there without scripts, for search engines too", async () => {
  await page.context().close();
  await visit({ javaScriptEnabled: false, locale: "de-DE" });
  await page.goto(shop("/search?q=15964-8141"));
  await page.getByRole("link", { name: "Carburetor, Assembly, FS730V" }).click();
  const html = await page.content();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  const product = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)![1]!) as object;
  expect(product).toMatchObject({
    "@type": "Product",
    name: "Carburetor, Assembly, FS730V",
    mpn: "15964-8141",
    offers: { "@type": "Offer", price: 55, priceCurrency: "USD", url: shop(PART) },
  });
  expect(await page.locator('link[rel="canonical"]').getAttribute("href")).toBe(shop(PART));
});

browserTest("changes of two tabs both count, and a double click adds once", async () => {
  await addPart();
  const other = await page.context().newPage();
  await other.goto(shop("/search?q=spark+plug&inStock=true"));
  await other
    .getByRole("button", { name: /^Add to the cart/ })
    .first()
    .dblclick();
  await other.getByText("In the cart: 1.").waitFor();
  await page.goto(shop("/cart"));
  expect(await page.getByRole("spinbutton").count()).toBe(2);
  await other.goto(shop("/cart"));
  await other.getByRole("spinbutton").first().fill("3");
  await other.keyboard.press("Enter");
  await other.getByRole("link", { name: "Cart 4 pieces" }).waitFor();
  await page.getByRole("button", { name: /^Remove (?!Carburetor)/ }).click();
  await page.getByRole("link", { name: "Cart 3 pieces" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("a price that changed and a part that went are named and mended in place", async () => {
  await page.goto(shop("/"));
  const item = {
    productId: "kaw-159648141",
    partNumber: "15964-8141",
    title: "Carburetor",
    quantity: 2,
    unitPrice: 50,
  };
  const gone = { ...item, productId: "kaw-000none", partNumber: "000-none", title: "Gone", quantity: 1 };
  for (const each of [item, gone])
    expect((await page.request.post(shop("/api/cart/items"), { data: { item: each } })).status()).toBe(200);
  await page.goto(shop("/cart"));
  await page.getByLabel("I pick it up at the shop").check();
  await page.getByRole("button", { name: /^Pay / }).click();
  await page.getByText("15964-8141: the price was $50.00 and is now $55.00.").waitFor();
  await axeClean();
  await page.getByRole("alert").getByRole("button", { name: "Remove Gone" }).click();
  await page.getByLabel("I pick it up at the shop").check();
  await page.getByRole("button", { name: "Pay $100.00" }).click();
  await page.getByRole("button", { name: "Take the new prices" }).click();
  await page.getByLabel("I pick it up at the shop").check();
  await page.getByRole("button", { name: "Pay $110.00" }).click();
  await page.waitForURL(/\/c\/pay\//);
});

browserTest("offline in the middle is said, and goes on; an ended session is a guest's", async () => {
  await page.goto(shop(PART));
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Add to the cart" }).click();
  await page.getByText(/The shop does not answer/).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Add to the cart" }).click();
  await page.getByText("In the cart: 1.").waitFor();

  const expired = await system.token("customer", { exp: Math.floor(Date.now() / 1_000) - 60 });
  await page.context().addCookies([{ name: "partline_shop_token", value: expired, url: shop("/") }]);
  await page.goto(shop("/orders"));
  await page.getByText(/Sign in to see your orders/).waitFor();
  await axeClean();
  const foreign = await system.token("customer", { aud: "another" });
  await page.context().addCookies([{ name: "partline_shop_token", value: foreign, url: shop("/") }]);
  await page.goto(shop("/cart"));
  await page.getByText("15964-8141").waitFor();
  expect((await page.context().cookies()).map(({ name }) => name)).toEqual(["partline_shop_guest"]);
});

browserTest("a machine leads to its drawing, whose callouts choose parts, and a part goes into the cart", async () => {
  await eventually(async () => {
    const answer = await fetch(shop("/api/fitment/makes?q=Kohler"));
    return ((await answer.json()) as { makes: object[] }).makes.length > 0;
  }, 60_000);
  await page.goto(shop("/"));
  await page.getByRole("link", { name: "Find it by the machine" }).click();
  await page.getByLabel("Model").fill("ch740");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Kohler CH-740S" }).click();
  await axeClean();
  await page.getByRole("link", { name: "Figure 2-2: Exhaust" }).click();
  await page.getByRole("button", { name: /^1: Muffler/ }).focus();
  await axeClean();
  await page.keyboard.press("Enter");
  const row = page.getByRole("listitem").filter({ hasText: "24 667 39-S" });
  expect(await row.getAttribute("aria-current")).toBe("true");
  expect(await row.evaluate("document.activeElement?.dataset.reference")).toBe("1");
  await page.getByRole("button", { name: "Show 3 in the drawing" }).click();
  expect(await page.getByRole("button", { name: /^3: / }).getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.getByRole("button", { name: "Whole drawing" }).click();
  await row.getByRole("button", { name: /^Add to the cart/ }).click();
  await page.getByText("In the cart: 1.").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("every page fits a phone, is clean in the dark, and its script is small", async () => {
  await page.context().close();
  await visit({ viewport: { width: 360, height: 740 }, colorScheme: "dark", locale: "es-ES" });
  let bytes = 0;
  page.on("response", (response) => {
    if (response.url().endsWith(".js"))
      void response
        .request()
        .sizes()
        .then(({ responseBodySize }) => (bytes += responseBodySize));
  });
  await page.goto(shop("/search?q=carburetor"));
  await page.waitForLoadState("networkidle");
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(130_000);
  await page
    .getByRole("button", { name: /^Añadir/ })
    .first()
    .click();
  await page.getByText("En el carrito: 1.").waitFor();
  for (const path of [
    "/",
    "/search?q=carburetor",
    PART,
    "/cart",
    "/orders",
    "/machines",
    "/machines/kohler-ch-740s",
    "/checkout/cancel",
    "/none",
    "/sign-in-failed",
  ]) {
    await page.goto(shop(path));
    expect([path, await overflow(page)]).toEqual([path, 0]);
    await axeClean();
  }
});
