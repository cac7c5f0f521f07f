import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { joinSystem } from "../support/shared-system.ts";
import { ADMIN_TOKEN, type SystemClient } from "../support/system.ts";
import { browserTest, finishHydration, hasBrowser, newVisitor, openBrowser, press, violations } from "./chromium.ts";
import { askCosts, fillAddress, linkTo, machineIsKnown, PART, pay, toPayment } from "./shopper.support.ts";

let system: SystemClient;
let end: () => Promise<void>;
let browser: Browser;
let page: Page;
let complaints: string[];
const shop = (path: string): string => system.url("shop") + path;

beforeAll(async () => {
  if (!hasBrowser) return;
  [{ system, end }, browser] = await Promise.all([joinSystem({ readsSamples: true }), openBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await end?.();
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

async function addPart(count = 1): Promise<void> {
  await page.goto(shop(PART));
  await page.getByLabel("Quantity").fill(String(count));
  await press(page.getByRole("button", { name: "Add to cart" }));
  await page.getByText(/^In your cart: /).waitFor();
}

/** A line for the cart without its price. */
const CARBURETORS = { productId: "kaw-159648141", partNumber: "15964-8141", title: "Carburetor", quantity: 2 };

const setWebhooks = (state: { paused: boolean }) =>
  fetch(`${system.sandboxUrl("payment")}/sandbox/webhooks`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(state),
  });
const samplesAreRead = () => machineIsKnown(system, "Kohler");
const manualIsRead = () =>
  eventually(async () => {
    await page.goto(shop("/search?q=kohler+ch740s"));
    return page.url() === shop("/machines/kohler-ch-740s");
  }, 60_000);
const axeClean = async (): Promise<void> => expect([page.url(), await violations(page)]).toEqual([page.url(), []]);

browserTest("a guest finds a part by keyboard, pays, and cancels by the mail's link", async () => {
  await page.goto(shop("/"));
  await finishHydration(page);
  await page.getByRole("combobox", { name: /^Part number/ }).focus();
  await page.keyboard.type("15964 81", { delay: 30 });
  await page.getByRole("option").first().waitFor();
  await axeClean();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(shop(PART));
  await page.getByText(/The supplier confirmed this a moment ago/).waitFor();
  await page.getByLabel("Quantity").focus();
  await page.keyboard.press("Enter");
  await page.getByText("In your cart: 1.").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.waitForURL(shop("/cart"));
  await finishHydration(page);
  await askCosts(page);
  await page.getByRole("radiogroup").getByRole("radio").first().waitFor();
  // Costs are of the place that they were asked for.
  await page.getByLabel("ZIP or postal code").fill("99501");
  expect(await page.getByRole("radiogroup").count()).toBe(0);
  await press(page.getByRole("link", { name: "Continue to delivery" }));
  await page.getByRole("group", { name: "Delivery" }).and(page.locator(":focus")).waitFor();
  await press(page.getByRole("button", { name: "See shipping options" }));
  await page.getByText("That postal code isn't in the state or country you chose.").waitFor();
  expect(await page.getByLabel("ZIP or postal code").getAttribute("aria-invalid")).toBe("true");
  await axeClean();
  await page.getByLabel("ZIP or postal code").fill("10001");
  await press(page.getByRole("button", { name: "See shipping options" }));
  await page.getByRole("radio", { name: /^Express \(air\)/ }).check();
  // What was entered survives a change of the lines, and a reload.
  await page.getByLabel(/^Quantity of/).fill("2");
  await page.keyboard.press("Enter");
  await page.getByText("$110.00").first().waitFor();
  await page.reload();
  await page.locator("input[name=method]:checked").waitFor();
  expect(await page.getByRole("radio", { name: /^Express \(air\)/ }).isChecked()).toBe(true);
  expect(await page.getByLabel("Street address").inputValue()).toBe("1 Main St");
  expect(page.url().split("#")[0]).toBe(shop("/cart"));
  await toPayment(page, shop("/cart"));
  const number = await pay(page, "guest@buyer.example");
  await page.getByRole("link", { name: "Cart", exact: true }).waitFor();

  const link = await linkTo(system, number);
  expect(new URL(link).origin).toBe(system.url("shop"));
  await page.goto(link);
  await page.getByRole("heading", { name: number }).waitFor();
  await finishHydration(page);
  const invoice = await page.request.get(
    new URL((await page.getByRole("link", { name: /Invoice/ }).getAttribute("href"))!, link).href,
  );
  expect([invoice.status(), invoice.headers()["content-type"]]).toEqual([200, "application/pdf"]);
  await page.getByRole("checkbox").check();
  await press(page.getByRole("button", { name: "Cancel order" }));
  await page.getByText(/Your order is cancelled/).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("the hosted page asks for no address: the order goes where its shipping was priced for", async () => {
  await addPart();
  await page.goto(shop("/cart"));
  await fillAddress(page, { state: "HI", postalCode: "96801" });
  await page.getByLabel("Apartment").fill(" Apt 4 ");
  await press(page.getByRole("button", { name: "See shipping options" }));
  await page.getByRole("radio", { name: /Standard \(ground\) · \$[\d.]+ · Arrives \w{3}, / }).waitFor();
  await press(page.getByRole("button", { name: /^Pay / }));
  await page.waitForURL(/\/c\/pay\//);
  expect(await page.getByLabel("State").count()).toBe(0);
  const number = await pay(page, "far@buyer.example");
  const address = page.getByText("1 Main St, Apt 4");
  await address.waitFor();
  await press(page.getByRole("main").getByRole("link", { name: "Find your order" }));
  await page.getByLabel("Order number").fill(number);
  await page.getByLabel("Email address").fill("far@buyer.example");
  await page.getByLabel("ZIP or postal code").fill("96801");
  await press(page.getByRole("button", { name: "Find your order" }));
  await page.getByText(/^This page only shows the order/).waitFor();
  await page.goto(await linkTo(system, number));
  await address.waitFor();
  await page.getByText("Standard (ground)").waitFor();
});

browserTest("a country without states shows none, in the page's language", async () => {
  await addPart();
  await page.context().addCookies([{ name: "language", value: "de", url: shop("/") }]);
  await page.goto(shop("/cart"));
  await page.getByLabel("Bundesland oder Provinz").waitFor();
  const countries = page.getByRole("combobox", { name: "Land", exact: true });
  await press(page.getByRole("button", { name: "Versandarten anzeigen" }));
  const missing = "Name, Straße und Hausnummer, Ort, Bundesland oder Provinz und Postleitzahl";
  await page.getByText(`Bitte füllen Sie aus: ${missing}.`).waitFor();
  expect(await countries.getByRole("option").allTextContents()).toEqual(["Kanada", "Vereinigte Staaten"]);
  await countries.selectOption("CA");
  await page.getByLabel("Bundesland oder Provinz").selectOption("ON");
});

browserTest("a refund that failed is said to be still coming", async () => {
  await addPart();
  await toPayment(page, shop("/cart"));
  await page.getByLabel("Card", { exact: true }).selectOption("pm_card_refundFail");
  await page.goto(await linkTo(system, await pay(page, "refund@buyer.example")));
  await page.getByRole("checkbox").check();
  await press(page.getByRole("button", { name: "Cancel order" }));
  await page.getByText(/^Your order is cancelled/).waitFor();
  await eventually(async () => {
    await page.reload();
    return (await page.getByRole("status").textContent())!.includes("Your refund hasn't gone through yet");
  }, 30_000);
  expect(complaints).toEqual([]);
});

browserTest("a user signs in by redirect, orders, finds the order in the list, and signs out", async () => {
  await addPart();
  await press(page.getByRole("link", { name: "Sign in" }));
  await press(page.getByRole("button", { name: "customer@partline.example" }));
  await page.waitForURL(shop(PART));
  const cookies = await page.context().cookies(shop("/"));
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]).sort()).toEqual([
    ["partline_shop_guest", true, "Lax"],
    ["partline_shop_token", true, "Lax"],
  ]);
  expect(await page.evaluate("JSON.stringify([{ ...localStorage }, document.cookie])")).toBe('[{},""]');
  await toPayment(page, shop("/cart"));
  const number = await pay(page, "customer@partline.example");
  await page.goto(shop("/orders"));
  await press(page.getByRole("link", { name: number }));
  await page.getByRole("heading", { name: number }).waitFor();
  const invoice = await page.getByRole("link", { name: /Invoice/ }).getAttribute("href");
  expect((await page.request.get(shop(invoice!))).status()).toBe(200);
  const address = page.url();
  // A guest has asked at the desk of this tab.
  await page.evaluate("sessionStorage.setItem('desk ', '[]')");
  await press(page.getByRole("button", { name: "Sign out" }));
  await page.waitForURL(shop("/"));
  expect(await page.evaluate("sessionStorage.getItem('desk ')")).toBeNull();
  expect((await page.request.get(shop(invoice!))).status()).toBe(401);
  await page.goto(address);
  expect(page.url()).toContain("/oauth/authorize");
  expect(complaints).toEqual([]);
});

browserTest("results narrow by facets, sort, and say what else was meant", async () => {
  await page.goto(shop("/search?q=carburetor"));
  await finishHydration(page);
  const hits = page.getByRole("list").filter({ has: page.getByRole("heading", { level: 2 }) });
  const first = (): Promise<string | null> => hits.getByRole("listitem").first().textContent();
  const filters = page.getByRole("complementary", { name: "Filters" });
  const focused = (): Promise<string> => page.evaluate("document.activeElement.parentElement.innerText");
  await filters.getByLabel("Kawasaki").check();
  await page.getByRole("link", { name: "Remove filter: Kawasaki" }).waitFor();
  await eventually(async () => (await focused()).includes("Kawasaki"));
  expect(await first()).toContain("Kawasaki");
  await filters.getByLabel("Honda").check();
  await page.waitForURL(shop("/search?q=carburetor&manufacturer=HON&manufacturer=KAW"));
  await press(page.getByRole("link", { name: "Remove filter: Honda" }));
  await page.waitForURL(shop("/search?q=carburetor&manufacturer=KAW"));
  const lowest = filters.getByRole("slider", { name: "Lowest price", disabled: false });
  await lowest.press("ArrowRight");
  await lowest.press("Enter");
  await page.waitForURL(/minPrice=10$/);
  const line = (await filters.locator(".price-slider").boundingBox())!;
  await page.mouse.click(line.x + line.width * 0.8, line.y + line.height / 2);
  await press(page.getByRole("link", { name: "Remove filter: $10.00 to $150.00" }));
  await page.waitForURL(shop("/search?q=carburetor&manufacturer=KAW"));
  await page.getByLabel("Sort by").selectOption("price_asc");
  await page.waitForURL(/sort=price_asc/);
  const prices = await hits.locator(".price").allTextContents();
  const numbers = prices.map((price) => Number(price.replace(/[^0-9.]/g, "")));
  expect(numbers.length).toBeGreaterThan(3);
  expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  await page.goBack();
  expect(page.url()).toBe(shop("/search?q=carburetor&manufacturer=KAW"));
  await page.goto(shop("/search?q=bleda+spindel"));
  await page.getByText("No results for “bleda spindel”").waitFor();
  await press(page.getByText("Did you mean").getByRole("link", { name: "spindle" }));
  await page.getByRole("heading", { level: 1, name: "Results for “spindle”" }).waitFor();
  expect(await hits.getByRole("listitem").count()).toBeGreaterThan(3);
  expect(complaints).toEqual([]);
});

browserTest("a number and a machine's name open their pages; parts are compared side by side", async () => {
  await samplesAreRead();
  await page.goto(shop("/search?q=159648141"));
  expect(page.url()).toBe(shop(PART));
  await manualIsRead();
  await page.goto(shop("/search?q=carburetor&view=tiles"));
  await page.getByRole("link", { name: "Rows" }).click();
  await page.goto(shop("/search?q=carburetor"));
  await page.getByRole("link", { name: "Tiles" }).click();
  await page.goto(shop("/search?q=carburetor&page=2"));
  expect(await page.getByRole("link", { name: "Tiles" }).getAttribute("aria-current")).toBe("true");
  const boxes = page.getByLabel(/^Compare:/);
  for (const index of [0, 1, 2, 3]) await boxes.nth(index).check();
  expect(await boxes.nth(4).isDisabled()).toBe(true);
  await axeClean();
  await press(page.getByRole("link", { name: "Compare 4" }));
  await page.getByRole("heading", { level: 1, name: "Compare parts" }).waitFor();
  expect(await page.getByRole("columnheader").count()).toBe(4);
  await press(page.getByRole("link", { name: /^Remove from the comparison/ }).first());
  await page.waitForURL(({ searchParams }) => searchParams.getAll("part").length === 3);
  await page.getByRole("row", { name: /^Price/ }).waitFor();
  await page.goto(shop("/compare?part=none"));
  await page.getByRole("heading", { level: 1, name: "No parts to compare" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("results and a part are there without scripts, for search engines too", async () => {
  await page.context().close();
  await visit({ javaScriptEnabled: false, locale: "de-DE" });
  await page.goto(shop("/search?q=carburetor+15964-8141"));
  await press(page.getByRole("link", { name: "Carburetor, Assembly, FS730V" }).first());
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

browserTest("all pictures of a part are seen, one of them large", async () => {
  await eventually(
    async () => (await system.request("gateway", "GET", "/api/parts/kmt-tl29005")).status === 200,
    60_000,
  );
  await page.goto(shop("/parts/kmt-tl29005"));
  const large = page.getByRole("img", { name: /^Tire and Wheel Assembly/ });
  const first = await large.getAttribute("src");
  await press(page.getByRole("button", { name: "Image 2 of 2" }));
  expect(await large.getAttribute("src")).not.toBe(first);
  await press(page.getByRole("link", { name: /Show larger$/ }));
  const zoom = page.getByRole("dialog", { name: /^Tire and Wheel Assembly/ });
  await zoom.getByText("Image 2 of 2").waitFor();
  await page.keyboard.press("ArrowRight");
  await zoom.getByText("Image 1 of 2").waitFor();
  await axeClean();
  await page.keyboard.press("Escape");
  await zoom.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

browserTest("changes of two tabs both count, and a double click adds once", async () => {
  await addPart();
  const other = await page.context().newPage();
  await other.goto(shop("/search?q=spark+plug"));
  await other
    .getByRole("button", { name: /^Add to cart/ })
    .first()
    .dblclick();
  await other.getByText("In your cart: 1.").waitFor();
  await page.goto(shop("/cart"));
  expect(await page.getByRole("spinbutton").count()).toBe(2);
  await other.goto(shop("/cart"));
  await other.getByRole("spinbutton").first().fill("3");
  await other.keyboard.press("Enter");
  await other.getByRole("link", { name: "Cart 4 pieces" }).waitFor();
  await press(page.getByRole("button", { name: /^Remove (?!Carburetor)/ }));
  await page.getByRole("link", { name: "Cart 3 pieces" }).waitFor();
  await page
    .getByRole("status")
    .getByText(/^Removed /)
    .waitFor();
  await page
    .locator("button:focus")
    .and(page.getByRole("button", { name: /^Remove Carburetor/ }))
    .waitFor();
  // The other tab still shows what was removed here.
  await press(other.getByLabel("Pick up in store"), "Space");
  await press(other.getByRole("button", { name: /^Pay / }));
  await other.getByText("Your cart was changed in another tab.").waitFor();
  await other.getByRole("link", { name: "Cart 3 pieces" }).waitFor();
  for (const _ of [2, 1]) await press(page.getByRole("button", { name: /^One less: Carburetor/ }));
  await page.getByRole("link", { name: "Cart 1 piece", exact: true }).waitFor();
  await page.getByRole("spinbutton").fill("0");
  await page.keyboard.press("Enter");
  await page.getByText("Your cart is empty.").waitFor();
  await page.locator("h1:focus").waitFor();
  await other.getByRole("spinbutton").fill("5");
  await other.keyboard.press("Enter");
  await other.getByText("Your cart is empty.").waitFor();
  expect(await other.getByText("Cart item not found").count()).toBe(0);
  expect(complaints).toEqual([]);
});

browserTest("the cart says what the shelf has, and where an order is picked up", async () => {
  await addPart(900);
  await page.goto(shop("/cart"));
  await page.getByText(/^\d+ at our supplier, \d+ on backorder$/).waitFor();
  await page.getByText("Parts on backorder follow separately.").waitFor();
  await page.getByRole("spinbutton").fill("1");
  await page.keyboard.press("Enter");
  await page.getByText(/^(\d at|At) our supplier$/).waitFor();
  await page.getByText(/^Ships \w{3}, /).waitFor();
  await press(page.getByLabel("Pick up in store"), "Space");
  await page.getByText("Pick up at").waitFor();
  await page
    .getByText(/^Ready for pickup \w{3}, /)
    .nth(1)
    .waitFor();
  await page.getByRole("spinbutton").fill("900");
  await page.keyboard.press("Enter");
  const backordered = page.getByText(/on backorder$/i).first();
  await backordered.waitFor();
  await press(page.getByRole("button", { name: /^Pay / }));
  await page.waitForURL(/\/c\/pay\//);
  await pay(page, "fetches@buyer.example");
  await page.getByText("Pick up at").waitFor();
  await backordered.waitFor();
  await page.getByText("Parts on backorder will be ready later.").waitFor();
  expect(complaints).toEqual([]);
});

browserTest(
  "back from the payment page the last piece is still the shopper's, and one page takes the money",
  async () => {
    // Of which one is on hand.
    await page.goto(shop("/parts/bns-595121"));
    await press(page.getByRole("button", { name: "Add to cart" }));
    await page.getByText("In your cart: 1.").waitFor();
    await toPayment(page, shop("/cart"));
    const first = page.url();
    await press(page.getByRole("button", { name: /Go back to the shop/ }));
    await page.waitForURL(/\/checkout\/cancel/);
    await toPayment(page, shop("/cart"));
    expect(await page.content()).not.toMatch(/backorder/i);
    const number = await pay(page, "back@buyer.example");
    expect(await page.evaluate("JSON.stringify(localStorage)")).toBe("{}");
    await page.goto(await linkTo(system, number));
    await page.getByText("being prepared").waitFor();
    await page.goto(first);
    expect(await page.getByRole("button", { name: /^Pay / }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
);

browserTest("a paid cart whose order is late is not paid again with what was added since", async () => {
  await addPart();
  await toPayment(page, shop("/cart"));
  const other = await page.context().newPage();
  const payAsPickup = async (): Promise<void> => {
    await other.goto(shop("/cart"));
    await press(other.getByLabel("Pick up in store"), "Space");
    await press(other.getByRole("button", { name: /^Pay / }));
  };
  let kept = "";
  await setWebhooks({ paused: true });
  try {
    await page.getByLabel("E-mail").fill("late@buyer.example");
    await press(page.getByRole("button", { name: /^Pay \$/ }));
    await page.waitForURL(/\/checkout\/success/);
    const { search } = new URL(page.url());
    await other.goto(shop("/parts/bns-595121"));
    await press(other.getByRole("button", { name: "Add to cart" }));
    await other.getByText("In your cart: 1.").waitFor();
    kept = await other.evaluate<string>("localStorage.checkout");
    await payAsPickup();
    await other.waitForURL(shop(`/checkout/success${search}`));
  } finally {
    await setWebhooks({ paused: false });
  }
  // Each of the two pages forgets the checkout when it sees the order.
  for (const each of [page, other]) await each.getByRole("heading", { name: "Thank you for your order" }).waitFor();
  await other.getByRole("link", { name: "Cart 1 piece", exact: true }).waitFor();
  // As if no page had seen that order.
  await other.evaluate(`localStorage.checkout = ${JSON.stringify(kept)}`);
  await payAsPickup();
  await other.getByRole("alert").getByText("You've already paid for an order from this cart.").waitFor();
  await press(other.getByRole("button", { name: /^Pay / }));
  await other.waitForURL(/\/c\/pay\//);
});

browserTest("a price that changed and a part that went are named and mended in place", async () => {
  await page.goto(shop("/"));
  const item = { ...CARBURETORS, unitPrice: 50 };
  const gone = { ...item, productId: "kaw-000none", partNumber: "000-none", title: "Gone", quantity: 1 };
  for (const each of [item, gone])
    expect((await page.request.post(shop("/api/cart/items"), { data: { item: each } })).status()).toBe(200);
  await page.goto(shop("/cart"));
  await askCosts(page);
  // A quote is at the catalog's prices: what it refuses is a part that cannot be sold.
  await page.getByRole("alert").getByText("Gone is no longer available.").waitFor();
  await page.getByLabel("Pick up in store").check();
  await press(page.getByRole("button", { name: /^Pay / }));
  await page.getByText("15964-8141 now costs $55.00 (it was $50.00).").waitFor();
  await axeClean();
  await press(page.getByRole("alert").getByRole("button", { name: "Remove Gone" }));
  await page.getByLabel("Pick up in store").check();
  await press(page.getByRole("button", { name: "Pay $100.00" }));
  await press(page.getByRole("button", { name: "Use the new prices" }));
  await page.getByLabel("Pick up in store").check();
  await press(page.getByRole("button", { name: "Pay $110.00" }));
  await page.waitForURL(/\/c\/pay\//);
});

browserTest("Escape keeps what was typed; on the way back the list says how it is sorted", async () => {
  await page.goto(shop("/"));
  const field = page.getByRole("combobox", { name: /^Part number/ });
  await field.pressSequentially("carbur");
  await page.getByRole("option").first().waitFor();
  await field.press("Escape");
  await page.getByRole("option").first().waitFor({ state: "hidden" });
  expect(await field.inputValue()).toBe("carbur");
  await field.press("Enter");
  const sort = page.getByLabel("Sort by");
  await sort.selectOption("price_asc");
  await page.waitForURL(/sort=price_asc/);
  expect(await sort.inputValue()).toBe("price_asc");
  await page.goBack();
  await page.waitForURL(shop("/search?q=carbur"));
  expect(await sort.inputValue()).toBe("relevance");
});

browserTest("what is chosen or typed before the script arrives takes effect with it", async () => {
  let scripts = Promise.withResolvers<void>();
  await page.route("**/*.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(shop("/search?q=carbur"), { waitUntil: "commit" });
  await page.getByLabel("Sort by").selectOption("price_asc");
  scripts.resolve();
  await page.waitForURL(/sort=price_asc/);
  scripts = Promise.withResolvers<void>();
  await page.goto(shop("/"), { waitUntil: "commit" });
  await page.getByRole("combobox", { name: /^Part number/ }).fill("carbur");
  scripts.resolve();
  await page.getByRole("option").first().waitFor();
  await page.unroute("**/*.js");
});

browserTest("what the API refuses is said in the page's language", async () => {
  await visit({ locale: "de-DE" });
  await page.goto(shop("/"));
  const item = { ...CARBURETORS, unitPrice: 55 };
  expect((await page.request.post(shop("/api/cart/items"), { data: { item } })).status()).toBe(200);
  await page.goto(shop("/cart"));
  await page.getByLabel("Menge von Carburetor").fill("10000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("1 bis 9.999 Stück").waitFor();
  await page.getByLabel("Name").fill("Ada Mechanic");
  await page.getByLabel("Straße").fill("1 Main St");
  await page.getByLabel("Ort", { exact: true }).fill("New York");
  await page.getByLabel("Bundesland oder Provinz").selectOption("NY");
  await page.getByLabel("Postleitzahl").fill("10115-123");
  await press(page.getByRole("button", { name: "Versandarten anzeigen" }));
  await page
    .getByRole("alert")
    .getByText(/^Diese Postleitzahl liegt nicht/)
    .waitFor();
});

browserTest("an ended session is a guest's", async () => {
  await addPart();
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

browserTest("without a network pages say so in the shopper's language, with the phone; only that is kept", async () => {
  await page.context().close();
  await visit({ serviceWorkers: "allow", locale: "de-DE" });
  await page.goto(shop("/cart"));
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
  // The shop's facts change: the next page brings a worker with the new ones.
  const body = { phone: "+1 775 555 0100", openingHours: [`Mo bis Fr 8 bis 17 Uhr, ab ${Date.now()}`] };
  await system.request("gateway", "PATCH", "/api/admin/settings", { adminToken: ADMIN_TOKEN, body });
  await eventually(async () => (await page.reload()) && (await page.getByText(body.openingHours[0]!).count()) > 0);
  const readKept = `caches.match("/offline", { ignoreVary: true }).then((kept) => kept.text())`;
  await eventually(async () => (await page.evaluate<string>(readKept)).includes(body.openingHours[0]!), 60_000);
  await page.goto(shop(PART));
  await page.context().setOffline(true);
  await page.goto(shop("/cart"));
  await page.getByRole("heading", { level: 1, name: "Keine Verbindung" }).waitFor();
  await page.getByRole("link", { name: body.phone }).and(page.locator("[href='tel:+17755550100']")).waitFor();
  await axeClean();
  const keptPaths = `caches.keys().then((names) => Promise.all(names.map(async (name) =>
    (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname))))`;
  expect(await page.evaluate(keptPaths)).toEqual([["/offline", expect.stringMatching(/^\/assets\/shop-\w+\.css$/)]]);
  await page.context().setOffline(false);
  await press(page.getByRole("link", { name: "Noch einmal versuchen" }));
  await page.getByRole("heading", { level: 1, name: "Ihr Warenkorb" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("a machine leads to its drawing, whose callouts choose parts, and a part goes into the cart", async () => {
  await samplesAreRead();
  await page.goto(shop("/"));
  await press(page.getByRole("main").getByRole("link", { name: "Find parts by machine" }));
  await page.getByLabel("Model").fill("ch740");
  await page.keyboard.press("Enter");
  await press(page.getByRole("link", { name: "Kohler CH-740S" }));
  await page.waitForURL(shop("/machines/kohler-ch-740s"));
  await finishHydration(page);
  const drawings = page.getByRole("link", { name: /^Figure / });
  const all = await drawings.count();
  await page.getByLabel("Serial number").fill("unknown");
  await page.keyboard.press("Enter");
  await page.getByText("“unknown” isn't a serial number. Here are the diagrams for all machines.").waitFor();
  expect(await drawings.count()).toBe(all);
  await press(page.getByRole("link", { name: "Figure 2-2: Exhaust" }));
  await page.waitForURL(/\/figures\//);
  await finishHydration(page);
  await page.getByRole("button", { name: /^1: Muffler/ }).focus();
  await page.keyboard.press("Enter");
  const row = page.getByRole("listitem").filter({ hasText: "24 667 39-S" });
  expect(await row.getAttribute("aria-current")).toBe("true");
  expect(await row.evaluate("document.activeElement?.dataset.reference")).toBe("1");
  await press(page.getByRole("button", { name: "Show 3 in the diagram" }));
  expect(await page.getByRole("button", { name: /^3: / }).getAttribute("aria-pressed")).toBe("true");
  await press(page.getByRole("button", { name: "Zoom in" }));
  await press(page.getByRole("button", { name: "Whole diagram" }));
  await press(row.getByRole("button", { name: /^Add to cart/ }));
  await page.getByText("In your cart: 1.").waitFor();
  await page.goto(shop("/cart"));
  await page.getByText("Kohler 24 667 39-S", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest(
  "a part leads to its kit's parts, its successor, what can be used instead, and where it is drawn",
  async () => {
    await samplesAreRead();
    const asAdmin = { adminToken: ADMIN_TOKEN, headers: { "Content-Type": "text/csv" } };
    const send = async (path: string, rawBody: string): Promise<void> => {
      const { body } = await system.request("catalog", "POST", path, { ...asAdmin, rawBody });
      expect([path, body]).toMatchObject([path, { refusedTotal: 0 }]);
    };
    await send(
      "/catalog/import/grp",
      `part_number,title,list_price,status,superseded_by,components
SET-1,Tune-up set,30,active,,GRP:OLD-1*2
OLD-1,Old silencer,5,discontinued,NEW-1,
NEW-1,New silencer,6,active,,
`,
    );
    await send(
      "/catalog/interchange",
      "vendor,part_number,other_vendor,other_part_number\nGRP,NEW-1,KOH,24 667 39-S\n",
    );
    await page.goto(shop("/parts/grp-set1"));
    await axeClean();
    await page.getByRole("heading", { name: "In this kit" }).waitFor();
    await press(page.getByRole("listitem").filter({ hasText: "2 × OLD-1" }).getByRole("link"));
    await page.getByText("Discontinued").waitFor();
    expect(await page.getByRole("button", { name: "Add to cart" }).count()).toBe(0);
    await press(page.getByRole("link", { name: "See the replacement" }));
    await page.getByRole("heading", { level: 1, name: "New silencer" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Replaces" }).getByRole("link", { name: /OLD-1/ }).waitFor();
    await press(page.getByRole("link", { name: "Kohler 24 667 39-S" }));
    const drawn = page.getByRole("listitem").filter({ hasText: "Figure 2-2: Exhaust" });
    await drawn.getByRole("link", { name: "CH-740S", exact: true }).waitFor();
    await press(drawn.getByRole("link", { name: /^Open page/ }));
    await page.getByText("24 667 39-S is marked in the diagram.").waitFor();
    expect(complaints).toEqual([]);
  },
);

browserTest("a part says whether it fits a machine, and a diagram's parts go into the cart together", async () => {
  await samplesAreRead();
  await page.goto(shop("/parts/koh-2466739s"));
  await page.getByLabel("Make and model of your machine").fill("ch-740s");
  await press(page.getByRole("option", { name: "Kohler CH-740S" }));
  await page.getByText("Fits Kohler CH-740S · 1 needed · Figure 2-2: Exhaust").waitFor();
  await axeClean();
  const kinds = await page.locator('script[type="application/ld+json"]').allTextContents();
  expect(kinds.map((text) => (JSON.parse(text) as { "@type": string })["@type"])).toEqual([
    "Product",
    "BreadcrumbList",
    "FAQPage",
  ]);
  await page.getByLabel("Make and model of your machine").fill("no such machine");
  await press(page.getByRole("button", { name: "Check" }));
  await page.getByText("We don't know a machine called “no such machine”.").waitFor();
  await page.getByLabel("Your question").fill("How many are in stock?");
  await press(page.getByRole("button", { name: "Ask", exact: true }));
  await page.getByRole("heading", { name: "Muffler, Round" }).waitFor();

  await page.goto(shop("/machines/kohler-ch-740s"));
  await press(page.getByRole("button", { name: "Mark what fits this machine" }));
  await page.getByText("We mark what fits this machine").waitFor();
  await page.goto(shop("/search?q=muffler"));
  await press(page.getByRole("link", { name: /^\d+ fit your CH-740S$/ }));
  await page.getByRole("link", { name: "Remove filter: Machine: CH-740S" }).waitFor();
  await page.getByText("Fits Kohler CH-740S").first().waitFor();
  await axeClean();
  expect(complaints).toEqual([]);
});

browserTest("the desk's card leads to the drawn page with the number marked, and into the cart", async () => {
  await samplesAreRead();
  await page.goto(shop("/desk"));
  await page.getByLabel("Your question").focus();
  await page.keyboard.type("What muffler fits my CH-740S?");
  await page.keyboard.press("Enter");
  const card = page
    .getByRole("list", { name: "Parts in this answer" })
    .getByRole("listitem")
    .filter({ hasText: "24 667 39-S" });
  await card.getByText("$158.25").waitFor();
  await press(card.getByRole("button", { name: /^Add to cart/ }));
  await card.getByText("In your cart: 1.").waitFor();

  await press(card.getByRole("link", { name: /^See it in Figure 2-2/ }));
  await page.waitForURL(/\/manuals\/[0-9a-f]{64}\/pages\/8\?part=24/);
  await page.getByText("24 667 39-S is marked in the diagram.").waitFor();
  const marked = page.getByRole("button", { name: /^1: Muffler/ });
  expect(await marked.getAttribute("aria-pressed")).toBe("true");
  const box = await marked.boundingBox();
  const drawn = await page.getByRole("img", { name: "Diagram on page 8" }).boundingBox();
  expect([box!.x > drawn!.x, box!.y > drawn!.y, box!.x < drawn!.x + drawn!.width]).toEqual([true, true, true]);
  const row = page.getByRole("listitem").filter({ hasText: "24 667 39-S" });
  expect(await row.getAttribute("aria-current")).toBe("true");
  await press(row.getByRole("button", { name: /^Add to cart/ }));
  await row.getByText("In your cart: 2.").waitFor();
  // The talk is there on the way back.
  await page.goBack();
  await card.getByText("$158.25").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("the desk opens beside a page, knows its part, and keeps the talk on the next page", async () => {
  await samplesAreRead();
  await manualIsRead();
  await page.goto(shop("/parts/koh-2466739s"));
  await page.getByRole("heading", { name: /^Muffler/, level: 1 }).waitFor();
  const openDesk = () => press(page.getByRole("link", { name: "Ask", exact: true }));
  await openDesk();
  const desk = page.getByRole("dialog", { name: "Ask a parts expert" });
  await desk.getByText(/^About Muffler.* 24 667 39-S$/).waitFor();
  await desk.getByRole("link", { name: "Is 24 667 39-S in stock?" }).waitFor();
  await desk.getByLabel("Your question").fill("Which machines does it fit?");
  await page.keyboard.press("Enter");
  const card = desk.getByRole("listitem").filter({ hasText: "24 667 39-S" });
  await card.getByText("$158.25").waitFor();
  await desk.getByRole("img", { name: /^Figure 2-2.*: 24 667 39-S$/ }).waitFor();
  await axeClean();
  await page.keyboard.press("Escape");
  await desk.waitFor({ state: "hidden" });

  await page.goto(shop("/machines/kohler-ch-740s"));
  await openDesk();
  await card.getByText("$158.25").waitFor();
  await desk.getByText("About Kohler CH-740S").waitFor();
  await desk
    .getByRole("link", { name: /^Which .* fits the CH-740S\?$/ })
    .first()
    .click();
  await eventually(async () => (await desk.getByRole("article").count()) === 2);
  expect(complaints).toEqual([]);
});

browserTest("a browser that blocks its storage has the desk and the cart all the same", async () => {
  await page.addInitScript(`for (const name of ["sessionStorage", "localStorage"])
    Object.defineProperty(globalThis, name, { get() { throw new DOMException("Denied", "SecurityError"); } });`);
  await page.goto(shop("/search?q=carburetor"));
  await page.getByRole("complementary", { name: "Filters" }).getByLabel("Kawasaki").check();
  await page.getByRole("link", { name: "Remove filter: Kawasaki" }).waitFor();
  await addPart();
  await page.goto(shop("/desk"));
  await page.getByLabel("Your question").fill("Is 15964-8141 in stock?");
  await page.keyboard.press("Enter");
  await page.getByRole("list", { name: "Parts in this answer" }).getByText("$55.00").waitFor();
  await page.goto(shop("/cart"));
  await page.getByLabel("Pick up in store").check();
  await press(page.getByRole("button", { name: /^Pay / }));
  await page.waitForURL(/\/c\/pay\//);
  expect(complaints).toEqual([]);
});

browserTest("pictures that fail to load, before and after the script is here, are said to be none", async () => {
  let read = (): void => undefined;
  const isRead = new Promise<void>((resolve) => (read = resolve));
  await page.route("**/api/media/**", (route) => route.fulfill({ status: 404 }));
  await page.route("**/assets/*.js", async (route) => {
    await isRead;
    await route.continue();
  });
  await page.goto(shop("/search?q=carburetor"), { waitUntil: "commit" });
  await eventually(() => page.evaluate("document.images.length > 5 && document.images[0].complete"));
  read();
  const pictures = page.locator("img.picture");
  await eventually(async () => {
    await page.mouse.wheel(0, 2_000);
    return (await pictures.count()) === 0;
  });
  expect(await page.locator(".picture.none svg").count()).toBeGreaterThan(5);
  expect(complaints).toEqual([]);
});

browserTest("the script of a page is small", async () => {
  const sizes: Promise<number>[] = [];
  page.on("requestfinished", (request) => {
    if (request.resourceType() === "script")
      sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  await page.goto(shop("/search?q=carburetor"), { waitUntil: "networkidle" });
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(130_000);
});
