import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startSystem, type System } from "../support/system.ts";

/** Without a browser on this machine there is nothing to test. */
const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find((path) => existsSync(path));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = execFileSync(
  process.execPath,
  ["node_modules/esbuild/bin/esbuild", "clients/typescript/src/index.ts", "--bundle", "--format=esm"],
  { cwd: ROOT },
);

/** What a storefront does, in the page: its text is the result. */
const shop = (gateway: string, cart: string): string => `
  import { createClient } from "./client.js";
  const seen = [];
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
    document.body.textContent = JSON.stringify({ itemCount, subtotal: saved.subtotal, code, answer, seen });
  } catch (error) {
    document.body.textContent = String(error) + " " + error.code;
  }
`;

let pages: Server;
let system: System;
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
  system = await startSystem({ env: { CORS_ORIGINS: originOf(pages), RATE_LIMIT: "1000/60" } });
});
afterAll(async () => {
  await system?.stop();
  pages?.close();
});

const text = async (origin: string): Promise<string> => {
  const profile = mkdtempSync(join(tmpdir(), "partline-browser-"));
  const { stdout } = await promisify(execFile)(
    CHROMIUM!,
    [
      ...["--headless", "--no-sandbox", "--disable-gpu", "--no-proxy-server", `--user-data-dir=${profile}`],
      ...["--virtual-time-budget=30000", "--dump-dom", origin],
    ],
    { timeout: 90_000 },
  );
  return /<body>(.*?)(<script|<\/body>)/s.exec(stdout)![1]!;
};

(CHROMIUM ? test : test.skip)("a page of another origin fills a cart through the client, in a browser", async () => {
  expect(JSON.parse(await text(originOf(pages)))).toEqual({
    itemCount: 3,
    subtotal: expect.any(Number),
    code: "NOT_FOUND",
    answer: 1,
    seen: [1, 1, 1, 1, 1, 1, 1, 1],
  });
});

(CHROMIUM ? test : test.skip)("a page of an origin that is not allowed gets no answer", async () => {
  expect(await text(originOf(pages).replace("127.0.0.1", "localhost"))).toBe(
    "PartlineError: There was no whole answer NETWORK_ERROR",
  );
});
