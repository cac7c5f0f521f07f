import { expect, test } from "@jest/globals";
import { eventually } from "../support/eventually.ts";
import { importParts } from "../support/requests.ts";
import { ADMIN_TOKEN } from "../support/system.ts";
import { createFaults } from "../support/sandbox-faults.ts";
import { useSystem } from "../support/use-started.ts";

const system = useSystem();

/** Of which no supplier is asked. */
const ROBOT = { "User-Agent": "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)" };

const get = (path: string, headers: Record<string, string> = {}) => system.request("shop", "GET", path, { headers });

async function slugPath(): Promise<string> {
  const { parts } = (await get("/api/search?q=15964-8141&limit=1")).body;
  return `/parts/${parts[0].slug}`;
}

test("an address that no part has is 404, and its page says so", async () => {
  const path = await slugPath();
  expect((await get(path)).status).toBe(200);
  for (const missing of ["/parts/none-such", "/parts/kaw-000000", "/parts/%", "/parts/%E0%A4%A", "/parts/", "/none"]) {
    const answer = await get(missing);
    expect([missing, answer.status, answer.headers.get("content-type")]).toEqual([
      missing,
      404,
      "text/html; charset=utf-8",
    ]);
    expect(answer.text).toContain("Page not found");
  }
  expect((await get("/api/none")).body).toMatchObject({ error: { code: "NOT_FOUND" } });
});

test("prices that cross narrow nothing, and the page says so", async () => {
  const crossed = await get("/search?q=filter&minPrice=100&maxPrice=10");
  expect([crossed.status, crossed.text]).toEqual([
    200,
    expect.stringContaining("The minimum price is higher than the maximum"),
  ]);
  expect(crossed.text).toContain("<li");
  const { text } = await get("/search?q=filter&minPrice=10&maxPrice=100");
  expect(text).not.toContain("The minimum price is higher");
});

test("filters without words that find nothing are named as filters", async () => {
  const { text } = await get("/search?category=none");
  expect(text).toContain("No parts match these filters.");
  expect(text).not.toContain("“”");
});

test("the supplier is not asked for a list that a crawler reads", async () => {
  const hasStock = async (agent: string) =>
    !(await get("/search?q=carburetor", { "User-Agent": agent })).text.includes('"stock":[]');
  await eventually(() => hasStock("Mozilla/5.0"));
  expect(await hasStock(ROBOT["User-Agent"])).toBe(false);
});

test("a list waits but a moment for a dealer who never answers", async () => {
  const { set, allWell } = createFaults(() => ({ url: system.sandboxUrl("dealer") }));
  // Nobody else has asked for it, so that no answer of a moment ago is there.
  await importParts(system, "bns", "part_number,title,list_price\nSTALL-1,Stallquill Gasket,4\n");
  await eventually(async () => (await get("/search?q=stallquill", ROBOT)).text.includes("STALL-1"));
  await set({ kind: "stall" });
  try {
    const startedAt = performance.now();
    const { status, text } = await get("/search?q=stallquill");
    expect([status, text]).toEqual([200, expect.stringContaining("<li")]);
    expect(text).not.toContain('"live":true');
    // 150 ms more than the search; the dealer would have seconds.
    expect(performance.now() - startedAt).toBeLessThan(1_500);
  } finally {
    await allWell();
  }
});

test("search engines learn what is not for them", async () => {
  const { status, text } = await get("/robots.txt");
  expect([status, text]).toEqual([200, expect.stringContaining("Disallow: /orders")]);
});

const locations = (xml: string): string[] => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);

test("the sitemap names every part that is sold, once, and what it names is there", async () => {
  const { text } = await get("/robots.txt");
  const index = /^Sitemap: (.+)$/m.exec(text)![1]!;
  expect(new URL(index).origin).toBe(system.url("shop"));
  // Other suites put parts into this system's catalog meanwhile.
  const parts = await eventually(async () => {
    const files = await Promise.all(
      locations((await get(new URL(index).pathname)).text).map((url) => get(new URL(url).pathname)),
    );
    for (const { status, headers, text: xml } of files) {
      expect([status, headers.get("content-type")]).toEqual([200, "application/xml; charset=utf-8"]);
      expect(locations(xml).length).toBeLessThanOrEqual(50_000);
    }
    const named = files.flatMap(({ text: xml }) => locations(xml)).filter((url) => url.includes("/parts/"));
    expect(new Set(named).size).toBe(named.length);
    const { pagination } = (await get("/api/search?limit=1")).body as { pagination: { total: number } };
    expect(named.length).toBe(pagination.total);
    return named;
  });
  expect((await get(new URL(parts.at(-1)!).pathname)).status).toBe(200);
  for (const missing of ["/sitemaps/kaw-zzzz.xml", "/sitemaps/xxx.xml", "/sitemaps/kaw-.xml"])
    expect([missing, (await get(missing)).status]).toEqual([missing, 404]);
});

test("an id, or another spelling of a slug, leads to the part's own address", async () => {
  const path = await slugPath();
  const answer = await get("/parts/kaw-159648141");
  expect([answer.status, answer.headers.get("location")]).toEqual([301, path]);
});

test("the page of a link that is forged is 404", async () => {
  for (const token of ["abc", "e30.e30.eA", "x".repeat(3_000)]) {
    const answer = await get(`/orders/${token}`);
    expect([token.slice(0, 20), answer.status]).toEqual([token.slice(0, 20), 404]);
    expect(answer.text).toContain("It may be incomplete, or older than 90 days.");
  }
});

test("what a page loads is there for good, and compressed; nothing inline runs, and nobody frames it", async () => {
  for (const path of ["/", "/search?q=belt", await slugPath(), "/cart", "/checkout/success?session_id=cs_test_x"]) {
    const answer = await get(path);
    expect([path, answer.status]).toEqual([path, 200]);
    const policy = answer.headers.get("content-security-policy")!;
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect([...answer.text.matchAll(/<script(?![^>]*(src=|type="application\/(ld\+)?json"))/g)]).toEqual([]);
    expect(answer.text).not.toMatch(/\son\w+="|\sstyle="/);
    const assets = [...answer.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, asset]) => asset!);
    expect(assets.length).toBeGreaterThan(2);
    for (const asset of assets) {
      const file = await get(asset, { "Accept-Encoding": "br" });
      expect([file.status, file.headers.get("content-encoding"), file.headers.get("cache-control")]).toEqual([
        200,
        "br",
        "public, max-age=31536000, immutable",
      ]);
    }
  }
});

test("titles and queries are shown as text, also with markup in them", async () => {
  const query = `</script><script>alert(1)</script>"'<b>`;
  const { text } = await get(`/search?q=${encodeURIComponent(query)}`);
  expect(text).not.toContain("<script>alert");
  expect(text).not.toContain("</script><script>");
  expect(text).not.toContain("<b>");
});

test("the desk's store links lead to a page, and are counted as one path", async () => {
  const asked = await system.request("gateway", "POST", "/api/ai/query", {
    body: { query: "Is 15964-8141 in stock?", include_store_link: true },
  });
  const link = /"store_link":"([^"]+)"/.exec(asked.text)?.[1];
  expect(link).toBeDefined();
  const { origin, pathname } = new URL(link!);
  expect([origin, (await get(pathname)).status]).toEqual([system.url("shop"), 200]);
  const metrics = (await system.request("shop", "GET", "/metrics", { adminToken: ADMIN_TOKEN })).text;
  expect(metrics).toContain('route="/parts/{slug}"');
  expect(metrics).not.toContain(pathname);
});

test("the shop has what pages need of the API, and nothing of staff", async () => {
  const sessionId = `store-pages-${Date.now()}`;
  const cart = await system.request("shop", "GET", "/api/cart", { sessionId });
  expect([cart.status, cart.body.data.items]).toEqual([200, []]);
  for (const path of ["/api/admin/orders", "/api/analytics/overview", "/admin/tasks"])
    expect([path, (await system.request("shop", "GET", path, { adminToken: ADMIN_TOKEN })).status]).toEqual([
      path,
      404,
    ]);
  expect((await system.request("payment", "GET", "/checkout/success")).status).toBe(404);
});

test("a session's cookie counts for the page's own requests alone", async () => {
  const token = await system.token("customer");
  const cookie = `partline_shop_token=${token}; partline_shop_guest=store-pages-guest`;
  const mine = await get("/api/users/me", { Cookie: cookie });
  expect([mine.status, mine.body.data.userId]).toEqual([200, "user_sandbox_customer"]);
  const guest = { Cookie: "partline_shop_guest=store-pages-guest" };
  const caching = async (headers: Record<string, string>) => (await get("/cart", headers)).headers.get("cache-control");
  expect([await caching({ Cookie: cookie }), await caching(guest)]).toEqual(["private, no-store", "private, no-cache"]);
  const body = {
    item: { productId: "kaw-159648141", partNumber: "15964-8141", title: "C", quantity: 1, unitPrice: 55 },
  };
  const add = (headers: Record<string, string>) =>
    system.request("shop", "POST", "/api/cart/items", { body, headers: { Cookie: cookie, ...headers } });
  const foreign: Record<string, string>[] = [
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site", Origin: "http://127.0.0.1:9" },
    { Origin: "https://evil.example" },
    { Origin: "null" },
  ];
  for (const headers of foreign)
    expect([headers, (await add(headers)).body]).toMatchObject([headers, { error: { code: "FORBIDDEN" } }]);
  expect((await add({ Origin: system.url("shop") })).status).toBe(200);
  const out = (headers: Record<string, string>) =>
    system.request("shop", "POST", "/session/sign-out", { headers: { Cookie: cookie, ...headers } });
  expect((await out({ Origin: "https://evil.example" })).status).toBe(403);
  const left = await out({ Origin: system.url("shop") });
  expect([left.status, left.headers.getSetCookie().map((text) => text.slice(0, 22))]).toEqual([
    303,
    ["partline_shop_token=; ", "partline_shop_guest=; "],
  ]);
  // A header that a client sets counts before the cookie.
  expect((await get("/api/users/me", { Cookie: cookie, Authorization: "Bearer none" })).status).toBe(401);
});

test("a sign-in from a page with a long address is remembered all the same, and comes back to the first page", async () => {
  for (const [query, back] of [
    ["Масло", `/desk?q=${encodeURIComponent("Масло")}`],
    ["Масляный фильтр ".repeat(30), "/"],
  ] as const) {
    const from = `/desk?q=${encodeURIComponent(query)}`;
    const begun = await get(`/session/sign-in?return=${encodeURIComponent(from)}`);
    const [cookie] = begun.headers.getSetCookie();
    expect(cookie!.length).toBeLessThanOrEqual(4_096);
    expect(JSON.parse(decodeURIComponent(/=([^;]+)/.exec(cookie!)![1]!))).toMatchObject({ back });
  }
});

test("another attempt of a sign-in that failed comes back to the same page", async () => {
  const begun = await get("/session/sign-in?return=/orders%3Fpage=2");
  const cookie = begun.headers.getSetCookie()[0]!.split(";")[0]!;
  const failed = await get("/session/callback?error=access_denied", { Cookie: cookie });
  expect(failed.headers.get("location")).toBe("/sign-in-failed?return=%2Forders%3Fpage%3D2");
  const { text } = await get(failed.headers.get("location")!);
  expect(text).toContain('href="/session/sign-in?return=%2Forders%3Fpage%3D2"');
});

test("a sign-in comes back to a page of the shop, from the browser that began it alone", async () => {
  const begun = await get("/session/sign-in?return=//evil.example/x");
  const [kept] = begun.headers.getSetCookie();
  expect(begun.status).toBe(302);
  const provider = new URL(begun.headers.get("location")!);
  expect([
    provider.origin,
    provider.searchParams.get("redirect_uri"),
    provider.searchParams.get("code_challenge_method"),
  ]).toEqual([system.sandboxUrl("identity"), `${system.url("shop")}/session/callback`, "S256"]);
  const signed = await fetch(provider, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams([...provider.searchParams, ["user", "user_sandbox_customer"]]),
  });
  const back = new URL(signed.headers.get("location")!);
  const callback = back.pathname + back.search;
  const stranger = await get(callback);
  expect([stranger.status, stranger.headers.get("location")]).toEqual([302, "/sign-in-failed"]);
  const cookie = kept!.split(";")[0]!;
  const forged = await get(callback.replace(/state=[^&]+/, "state=another"), { Cookie: cookie });
  expect(forged.headers.get("location")).toBe("/sign-in-failed");
  const done = await get(callback, { Cookie: cookie });
  expect([done.status, done.headers.get("location")]).toEqual([302, "/"]);
  expect(done.headers.getSetCookie()[0]).toMatch(
    /^partline_shop_token=[^;]{100,}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const again = await get(callback, { Cookie: cookie });
  expect(again.headers.get("location")).toBe("/sign-in-failed");
});
