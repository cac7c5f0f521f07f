import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Browser, Page } from "playwright-core";
import { startTestChatModel, type TestChatModel } from "../support/chat-sandbox.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem, type System } from "../support/system.ts";
import { browserTest, hasBrowser, newVisitor, openBrowser, settled, violations } from "./chromium.ts";
import { PART } from "./shopper.support.ts";

let system: System;
let chat: TestChatModel;
let foreign: Server;
let browser: Browser;
let page: Page;
let complaints: string[];
const shop = (path: string): string => system.url("shop") + path;

beforeAll(async () => {
  if (!hasBrowser) return;
  chat = await startTestChatModel();
  foreign = await servePages();
  const env = {
    ...chat.env,
    LLM_TIMEOUT_SECONDS: "60",
    CORS_ORIGINS: getOrigin(foreign),
    // More than any test asks: the header is read.
    RATE_LIMIT: "1000000/60",
  };
  [system, browser] = await Promise.all([startSystem({ env }), openBrowser()]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await system?.stop();
  await chat?.close();
  foreign?.close();
});
beforeEach(async () => {
  if (hasBrowser) ({ page, complaints } = await newVisitor(browser));
});
afterEach(async () => {
  await page?.context().close();
});

/** Layout shifts that nobody caused, as in Core Web Vitals. */
const COUNT_SHIFTS = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
}).observe({ type: "layout-shift", buffered: true });`;
const QUESTION = "Is 15964-8141 in stock?";
const button = (name: string | RegExp) => page.getByRole("button", { name });
const lastAnswer = () => page.getByRole("log").getByRole("article").last();

async function ask(question: string): Promise<void> {
  await page.getByLabel("Your question").fill(question);
  await page.keyboard.press("Enter");
}

/** Opens the cart with one part in it, to be fetched at the shop: one press more pays. */
async function cartToPay(): Promise<void> {
  await page.goto(shop(PART));
  await button("Add to cart").click();
  await page.getByText("In your cart: 1.").waitFor();
  await page.goto(shop("/cart"));
  await page.getByLabel("Pick up in store").check();
}

/** Counts the page's requests for a checkout, as the server answered them. */
function checkouts(): { statuses: number[] } {
  const counted = { statuses: [] as number[] };
  page.on("response", (response) => {
    if (response.url().endsWith("/api/checkout/session")) counted.statuses.push(response.status());
  });
  return counted;
}

/** What a storefront of another origin does, in the page: its `output` is the result. */
const writeStorefront = (gateway: string, cart: string): string => `
  import { createClient } from "./client.js";
  const seen = [];
  const show = (result) => {
    const output = document.createElement("output");
    output.textContent = result;
    document.body.append(output);
  };
  const options = { baseUrl: "${gateway}", entryPoints: { cart: "${cart}" }, sessionId: crypto.randomUUID() };
  const onResponse = ({ headers }) => seen.push(headers.get("RateLimit-Remaining") && headers.get("X-Request-Id") ? 1 : 0);
  try {
    const partline = createClient({ ...options, onResponse });
    const [part] = (await partline.search.search({ q: "15964-8141" })).parts;
    const item = { ...part, quantity: 2 };
    await partline.cart.addItem({ item });
    await partline.cart.setQuantity({ productId: part.productId, quantity: 3 });
    const saved = await partline.cart.saveForCheckout({ cartId: "cart_" + crypto.randomUUID(), items: [item] });
    await partline.cart.remove({ cartId: saved.cartId });
    const code = await partline.cart.get({ cartId: saved.cartId }).catch((error) => error.code);
    let answer;
    for await (const { event, data } of partline.ai.queryStream({ query: "Do you have 15964-8141?" }))
      if (event === "answer") answer = data.parts.length;
    const { itemCount } = await partline.cart.current();
    show(JSON.stringify({ itemCount, subtotal: saved.subtotal, code, answer, seen }));
  } catch (error) {
    show(String(error) + " " + error.code);
  }
`;
const getOrigin = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Pages of another origin, with the client. */
async function servePages(): Promise<Server> {
  const esbuild = ["node_modules/esbuild/bin/esbuild", "packages/client/src/index.ts", "--bundle", "--format=esm"];
  const client = execFileSync(process.execPath, esbuild);
  const server = createServer(({ url }, response) => {
    const [type, text] =
      url === "/client.js"
        ? ["text/javascript", client]
        : url === "/shop.js"
          ? ["text/javascript", writeStorefront(system.url("gateway"), system.url("cart"))]
          : ["text/html", '<!doctype html><body><script type="module" src="/shop.js"></script></body>'];
    response.writeHead(200, { "content-type": type }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

browserTest("a page of another origin fills a cart through the client, if its origin is allowed", async () => {
  // A client that is named would need a header that CORS does not allow.
  const storefront = await browser.newPage();
  await storefront.goto(getOrigin(foreign));
  expect(JSON.parse((await storefront.locator("output").textContent())!)).toEqual({
    itemCount: 3,
    subtotal: expect.any(Number),
    code: "NOT_FOUND",
    answer: 1,
    seen: [1, 1, 1, 1, 1, 1, 1, 1],
  });
  await storefront.goto(getOrigin(foreign).replace("127.0.0.1", "localhost"));
  expect(await storefront.locator("output").textContent()).toBe(
    "PartlineError: There was no whole answer NETWORK_ERROR",
  );
  await storefront.close();
});

browserTest("a server that dies in the middle of an answer is named; started again, the page goes on", async () => {
  await page.goto(shop(PART));
  await button("Add to cart").click();
  await page.getByText("In your cart: 1.").waitFor();
  const other = await page.context().newPage();
  await page.goto(shop("/desk"));
  await other.goto(shop(PART));

  await chat.fault("drip", 1_000);
  await ask(QUESTION);
  await page.getByText("Looking it up").waitFor();
  await button("Stop").waitFor();
  await system.kill();
  await page.getByRole("alert").getByText("We couldn't reach the shop").waitFor();
  expect(await violations(page)).toEqual([]);
  await other.getByRole("button", { name: "Add to cart" }).click();
  await other.getByText("We couldn't reach the shop").waitFor();

  await chat.allWell();
  await system.start();
  await button("Ask again").click();
  await lastAnswer().getByRole("paragraph").filter({ hasText: "15964-8141" }).first().waitFor();
  expect(await page.getByRole("log").getByRole("article").count()).toBe(1);
  expect(await page.getByRole("alert").count()).toBe(0);
  await other.getByRole("button", { name: "Add to cart" }).click();
  await other.getByText("In your cart: 2.").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("an answer can be stopped, and a stream that fails says so in the words of the page", async () => {
  await chat.fault("drip", 1_000);
  await page.goto(shop("/desk"));
  await ask(QUESTION);
  await button("Stop").click();
  await page.getByText("You stopped the answer.").waitFor();
  await chat.allWell();
  const failure = "Too many answers are being streamed: try again in a moment";
  const events = `event: text\ndata: {"text":"Half of <b onmouseover=alert(1)>it</b>"}\n\nevent: error\ndata: ${JSON.stringify({ detail: failure })}\n\n`;
  await page.route("**/api/ai/query", (route) => route.fulfill({ contentType: "text/event-stream", body: events }));
  await button("Ask again").click();
  await lastAnswer().getByText("Half of <b onmouseover=alert(1)>it</b>").waitFor();
  await page.getByRole("alert").getByText("Something isn't working on our side. Try again in a moment.").waitFor();
  await page.unroute("**/api/ai/query");
  await button("Ask again").click();
  await lastAnswer().getByRole("listitem").getByText("$55.00").waitFor();
  expect(await page.getByText("Half of").count()).toBe(0);
});

browserTest("over 3G results are read before the script is here; nothing moves, nothing is lost", async () => {
  await page.addInitScript(COUNT_SHIFTS);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const bytesASecond = 50_000;
  await session.send("Network.emulateNetworkConditions", {
    ...{ offline: false, latency: 400, downloadThroughput: bytesASecond, uploadThroughput: bytesASecond },
  });
  let read = (): void => undefined;
  const isRead = new Promise<void>((resolve) => (read = resolve));
  await page.route("**/assets/*.js", async (route) => {
    await isRead;
    await route.continue();
  });
  await page.goto(shop("/search?q=carburetor"), { waitUntil: "commit" });
  await page.getByRole("heading", { level: 2 }).nth(8).waitFor();
  // Until the script is here, the button takes nothing: the form would go into the address.
  const add = button(/^Add to cart/).first();
  expect(await add.isDisabled()).toBe(true);
  read();
  await add.click();
  await page.getByText("In your cart: 1.").waitFor();
  expect(page.url()).toBe(shop("/search?q=carburetor"));
  await page.getByRole("combobox", { name: /^Part number/ }).fill("15964 81");
  await page.getByRole("option").filter({ hasText: "15964-8141" }).first().waitFor();
  expect(await page.evaluate("shift")).toBeLessThan(0.02);
  expect(complaints).toEqual([]);
});

browserTest("offline at the checkout is said; online it goes on, and a double click pays once", async () => {
  await cartToPay();
  const { statuses } = checkouts();
  await page.context().setOffline(true);
  await button(/^Pay /).click();
  await page.getByRole("alert").getByText("We couldn't reach the shop").waitFor();
  await page.context().setOffline(false);
  await button(/^Pay /).dblclick();
  await page.waitForURL(/\/c\/pay\//);
  expect(statuses).toEqual([200]);
  const paying = page.url();

  await page.goBack();
  await page.getByRole("heading", { name: "Your cart" }).waitFor();
  await page.getByLabel("Pick up in store").check();
  await button(/^Pay /).click();
  await page.waitForURL(/\/c\/pay\//);
  // The same cart is the same checkout, however often its button is pressed.
  expect(page.url()).toBe(paying);
});

browserTest("1,000 results are paged; a part of which little is known is shown, with its title as text", async () => {
  const hostile = '<img src=x onerror="document.title=1"> Quibbler';
  const rows = Array.from({ length: 999 }, (_, row) => `Q-${row},Quibbler number ${row},${row + 1}`);
  const rawBody = ["part_number,title,list_price", `Q-BARE1,"${hostile.replaceAll('"', '""')}",`, ...rows, ""].join(
    "\n",
  );
  const file = { rawBody, adminToken: ADMIN_TOKEN, headers: { "Content-Type": "text/csv" } };
  expect((await system.request("catalog", "POST", "/catalog/import/grp", file)).body).toMatchObject({ written: 1_000 });
  await eventually(async () => {
    const { body } = await system.request("gateway", "GET", "/api/search?q=quibbler");
    return (body as { pagination: { total: number } }).pagination.total === 1_000;
  }, 60_000);
  await page.goto(shop("/search?q=quibbler&sort=price_asc"));
  await page.getByText("1,000 parts").waitFor();
  await page.getByText("Page 1 of 50").waitFor();
  await page.goto(shop("/search?q=quibbler&sort=price_asc&page=50"));
  await page.getByText("Page 50 of 50").waitFor();
  expect(await page.getByRole("heading", { level: 2 }).count()).toBeGreaterThanOrEqual(20);
  expect(await page.getByRole("link", { name: "Next" }).count()).toBe(0);
  expect(await violations(page)).toEqual([]);

  await page.goto(shop("/search?q=Q-BARE1"));
  // An exact number opens its part.
  await page.getByRole("heading", { level: 1, name: hostile }).waitFor();
  await page.getByRole("img", { name: "No image" }).waitFor();
  for (const text of ["Price on request", "Check availability", "You can't buy this part online."])
    await page.getByText(text).first().waitFor();
  expect(await page.title()).toBe(`${hostile} · Great Plains Q-BARE1`);
  expect(await violations(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("a session that ends under the open cart is said, and a guest may go on", async () => {
  await page.goto(shop("/"));
  await page.getByRole("link", { name: "Sign in" }).click();
  await button("customer@partline.example").click();
  await page.getByRole("link", { name: "Your orders" }).waitFor();
  await cartToPay();
  const ended = page.getByRole("alert").getByText("Your session has ended. Please sign in again.");
  await page.context().clearCookies({ name: "partline_shop_token" });
  // A guest's cart does not have the line.
  await page.getByRole("spinbutton").fill("3");
  await page.keyboard.press("Enter");
  await ended.waitFor();
  expect(await page.getByRole("spinbutton").inputValue()).toBe("1");
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await settled(page);
  await page.getByRole("link", { name: "Cart 1 piece", exact: true }).waitFor();
  await button(/^Pay /).click();
  await ended.nth(1).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await page.getByText("Your cart is empty.").waitFor();
  await cartToPay();
  await button(/^Pay /).click();
  await page.waitForURL(/\/c\/pay\//);
});

browserTest("while more is searched than can be answered, the page is 503, and tries again by itself", async () => {
  let turn = 0;
  await eventually(async () => {
    turn += 1;
    // More than run and wait: see SEARCH_BULKHEAD.
    const flood = Array.from({ length: 250 }, (_, client) =>
      system.request("gateway", "GET", `/api/search?q=pump+${client}+${turn}`),
    );
    await page.goto(shop("/search?q=carburetor"));
    const isShown = await page.getByRole("heading", { name: "The shop isn't available right now" }).isVisible();
    await Promise.all(flood);
    return isShown;
  }, 120_000);
  await page.getByRole("heading", { name: "Results for “carburetor”" }).waitFor();
  expect(complaints).toEqual([]);
});
