import { afterAll, beforeAll, expect } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { joinSystem } from "../support/shared-system.ts";
import { ADMIN_TOKEN, type SystemClient } from "../support/system.ts";
import {
  browserTest,
  cutSelects,
  hasBrowser,
  newVisitor,
  openBrowser,
  overflow,
  settled,
  violations,
} from "./chromium.ts";
import { picture, RECORDS } from "./screens.ts";
import { AUSTIN } from "../support/addresses.ts";
import { buy } from "../support/buy.ts";
import { linkTo } from "./shopper.support.ts";
import { newStaff, sell } from "./staff.support.ts";

/**
 * Every page of both apps, in light and dark, on a desk and on a phone: clean for axe, and no wider than the window.
 */

let system: SystemClient;
let end: () => Promise<void>;
let browser: Browser;
/** What the pages are of. */
let made: Awaited<ReturnType<typeof make>>;

const PARTS =
  "part_number,title,list_price,superseded_by\n900-001,Console test filter,20,\n900-002,Old test filter,10,900-001\n";
const ITEM = {
  ...{ productId: "bns-900001", partNumber: "900-001", title: "Console test filter" },
  ...{ unitPrice: 20, quantity: 2 },
};
const MUFFLER = "24 667 39-S";
/** Nobody else has this cart and these orders. */
const CUSTOMER = "user_of_pages";
const PAGE_MS = 120_000;

beforeAll(async () => {
  if (!hasBrowser) return;
  [{ system, end }, browser] = await Promise.all([joinSystem({ readsSamples: true }), openBrowser()]);
  await sell(system, PARTS);
  made = await make();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await end?.();
});

async function make() {
  const get = async (path: string) => (await system.request("gateway", "GET", path, { adminToken: ADMIN_TOKEN })).body;
  const figure = await eventually(async () => {
    const { figures } = (await get("/api/fitment/models/kohler-ch-740s/figures")) as {
      figures?: { id: string; schema: string; imageUrl: string }[];
    };
    return figures?.find(({ schema }) => schema === "Figure 2-2: Exhaust");
  }, 120_000);
  const [, sha256] = /manuals\/([0-9a-f]{64})\//.exec(figure.imageUrl)!;
  const customer = await system.token(CUSTOMER);
  const named = { token: customer, body: { name: "Ada Mechanic", phone: "+1 512 555 0100" } };
  expect((await system.request("gateway", "PATCH", "/api/users/me", named)).status).toBe(200);
  const checkout = { items: [ITEM], shippingAddress: AUSTIN };
  const guests = await buy(system, checkout);
  const own = await buy(system, { ...checkout, customerId: CUSTOMER }, { token: customer });
  const facts = {
    ...{ phone: "+1 775 555 0100", email: "hello@shop.example", openingHours: ["Mon to Fri 8 am to 5 pm"] },
    policies: {
      returns: { en: "# Within 30 days\n\nUnused parts in their box.\n\n- [Ask us](mailto:hello@shop.example)" },
    },
  };
  const set = await system.request("gateway", "PATCH", "/api/admin/settings", { adminToken: ADMIN_TOKEN, body: facts });
  expect(set.status).toBe(200);
  const { body } = await system.request("gateway", "POST", "/api/admin/webhooks", {
    adminToken: ADMIN_TOKEN,
    body: { url: "https://erp.example/hooks", eventTypes: ["order.created"], description: "The ERP", disabled: true },
  });
  for (const query of ["900-001", "zzyzzyx"]) await get(`/api/search?q=${query}`);
  return { figure, sha256: sha256!, guests, own, link: await linkTo(system, guests.orderNumber), webhook: body.data };
}

interface Look {
  name: string;
  options: BrowserContextOptions;
}

const PHONE = { viewport: { width: 360, height: 740 } };
/** Both colours, the narrowest and the widest; recorded as the documentation has them. Other languages are longer. */
const looks = (locale: string): Look[] =>
  RECORDS
    ? [
        { name: "light", options: {} },
        { name: "dark", options: { colorScheme: "dark" } },
        { name: "phone", options: PHONE },
      ]
    : [
        { name: "light, 4k", options: { viewport: { width: 3_840, height: 800 } } },
        { name: "dark phone", options: { ...PHONE, colorScheme: "dark", locale } },
      ];

/** Pictures that are seen; a page of a manual may be drawn only now. What a narrow window hides is never asked for. */
const PICTURES_ARE_HERE = `[...document.images].every((of) =>
  of.complete || !of.checkVisibility() || of.getBoundingClientRect().top > innerHeight)`;

async function check(page: Page, name: string, look: Look): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  // Playwright's own wait for an expression is refused by the pages' policy from the second look on.
  await eventually(() => page.evaluate<boolean>(PICTURES_ARE_HERE));
  const faults = [...(await violations(page)), ...(await cutSelects(page))];
  expect([name, look.name, faults, await overflow(page)]).toEqual([name, look.name, [], 0]);
}

/** By the names that `packages/web/src/shop/routes.ts` has. */
const shopPages = (): Record<string, string> => ({
  home: "/",
  results: "/search?q=carburetor",
  compare: "/compare?part=koh-2466739s&part=kmt-tl29005",
  // No other suite looks at it: what is asked of its supplier is answered from memory then.
  part: "/parts/koh-2466739s",
  tire: "/parts/kmt-tl29005",
  machines: "/machines",
  machine: "/machines/kohler-ch-740s",
  figure: `/figures/${encodeURIComponent(made.figure.id)}?model=kohler-ch-740s`,
  manual: `/manuals/${made.sha256}/pages/8?part=${encodeURIComponent(MUFFLER)}`,
  desk: "/desk?q=What+muffler+fits+my+CH-740S%3F",
  cart: "/cart",
  success: `/checkout/success?session_id=${made.guests.sessionId}`,
  cancel: "/checkout/cancel",
  orders: "/orders",
  account: "/account",
  findOrder: "/orders/find",
  ownOrder: `/account/orders/${made.own.orderId}`,
  linkedOrder: new URL(made.link).pathname,
  policy: "/policies/returns",
  problem: "/none",
  "nothing-found": "/search?q=zzzqqqxx",
  "sign-in-failed": "/sign-in-failed",
});

browserTest(
  "every page of the shop",
  async () => {
    const routes = readFileSync(join(import.meta.dirname, "../../packages/web/src/shop/routes.ts"), "utf8");
    const names = /PAGES = \{([^}]*)\}/.exec(routes)![1]!.match(/\w+/g)!;
    // Beside an identity provider there is no page to sign in.
    expect(Object.keys(shopPages())).toEqual(expect.arrayContaining(names.filter((name) => name !== "signIn")));
    const at = (path: string): string => system.url("shop") + path;
    const tooFar = await fetch(at("/search?q=carburetor&page=9999"), { redirect: "manual" });
    expect([tooFar.status, tooFar.headers.get("location")]).toEqual([
      302,
      expect.stringMatching(/q=carburetor&page=\d\d?$/),
    ]);
    for (const look of looks("es-ES")) {
      const { page, complaints } = await newVisitor(browser, look.options);
      const token = await system.token(CUSTOMER);
      await page.context().addCookies([{ name: "partline_shop_token", value: token, url: at("/") }]);
      expect((await page.request.post(at("/api/cart/items"), { data: { item: ITEM } })).status()).toBe(200);
      for (const [name, path] of Object.entries(shopPages())) {
        // The pages of manuals are drawn now, one after another.
        await page.goto(at(path), { timeout: PAGE_MS });
        await settled(page, PAGE_MS);
        await check(page, name, look);
        await picture(page, `${name}-${look.name}`);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  },
  600_000,
);

const consolePages = (): Record<string, string> => ({
  home: "/",
  orders: "/orders",
  queue: "/orders?queue=to_pack",
  order: `/orders/${made.guests.orderId}/show`,
  customers: "/users",
  customer: `/users/${CUSTOMER}/show`,
  parts: "/catalog-parts",
  part: "/catalog-parts/bns-900001/show",
  lowStock: "/low-stock",
  purchases: "/purchases",
  vendors: "/vendors",
  interchange: "/interchange",
  syncs: "/syncs",
  "price-files": "/price-files",
  manuals: "/manuals",
  manual: `/manuals/${made.sha256}/show?page=8`,
  search: "/search",
  "dead-letters": "/dead-letters",
  tasks: "/tasks",
  figures: "/figures",
  watching: "/watching",
  events: "/event-log",
  aggregate: `/event-log/${made.guests.orderId}`,
  webhooks: "/webhooks",
  "new-webhook": "/webhooks/create",
  webhook: `/webhooks/${made.webhook.endpointId}/show`,
  "edit-webhook": `/webhooks/${made.webhook.endpointId}`,
  keys: "/keys",
  "new-key": "/keys/create",
  roles: "/roles",
  settings: "/settings",
  audit: "/audit",
});

browserTest(
  "every page of the console",
  async () => {
    for (const look of looks("de-DE")) {
      const staff = await newStaff(system, browser, look.options);
      const { page } = staff;
      await page.goto(staff.at("/"));
      await check(page, "gate", look);
      await staff.comeInAs("customer", "/");
      await check(page, "not-staff", look);
      await staff.comeInAs("admin", "/roles");
      // Each entry of the menu is one of these pages.
      await page.getByRole("table").waitFor();
      const menu = await page
        .locator('[role="menuitem"]')
        .evaluateAll((entries) =>
          entries.map((entry) => new URL((entry as unknown as { href: string }).href).pathname),
        );
      expect(Object.values(consolePages())).toEqual(expect.arrayContaining(menu));
      let shownBefore = "";
      for (const [name, path] of Object.entries(consolePages())) {
        // Recorded pictures are of pages that were loaded.
        await (RECORDS ? page.goto(staff.at(path)) : staff.goTo(path));
        const main = page.locator("main");
        // Within the console the page before stays until the next one asks for what it shows.
        await eventually(async () => (await main.innerText()) !== shownBefore, PAGE_MS);
        // The tail has no end.
        if (name === "events") await page.getByRole("row").nth(1).waitFor();
        else await settled(page, PAGE_MS);
        const shown = await main.innerText();
        expect([name, shown]).not.toEqual([name, shownBefore]);
        shownBefore = shown;
        await check(page, name, look);
        await picture(page, `console-${name}-${look.name}`);
      }
      expect(staff.complaints).toEqual([]);
      await page.context().close();
    }
  },
  900_000,
);

/** What stands on paper: words that are seen, and whether all of them are black. */
const ON_PAPER = `(() => {
  const seen = [...document.querySelectorAll("body *")].filter((of) => of.checkVisibility() && of.textContent.trim());
  return {
    text: document.body.innerText,
    colors: [...new Set(seen.map((of) => getComputedStyle(of).color))],
  };
})()`;

browserTest("an order is printed black on white, without what is around it", async () => {
  const dark: BrowserContextOptions = { colorScheme: "dark" };
  const { page: shopper } = await newVisitor(browser, dark);
  const staff = await newStaff(system, browser, dark);
  await staff.comeInAs("admin", consolePages()["order"]!);
  await staff.button("Ship").waitFor();
  await shopper.goto(made.link);
  for (const page of [shopper, staff.page]) {
    await page.emulateMedia({ media: "print" });
    const { text, colors } = await page.evaluate<{ text: string; colors: string[] }>(ON_PAPER);
    expect(text).toContain(made.guests.orderNumber);
    expect(text).toContain("Console test filter");
    for (const around of ["Search", "Sign in", "Ship", "Customers", "Add note", "Cancel order"])
      expect(text).not.toMatch(new RegExp(`^${around}$`, "im"));
    expect(colors).toEqual(["rgb(0, 0, 0)"]);
    await page.context().close();
  }
});
