import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { CHROMIUM, openBrowser } from "../support/chromium.ts";
import { startSystem, type System } from "../support/system.ts";

const LONGEST_WAIT_MS = 90_000;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = execFileSync(
  process.execPath,
  ["node_modules/esbuild/bin/esbuild", "packages/client/src/index.ts", "--bundle", "--format=esm"],
  { cwd: ROOT },
);

/** What a storefront does, in the page: its `output` is the result. */
const shop = (gateway: string, cart: string): string => `
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

let pages: Server;
let system: System;
let browser: Browser;
const originOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

beforeAll(async () => {
  if (!CHROMIUM) return;
  pages = createServer((request, response) => {
    const [type, text] =
      request.url === "/client.js"
        ? ["text/javascript", CLIENT]
        : request.url === "/shop.js"
          ? ["text/javascript", shop(system.url("gateway"), system.url("cart"))]
          : ["text/html", '<!doctype html><body><script type="module" src="/shop.js"></script></body>'];
    response.writeHead(200, { "content-type": type }).end(text);
  });
  await new Promise<void>((resolve) => pages.listen(0, "127.0.0.1", resolve));
  [system, browser] = await Promise.all([
    startSystem({ env: { CORS_ORIGINS: originOf(pages), RATE_LIMIT: "1000/60" } }),
    openBrowser(),
  ]);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await system?.stop();
  pages?.close();
});

/** What the page of an origin shows in the end. */
async function shown(origin: string): Promise<string | null> {
  const page = await browser.newPage();
  page.setDefaultTimeout(LONGEST_WAIT_MS);
  await page.goto(origin);
  return page.locator("output").textContent();
}

const browserTest = CHROMIUM ? test : test.skip;

browserTest(
  "a page of another origin fills a cart through the client, in a browser",
  async () => {
    expect(JSON.parse((await shown(originOf(pages)))!)).toEqual({
      itemCount: 3,
      subtotal: expect.any(Number),
      code: "NOT_FOUND",
      answer: 1,
      seen: [1, 1, 1, 1, 1, 1, 1, 1],
    });
  },
  120_000,
);

browserTest(
  "a page of an origin that is not allowed gets no answer",
  async () => {
    expect(await shown(originOf(pages).replace("127.0.0.1", "localhost"))).toBe(
      "PartlineError: There was no whole answer NETWORK_ERROR",
    );
  },
  120_000,
);
