import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { ROLES } from "../../broker/contract/scopes.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, type System } from "../support/system.ts";
import { startReceiver } from "../support/webhook-receiver.ts";
import { browserTest, hasBrowser, press } from "./chromium.ts";
import { AUSTIN } from "../support/addresses.ts";
import { buy } from "../support/buy.ts";
import { newStaff, startSelling, type Staff } from "./staff.support.ts";

let system: System;
let browser: Browser;
/** One for all tests that do not visit by themselves: a first load of the console takes a second of a processor. */
let clerk: Staff;
let staff: Staff;
let page: Page;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

const PARTS = "part_number,title,list_price\n900-001,Console test filter,20\n";
const ITEM = {
  productId: "bns-900001",
  partNumber: "900-001",
  title: "Console test filter",
  unitPrice: 20,
  quantity: 2,
};

beforeAll(async () => {
  if (!hasBrowser) return;
  [{ system, browser }, receiver] = await Promise.all([startSelling(PARTS), startReceiver()]);
  clerk = await newStaff(system, browser);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await system?.stop();
});
beforeEach(async () => {
  if (!hasBrowser) return;
  ({ page } = staff = clerk);
  await staff.reset();
});

async function visit(options: BrowserContextOptions = {}): Promise<void> {
  ({ page } = staff = await newStaff(system, browser, options));
}

const asAdmin = async (method: "GET" | "POST" | "DELETE", path: string, body?: unknown) =>
  (await system.request("gateway", method, path, { adminToken: ADMIN_TOKEN, ...(body ? { body } : {}) })).body.data;
const open = (path: string) => page.goto(staff.at(path));
const button = (name: string) => staff.button(name);
const dialog = () => page.getByRole("dialog");
const heading = (name: string) => page.getByRole("heading", { level: 1, name });

/** An order of 40.00. */
const order = () => buy(system, { items: [ITEM], shippingAddress: AUSTIN });

browserTest("figures show what was sold in any period, and a rebuild goes on through a reload", async () => {
  await order();
  for (const query of ["900-001", "zzyzzyx", "q".repeat(400)])
    await system.request("gateway", "GET", `/api/search?q=${query}`);
  await eventually(async () => {
    const { body } = await system.request("gateway", "GET", "/api/analytics/overview", { adminToken: ADMIN_TOKEN });
    return body.orders.totalOrders > 0 && body.searches.zeroHits > 1;
  }, 30_000);
  await staff.comeInAs("admin", "/figures");
  await page.getByRole("img", { name: "1 orders, 0 of them cancelled" }).waitFor();
  await page.getByRole("region", { name: "At a glance" }).getByText("$40.00", { exact: true }).first().waitFor();
  const inVain = page.getByRole("table", { name: "Searches without results" });
  await inVain.getByText("zzyzzyx").waitFor();
  // The figures beside a long word are in sight.
  await inVain.getByText("qqq").waitFor();
  const frame = await page.getByRole("group", { name: "Searches without results" }).boundingBox();
  expect((await inVain.boundingBox())!.width).toBeLessThanOrEqual(frame!.width);
  await page
    .getByRole("table", { name: "Best-selling parts" })
    .getByText(/^900-001 · .+/)
    .waitFor();
  await page.getByRole("table", { name: "Payment" }).getByText("paid").waitFor();
  // A plot's values, for who does not see it.
  await press(page.getByRole("region", { name: "Orders", exact: true }).getByText("Values"));
  const days = page.getByRole("table", { name: "Orders: Values" }).getByRole("row");
  await days.last().waitFor();
  expect(await days.last().getByRole("cell").allTextContents()).toEqual([
    expect.stringMatching(/^\d+\/\d+$/),
    "1",
    "0",
  ]);
  expect(await days.count()).toBe(31);

  // Two dates are in the address; the API says what is wrong with them.
  await page.getByRole("combobox", { name: "Period" }).selectOption({ label: "Custom dates" });
  await page.getByLabel("From", { exact: true }).fill("2020-01-01");
  await page.getByLabel("To (included)").fill("2020-01-31");
  await page.getByRole("img", { name: "0 orders, 0 of them cancelled" }).waitFor();
  // The shop's own pages save no carts: what counts is checkouts.
  await page.getByText("0 of 0 checkouts").waitFor();
  await page.getByLabel("To (included)").fill("2019-01-01");
  const refused = await system.request("gateway", "GET", "/api/analytics/orders?from=2020-01-01&to=2019-01-01", {
    adminToken: ADMIN_TOKEN,
  });
  await page.getByRole("alert").getByText(refused.body.error.message).first().waitFor();
  await page.getByLabel("To (included)").fill("2020-02-01");
  await page.reload();
  await page.getByRole("img", { name: "0 orders, 0 of them cancelled" }).waitFor();
  expect(new URL(page.url()).search).toBe("?from=2020-01-01&to=2020-02-01");

  const generations = async (): Promise<number[]> => {
    const { body } = await system.request("gateway", "GET", "/api/analytics/projections", { adminToken: ADMIN_TOKEN });
    return (body.projections as { generation: number }[]).map(({ generation }) => generation);
  };
  const before = await generations();
  await press(button("Rebuild all figures"));
  await page.getByText("Rebuilding the figures").waitFor();
  await page.reload();
  await eventually(async () => (await generations()).every((now, at) => now > before[at]!), 30_000);
  await page.getByRole("table", { name: "How current the figures are" }).getByText("current").first().waitFor();
  expect(staff.complaints).toEqual([]);
});

browserTest("nodes, incidents, queues and latencies are live", async () => {
  await staff.comeInAs("admin", "/watching");
  const node = await eventually(async () => {
    const answer = await system.request("gateway", "GET", "/api/health-analytics/nodes", { adminToken: ADMIN_TOKEN });
    return (answer.body.nodes as { node: string }[])[0]?.node;
  }, 30_000);
  await page.getByRole("table", { name: "Nodes" }).getByText(node).waitFor();
  await page.getByRole("img", { name: /^At most \d+ events and due tasks were waiting$/ }).waitFor();
  await page.getByRole("img", { name: /^p95 response times: .*console \d+ ms/ }).waitFor();
  await page.getByRole("table", { name: "Entry points" }).getByText("health-analytics").waitFor();
  const asOf = page.getByText(/^As of /);
  const first = await asOf.textContent();
  await eventually(async () => (await asOf.textContent()) !== first, 20_000);
  expect(staff.complaints).toEqual([]);
});

browserTest("a webhook is made with its secret shown once, changed, rotated, disabled and replayed", async () => {
  await staff.comeInAs("admin", "/webhooks");
  await press(page.getByRole("link", { name: "Add webhook" }));
  await page.getByLabel("URL").fill("https://169.254.169.254/latest");
  await page.getByRole("checkbox", { name: "order.created" }).check();
  await press(button("Save"));
  const refused = await system.request("gateway", "POST", "/api/admin/webhooks", {
    adminToken: ADMIN_TOKEN,
    body: { url: "https://169.254.169.254/latest", eventTypes: ["order.created"] },
  });
  // Beside its field.
  await page.getByText(refused.body.error.details[0].message).first().waitFor();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByLabel("Description").fill("<b>The ERP</b>");
  await press(button("Save"));
  const secretIn = () => dialog().getByLabel("Endpoint secret").last().inputValue();
  await dialog().getByText("You won't see this again").waitFor();
  const secret = await secretIn();
  expect(secret).toMatch(/^whsec_/);
  await staff.axeClean();
  await press(dialog().getByRole("button", { name: "Close" }));
  await heading(receiver.url).waitFor();
  await page.getByText("<b>The ERP</b>").waitFor();
  await page.reload();
  await heading(receiver.url).waitFor();
  expect(await page.content()).not.toContain(secret);
  const endpointId = new URL(page.url()).pathname.split("/")[2]!;

  receiver.verifyBy(secret);
  receiver.answerBy((res) => res.writeHead(500).end("<p>not today</p>"));
  const { orderId } = await order();
  const delivery = page.getByRole("row", { name: /^order\.created · msg_/ });
  await delivery.getByText("waiting").waitFor();
  await press(delivery.getByRole("button", { name: /^Attempts/ }));
  await dialog().getByText("500").first().waitFor();
  // The order's event has data of its buyer, which the answer may repeat.
  expect(await dialog().getByText("not today").count()).toBe(0);
  await staff.axeClean();
  await press(dialog().getByRole("button", { name: "Close" }));

  // What waits for a retry, or has failed as the endpoint was disabled, is sent again.
  await press(button("Disable"));
  await button("Enable").waitFor();
  // The first retry comes after five seconds, the second after five minutes.
  await eventually(async () => {
    const { deliveries } = await asAdmin("GET", `/api/admin/webhooks/${endpointId}/deliveries`);
    return deliveries[0].state === "failed" || deliveries[0].attempts > 1;
  }, 30_000);
  receiver.answerBy((res) => res.writeHead(204).end());
  await press(button("Enable"));
  await button("Disable").waitFor();
  const tried = receiver.received.length;
  await press(button("Resend several"));
  await press(dialog().getByRole("button", { name: "Resend" }));
  await page.reload();
  await delivery.getByText("delivered", { exact: true }).waitFor();
  expect(receiver.received.slice(tried)).toMatchObject([{ data: { orderId } }]);
  await press(delivery.getByRole("button", { name: /^Resend/ }));
  await eventually(() => receiver.received.length === tried + 2, 30_000);
  // All needs a period: the API says so.
  await press(button("Resend several"));
  await page.getByRole("combobox", { name: "Which" }).selectOption({ label: "Everything in the period" });
  await press(dialog().getByRole("button", { name: "Resend" }));
  await dialog().getByRole("alert").getByText("The 'from' field is required to replay all.").waitFor();
  await dialog().getByLabel("Occurred from").fill("2026-01-01T00:00");
  await press(dialog().getByRole("button", { name: "Resend" }));
  await eventually(() => receiver.received.length === tried + 3, 30_000);

  await press(button("Rotate secret"));
  await page.getByLabel("Hours the old secret stays valid").fill("");
  expect(await dialog().getByRole("button", { name: "Rotate secret" }).isDisabled()).toBe(true);
  await page.getByLabel("Hours the old secret stays valid").fill("0");
  // After a lost answer, the second press is the same rotation.
  const made: string[] = [];
  await page.route("**/secret", async (route) => {
    const { data } = (await (await route.fetch()).json()) as { data: { secret: string } };
    made.push(data.secret);
    await route.abort("connectionreset");
  });
  await page.keyboard.press("Enter");
  await dialog()
    .getByText(/^The server isn't responding/)
    .waitFor();
  await page.unroute("**/secret");
  await press(dialog().getByRole("button", { name: "Rotate secret" }));
  await page.getByText("You won't see this again").waitFor();
  const rotated = await secretIn();
  expect([...new Set(made)]).toEqual([rotated]);
  expect([rotated === secret, rotated]).toEqual([false, expect.stringMatching(/^whsec_/)]);
  await press(dialog().getByRole("button", { name: "Close" }));

  await press(page.getByRole("link", { name: "Edit" }));
  await page.getByLabel("Description").fill("Warehouse");
  await press(button("Save"));
  await page.getByText("Warehouse").waitFor();
  expect(await asAdmin("GET", `/api/admin/webhooks/${endpointId}`)).toMatchObject({
    description: "Warehouse",
    url: receiver.url,
    disabled: false,
  });
  await press(page.getByRole("link", { name: "Edit" }));
  await press(button("Delete"));
  await press(button("Confirm"));
  await page.getByText("No webhooks yet").waitFor();
  expect(staff.complaints).toEqual([]);
});

browserTest("by keyboard, a key is made, shown once and revoked; the audit has both", async () => {
  await staff.signIn("/keys");
  await page.getByRole("link", { name: "Create key" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Name").fill("ERP <script>");
  await page.getByRole("checkbox", { name: /^orders:read/ }).focus();
  await page.keyboard.press("Space");
  await button("Save").focus();
  await page.keyboard.press("Enter");
  await dialog().getByText("You won't see this again").waitFor();
  const key = await dialog().getByLabel("New key").last().inputValue();
  expect(key).toMatch(/^pl_live_/);
  const read = () => system.request("gateway", "GET", "/api/admin/orders", { token: key });
  expect((await read()).status).toBe(200);
  await dialog().getByRole("button", { name: "Close" }).focus();
  await page.keyboard.press("Enter");
  const card = page.getByRole("row", { name: /^ERP <script> · key_/ });
  await card.getByText("orders:read").waitFor();
  expect(await page.content()).not.toContain(key);
  await card.getByRole("button", { name: /^Revoke/ }).focus();
  await page.keyboard.press("Enter");
  await button("Confirm").focus();
  await page.keyboard.press("Enter");
  await page.getByText("Key revoked").waitFor();
  await eventually(async () => (await read()).status === 401, 10_000);

  await press(page.getByRole("menuitem", { name: "Audit" }));
  await page.getByLabel("Object type").fill("key");
  const revoked = page.getByRole("row", { name: /^Key revoked/ });
  await revoked.getByText("Sandbox Admin").waitFor();
  await press(revoked.getByRole("button", { name: /^View/ }));
  const change = dialog().getByRole("row", { name: /^revokedAt/ });
  expect(await change.getByRole("cell").allTextContents()).toEqual(["revokedAt", "–", expect.stringMatching(/^"20/)]);
  await press(dialog().getByRole("button", { name: "Close" }));
  await page.getByRole("row", { name: /^Key created/ }).waitFor();
  await page.getByLabel("To (included)").fill("2020-01-01");
  await page.getByText("No matching entries").waitFor();
  await page.getByLabel("To (included)").fill("");
  await page.getByLabel("Who").fill("user:nobody");
  await page.getByText("No matching entries").waitFor();

  await press(page.getByRole("menuitem", { name: "Roles" }));
  const heads = page.getByRole("table", { name: "Roles" }).getByRole("columnheader");
  await heads.first().waitFor();
  expect(await heads.allTextContents()).toEqual(["Permissions", ...ROLES]);
  expect(staff.complaints).toEqual([]);
});

browserTest("a filter that is not yet in the address brings nobody back to a page that was left", async () => {
  await visit();
  await page.clock.install();
  await staff.comeInAs("admin", "/audit");
  let arrive = (): void => undefined;
  const isHere = new Promise<void>((resolve) => (arrive = resolve));
  await page.route("**/assets/*.js", async (route) => {
    await isHere;
    await route.continue();
  });
  await page.getByLabel("Who").fill("user:nobody");
  await press(page.getByRole("menuitem", { name: "Analytics" }));
  await page.clock.fastForward(1_000);
  arrive();
  await heading("Analytics").waitFor();
  expect(page.url()).toBe(staff.at("/figures"));
  expect(staff.complaints).toEqual([]);
});

browserTest("events come live, are filtered and paused; a slider shows an aggregate at any time", async () => {
  await staff.comeInAs("admin", "/event-log");
  const table = page.getByRole("table", { name: "Events" });
  const { orderId, orderNumber } = await order();
  await table.getByText("ORDER_CREATED").first().waitFor();

  // What is open stays what it is when newer events come above it.
  await press(table.getByRole("button", { name: /^View: ORDER_CREATED/ }).first());
  const name = (await dialog().getByRole("heading").textContent())!;
  const { orderNumber: next } = await order();
  await page.getByText(`${next} · 1`).waitFor();
  await dialog().getByRole("heading", { name, exact: true }).waitFor();
  await press(dialog().getByRole("button", { name: "Close" }));

  await page.getByLabel("Aggregate", { exact: true }).fill(orderId);
  await page.keyboard.press("Enter");
  await page.getByText("SEARCH_PERFORMED").first().waitFor({ state: "detached" });
  await press(button("Pause"));
  await asAdmin("POST", `/api/admin/orders/${orderId}/shipments`, {});
  const shipped = await eventually(async () => {
    const { body } = await system.request("eventstore", "GET", `/events?aggregate_id=${orderId}`, {
      adminToken: ADMIN_TOKEN,
    });
    return (body.events as { event_type: string }[]).some(({ event_type }) => event_type === "ORDER_SHIPPED");
  }, 30_000);
  expect([shipped, await table.getByText("ORDER_SHIPPED").count()]).toEqual([true, 0]);
  await press(button("Resume"));
  await table.getByText("ORDER_SHIPPED").waitFor();
  await press(table.getByRole("link").first());

  await heading(`State of ${orderNumber}`).waitFor();
  await page.getByText(orderId, { exact: true }).waitFor();
  const state = page.getByRole("region", { name: "State", exact: true }).locator("pre");
  await state.getByText('"status": "shipped"').waitFor();
  await page.getByRole("slider").focus();
  await page.keyboard.press("Home");
  await state.getByText('"status": "pending"').waitFor();
  await page.getByText(/^Version 1 of/).waitFor();
  await page.keyboard.press("End");
  await state.getByText('"status": "shipped"').waitFor();

  // A filter asks again, also while the tail is paused.
  await staff.goTo("/event-log");
  await page.getByText(`${next} · 1`).waitFor();
  await press(button("Pause"));
  await page.getByLabel("Aggregate", { exact: true }).fill(orderId);
  await page.keyboard.press("Enter");
  await page.getByText(`${next} · 1`).waitFor({ state: "detached" });
  await table.getByText("ORDER_SHIPPED").waitFor();
  expect(staff.complaints).toEqual([]);
});

browserTest("staff see only what they may, and are refused the rest", async () => {
  const entries = async (): Promise<string[]> => {
    await page.getByRole("menuitem").first().waitFor();
    return page.getByRole("menuitem").allTextContents();
  };
  await staff.comeInAs("clerk", "/orders");
  const clerks = await entries();
  for (const name of ["Analytics", "Monitoring", "Events", "Webhooks", "Keys", "Roles", "Audit"])
    expect(clerks).not.toContain(name);
  // A page that is not theirs says what is missing, whose it is, and asks for nothing.
  for (const [path, scope] of [
    ["/webhooks", "webhooks:read"],
    ["/catalog-parts/create", "catalog:write"],
    ["/keys/create", "keys:write"],
    ["/dead-letters", "system:read"],
    ["/watching", "system:read"],
  ] as const) {
    await staff.goTo(path);
    await heading("You may not see this page").waitFor();
    await page.getByText(`(${scope})`).waitFor();
    await page.getByText("admin, owner").waitFor();
  }
  await staff.axeClean();
  expect(staff.complaints).toEqual([]);
  const { body } = await page.request
    .get(`${system.url("console")}/api/health-analytics/overview`)
    .then(async (answer) => ({ status: answer.status(), body: await answer.json() }));
  // What may not be read is not shown as a list of nothing.
  await page.route("**/catalog/interchange*", (route) => route.fulfill({ status: 403, json: body }));
  await staff.goTo("/interchange");
  await page.locator("#main-content").getByRole("alert").getByText(body.error.message).waitFor();
  expect(await page.getByText("Nothing found").count()).toBe(0);

  await staff.reset();
  const made = await asAdmin("POST", "/api/admin/webhooks", { url: receiver.url, eventTypes: ["order.created"] });
  await staff.comeInAs("read-only", `/webhooks/${made.endpointId}/show`);
  await heading(receiver.url).waitFor();
  for (const name of ["Rotate secret", "Resend several", "Disable"]) expect(await button(name).count()).toBe(0);
  for (const [path, link] of [
    ["/webhooks", "Add webhook"],
    ["/keys", "Create key"],
  ] as const) {
    await open(path);
    await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached" });
    await page.waitForLoadState("networkidle");
    expect(await page.getByRole("link", { name: link }).count()).toBe(0);
  }
  await staff.goTo("/figures");
  await page.getByRole("table", { name: "How current the figures are" }).waitFor();
  expect(await button("Rebuild all figures").count()).toBe(0);
  await asAdmin("DELETE", `/api/admin/webhooks/${made.endpointId}`);
});

browserTest("the console speaks the language that was chosen, react-admin's parts too", async () => {
  await visit({ locale: "de-DE" });
  await open("/keys");
  await press(page.getByRole("link", { name: "Anmelden" }));
  await press(button("admin@partline.example"));
  await press(page.getByRole("link", { name: "Schlüssel anlegen" }));
  await button("Speichern").waitFor();
  await page.getByRole("combobox", { name: "Sprache" }).selectOption("es");
  await button("Guardar").waitFor();
  expect(await page.getAttribute("html", "lang")).toBe("es");
  await open("/nothing-here");
  await page.getByText("La dirección es incorrecta, o el enlace no lleva a nada.", { exact: true }).waitFor();
});
