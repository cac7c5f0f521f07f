import { expect, test } from "@jest/globals";
import { ulid } from "ulid";
import { buy } from "../support/buy.ts";
import { quarters } from "../support/images.ts";
import { eventually } from "../support/eventually.ts";
import { ADMIN_TOKEN, startSystem } from "../support/system.ts";
import { useStarted } from "../support/use-started.ts";

const system = useStarted(() =>
  startSystem({
    env: {
      SHOP_ADDRESS: "12 Wharf Road|Reno, NV 89501",
      IDENTITY_MODE: "mail",
      STAFF: "owner:boss@shop.example",
    },
  }),
);
const SETTINGS = "/api/admin/settings";

const change = (body: object) => system.request("gateway", "PATCH", SETTINGS, { adminToken: ADMIN_TOKEN, body });
const findItems = async () => {
  const { body } = await system.request("search", "GET", "/api/search?q=filter&limit=1&availability=in_stock");
  const [{ id: productId, partNumber, title, price }] = body.parts;
  return [{ productId, partNumber, title, quantity: 1, unitPrice: price }];
};
const getPage = async (path: string, language = "en"): Promise<string> =>
  (await system.request("shop", "GET", path, { headers: { "Accept-Language": language } })).text;

test("what staff set is on the shop's pages; what the environment sets is not theirs to change", async () => {
  const before = await system.request("gateway", "GET", SETTINGS, { adminToken: ADMIN_TOKEN });
  expect(before).toMatchObject({ status: 200, body: { data: { pinned: ["address"], shopName: "Partline" } } });
  const changed = await change({ shopName: "Reno <i>Parts</i>", phone: "+1 775 555 0100" });
  expect(changed).toMatchObject({ status: 200, body: { data: { shopName: "Reno <i>Parts</i>" } } });
  await eventually(async () => (await getPage("/")).includes("Reno &lt;i&gt;Parts&lt;/i&gt;"));
  expect((await system.request("gateway", "GET", "/api/shop")).body.data).toMatchObject({ phone: "+1 775 555 0100" });
  expect(await change({ address: ["Elsewhere"] })).toMatchObject({
    status: 400,
    body: { error: { code: "VALIDATION_FAILED", details: [{ field: "address" }] } },
  });
  expect(await change({ version: 0, phone: null })).toMatchObject({ status: 409 });
  expect((await system.request("gateway", "PATCH", SETTINGS, { body: { phone: null } })).status).toBe(401);
  // What was read can be sent back, and changes nothing.
  const same = await change(changed.body.data as object);
  expect([same.status, same.body.data]).toEqual([200, changed.body.data]);
});

test("a value is what a reader can use, and a time zone is stored by its own name", async () => {
  const place = { id: "a", name: "A", address: [], hours: [] };
  const refused = [
    { shopName: "   " },
    { shopName: "\u200b" },
    { legalName: "Reno\u202estraP" },
    { address: ["12 Wharf Road\u2028Reno"] },
    { phone: "( ) -" },
    { timeZone: "+05:00" },
    { pickupPlaces: Array.from({ length: 21 }, (_, index) => ({ ...place, id: `a-${index}` })) },
  ];
  for (const body of refused) expect([body, (await change(body)).status]).toEqual([body, 400]);
  const { body } = await change({ timeZone: "america/chicago" });
  expect(body.data).toMatchObject({ timeZone: "America/Chicago" });
  expect((await change({})).body.data).toEqual(body.data);
});

test("a policy has its page in the languages that have a text, and a link below every page", async () => {
  expect(await getPage("/")).not.toContain("/policies/");
  expect((await system.request("shop", "GET", "/policies/returns")).status).toBe(404);
  const text = "# Within 30 days\n\n<script>alert(1)</script>\n\n[more](javascript:alert(1))";
  await change({ policies: { returns: { en: text, de: "Innerhalb von **30 Tagen**" } } });
  await eventually(async () => (await getPage("/")).includes('href="/policies/returns"'));
  const english = await getPage("/policies/returns");
  expect(english).toContain("Within 30 days</h1>");
  expect(english).toContain("&lt;script&gt;alert(1)");
  expect(english).not.toContain(">more</a>");
  expect(await getPage("/policies/returns", "de")).toContain("<strong>30 Tagen</strong>");
  // There is no Spanish text.
  expect(await getPage("/policies/returns", "es")).toContain('lang="en"');
  for (const path of ["/policies/terms", "/policies/none", "/policies/__proto__"])
    expect([path, (await system.request("shop", "GET", path)).status]).toEqual([path, 404]);
});

test("the shop's logo, icon and colors are on its pages, and a picture must be stored", async () => {
  const put = await system.request("gateway", "PUT", "/api/media", {
    adminToken: ADMIN_TOKEN,
    rawBody: await quarters(400, 100).png().toBuffer(),
    headers: { "Content-Type": "image/png" },
  });
  const logo = put.body.id as string;
  expect(await change({ logo: "0".repeat(64) })).toMatchObject({
    status: 400,
    body: { error: { details: [{ field: "logo" }] } },
  });
  expect((await change({ colours: { primary: "red" } })).status).toBe(400);
  expect((await change({ logo, favicon: logo, colours: { primary: "#ffee00" } })).status).toBe(200);
  const page = await eventually(async () => {
    const answer = await system.request("shop", "GET", "/");
    return answer.text.includes(`<img src="/api/media/${logo}?`) && answer;
  });
  // What white text can be read on, and what can be read on a dark page.
  expect(page.text).toMatch(/<style>:root\{--brand:light-dark\(#[67][0-9a-f]{5},#ffee00\);\}<\/style>/);
  expect(page.headers.get("content-security-policy")).toMatch(/style-src 'self' 'sha256-[^']+'; /);
  const icon = /<link rel="icon" href="([^"]+)"/.exec(page.text)![1]!.replaceAll("&amp;", "&");
  const answer = await fetch(new URL(icon, system.url("shop")));
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"]);
});

test("an order's mail and invoice name the shop as it is when they are made", async () => {
  await change({ legalName: "Reno Parts LLC", taxIds: ["EIN 12-3456789"], openingHours: ["Mon to Fri 8 to 5"] });
  await change({ mailSender: { name: "Orders", address: "orders@reno.example" } });
  const items = await findItems();
  const cartId = `cart_${Date.now()}_${ulid().toLowerCase()}`;
  const { orderId, orderNumber } = await buy(system, { cartId, items });
  const mail = await eventually(async () => {
    const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
    const { mails } = (await answer.json()) as { mails: { sender: string; text: string; html: string }[] };
    return mails.find(({ text }) => text.includes(orderNumber));
  });
  expect(mail.text).toMatch(/Reno <i>Parts<\/i>\n12 Wharf Road, Reno, NV 89501\n\+1 775 555 0100\nMon to Fri 8 to 5/);
  expect(mail.sender).toMatch(/Orders.*orders@reno\.example/);
  expect(mail.text).toContain("/policies/returns");
  expect(mail.html).toMatch(/<img src="[^"]+&#x2F;api&#x2F;media&#x2F;[0-9a-f]{64}\?/);
  expect(mail.html).toMatch(/background:#7[0-9a-f]{5};color:#ffffff/);
  const invoice = await fetch(`${system.url("gateway")}/api/admin/orders/${orderId}/invoice.pdf`, {
    headers: { "X-Admin-Token": ADMIN_TOKEN },
  });
  // Its author, and the logo; the pages are packed.
  const pdf = await invoice.text();
  expect([invoice.status, pdf.includes("(Reno Parts LLC)"), pdf.includes("/Subtype /Image")]).toEqual([
    200,
    true,
    true,
  ]);
});

test("the sender, the stock policy and the table of shipping costs are in force once they are set", async () => {
  const { parts } = (await system.request("search", "GET", "/api/search?q=filter&limit=1&availability=in_stock")).body;
  const [{ id: productId, partNumber, price, manufacturer }] = parts;
  const vendor = manufacturer.code as string;
  const quote = async () => {
    const deliveryPromise = { kind: "ships", day: "2020-01-01" };
    const items = [{ productId, partNumber, title: "Filter", quantity: 1, unitPrice: price, deliveryPromise }];
    const destination = { country: "US", state: "TX", postalCode: "78701" };
    const answer = await system.request("gateway", "POST", "/api/shipping/quotes", { body: { items, destination } });
    return (answer.body.data ?? answer.body).methods.map(({ serviceType, cost }: Record<string, unknown>) => [
      serviceType,
      cost,
    ]);
  };
  const method = { provider: "van", serviceType: "next day", estimatedDays: 1, by: "weight" };
  const createTable = (...steps: object[]) => ({
    shippingTable: {
      weightUnit: "kg",
      defaultWeight: 1,
      zones: [{ name: "All", countries: ["*"], methods: [{ ...method, steps }] }],
    },
  });
  expect(await change(createTable({ upTo: 2, cost: 5 }, { upTo: 1, cost: 6 }))).toMatchObject({
    status: 400,
    body: {
      error: {
        details: [
          { field: "shippingTable.zones[0].methods", code: "methods_end" },
          { field: "shippingTable.zones[0].methods[0].steps[1].upTo", code: "bound_low" },
        ],
      },
    },
  });
  // Forms send what is empty as null.
  expect((await change(createTable({ upTo: null, cost: 12.5, perUnit: null }))).status).toBe(200);
  await eventually(async () => JSON.stringify(await quote()) === '[["next day",12.5]]');
  expect((await change({ shippingTable: null })).body.data).toMatchObject({
    shippingTable: { zones: [{}, {}, {}, {}] },
  });
  await eventually(async () => (await quote()).length > 1);

  expect((await change({ mailSender: { name: "Orders", address: "nobody" } })).status).toBe(400);
  const unknown = await change({ stockPolicy: { vendors: [{ vendor: "NOSUCH", beyond: "sell" }] } });
  expect(unknown.body.error).toMatchObject({ details: [{ field: "stockPolicy.vendors[0].vendor" }] });
  const stockPolicy = { vendors: [{ vendor, beyond: "up_to_stock" }] };
  expect((await change({ stockPolicy })).body.data).toMatchObject({
    mailSender: { address: "orders@reno.example" },
    stockPolicy: { usual: { beyond: "sell" }, ...stockPolicy },
  });
  await eventually(async () => {
    const { body } = await system.request("gateway", "GET", "/api/admin/vendors", { adminToken: ADMIN_TOKEN });
    return body.vendors.some(
      ({ code, beyondStock }: Record<string, string>) => code === vendor && beyondStock === "up_to_stock",
    );
  });
  // Shoppers need not know.
  const shop = await system.request("gateway", "GET", "/api/shop");
  expect(Object.keys(shop.body.data as object)).not.toEqual(expect.arrayContaining(["mailSender"]));
});

test("the audit stream says who changed which setting, from what to what", async () => {
  const { body } = await system.request("gateway", "GET", "/api/admin/audit?object=settings", {
    adminToken: ADMIN_TOKEN,
  });
  expect(body.data.entries.at(-1)).toMatchObject({
    actor: "admin",
    action: "settings.change",
    changes: expect.arrayContaining([{ field: "phone", before: null, after: "+1 775 555 0100" }]),
  });
});

test("an order is picked up at the place that its buyer must choose, and found by it", async () => {
  const place = (id: string, name: string) => ({ id, name, address: ["1 Elm Street"], hours: ["Mon to Fri 8 to 5"] });
  const north = place("north", "North yard");
  await change({ pickupPlaces: [north, place("south", "South yard")] });
  const [item] = await findItems();
  const checkout = (fields: object) => ({
    cartId: `cart_${Date.now()}_${ulid().toLowerCase()}`,
    items: [item],
    ...fields,
  });
  const open = async (fields: object) =>
    (await system.request("payment", "POST", "/api/checkout/session", { body: checkout(fields) })).body.error?.details;
  expect(await open({ fulfilment: "ship", pickupPlace: "south" })).toMatchObject([{ field: "pickupPlace" }]);
  await eventually(async () => {
    const [detail] = (await open({ fulfilment: "pickup" })) as { field: string }[];
    return detail!.field === "pickupPlace";
  });
  expect(await open({ fulfilment: "pickup", pickupPlace: "east" })).toMatchObject([{ field: "pickupPlace" }]);
  const deliveryPromise = { kind: "ready", day: `${new Date().getUTCFullYear() + 1}-01-01` };
  const promise = (fields: object) =>
    open({ fulfilment: "pickup", deliveryPromise: { ...deliveryPromise, ...fields } });
  for (const day of ["2026-02-31", "2020-01-01", "2999-01-01", "tomorrow", 3])
    expect(await promise({ day })).toMatchObject([{ field: "deliveryPromise.day" }]);
  expect(await promise({ kind: "arrives" })).toMatchObject([{ field: "deliveryPromise.kind" }]);
  const order = await buy(system, checkout({ fulfilment: "pickup", pickupPlace: "south", deliveryPromise }));
  const { orderId } = order;
  expect(order).toMatchObject({ deliveryPromise });
  const asAdmin = async (method: "GET" | "POST", path: string, body?: object) =>
    (await system.request("payment", method, `/api/admin/orders${path}`, { adminToken: ADMIN_TOKEN, body })).body.data;
  const find = async (filter: object) =>
    ((await asAdmin("POST", "/search", filter)).orders as { orderId: string }[]).map((order) => order.orderId);
  await asAdmin("POST", `/${orderId}/shipments`, {});
  expect(await find({ pickupPlace: "south", queue: "awaiting_pickup" })).toEqual([orderId]);
  expect(await find({ pickupPlace: "north" })).toEqual([]);
  const ready = await eventually(async () => {
    const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
    const { mails } = (await answer.json()) as { mails: { subject: string; text: string }[] };
    return mails.find(({ subject }) => subject.includes("is ready for pickup"));
  });
  expect(ready.text).toContain("Pick it up at South yard, 1 Elm Street (Mon to Fri 8 to 5)");
  // A place where an order waits stays; an order of one that is gone is shown no other.
  const message = expect.stringContaining(
    "South yard (south): orders and open checkouts there that are not picked up yet: 1",
  );
  expect(await change({ pickupPlaces: [north] })).toMatchObject({ status: 400, body: { error: { message } } });
  await system.request("payment", "PATCH", `/api/admin/orders/${orderId}`, {
    ...{ adminToken: ADMIN_TOKEN, body: { status: "delivered" } },
  });
  expect((await change({ pickupPlaces: [north] })).status).toBe(200);
  const token = /\/orders\/([\w.-]+)/.exec(ready.text)![1]!;
  await eventually(async () => {
    const page = await getPage(`/orders/${token}`);
    return page.includes("<strong>south</strong>") && !page.includes("<strong>North yard");
  });
  // One where an open checkout waits stays, too.
  await eventually(async () => (await open({ fulfilment: "pickup" })) === undefined);
  const refusal = { code: "place_in_use", values: { name: "North yard", count: 1 } };
  expect(await change({ pickupPlaces: null })).toMatchObject({ status: 400, body: { error: { details: [refusal] } } });
});

type App = "shop" | "console";

const post = (app: App, path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
  fetch(system.url(app) + path, { method: "POST", body: new URLSearchParams(form), headers, redirect: "manual" });
const open = (app: App, path: string, cookie = "") =>
  fetch(system.url(app) + path, { headers: { Cookie: cookie }, redirect: "manual" });
const toAddress = ({ status, headers }: Response) => [status, headers.get("location")];

async function readLink(email: string): Promise<URL> {
  const mail = await eventually(async () => {
    const answer = await fetch(`${system.sandboxUrl("mailbox")}/sandbox/mails`);
    const { mails } = (await answer.json()) as { mails: { recipient: string; text: string }[] };
    return mails.find(({ recipient }) => recipient === email);
  });
  return new URL(/http\S+/.exec(mail.text)![0]);
}

test.each([
  ["shop", "ada@example.com", "/orders", 200],
  ["console", "boss@shop.example", "/orders", 200],
  ["console", "stranger@example.com", "/", 403],
] as const)("a person signs in to the %s by mail: %s", async (app, email, back, status) => {
  expect(toAddress(await open(app, `/session/sign-in?return=${encodeURIComponent(back)}`))).toEqual([
    302,
    `/sign-in?return=${encodeURIComponent(back)}`,
  ]);
  const sent = await post(app, "/session/mail", { email, return: back });
  expect(toAddress(sent)).toEqual([303, `/sign-in?return=${encodeURIComponent(back)}&sent=1`]);
  const link = await readLink(email);
  expect(link.origin).toBe(system.url(app));
  // A mail server that opens the link uses nothing up.
  for (let times = 0; times < 2; times += 1)
    expect(await (await open(app, link.pathname + link.search)).text()).toContain('action="/session/confirm"');
  const token = link.searchParams.get("token")!;
  const confirmed = await post(app, "/session/confirm", { token, return: back });
  expect(toAddress(confirmed)).toEqual([303, back]);
  const cookie = confirmed.headers.getSetCookie()[0]!.split(";")[0]!;
  expect((await open(app, back, cookie)).status).toBe(status);
  expect(toAddress(await post(app, "/session/confirm", { token, return: back }))).toEqual([
    303,
    `/sign-in?return=${encodeURIComponent(back)}&problem=link`,
  ]);
});

test("bad input is said on the page, and another origin's page signs nobody in", async () => {
  const refused = await post("shop", "/session/mail", { email: "no address", return: "//evil.example" });
  expect(toAddress(refused)).toEqual([303, "/sign-in?return=%2F&problem=address"]);
  expect(await (await open("shop", "/sign-in?problem=address")).text()).toContain("That isn&#x27;t an email address.");
  const foreign = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
  for (const path of ["/session/mail", "/session/confirm"])
    expect([path, (await post("shop", path, { email: "ada@example.com" }, foreign)).status]).toEqual([path, 403]);
});

test("a front end of one's own signs people in by the API", async () => {
  const body = { email: "own@example.com", return: "https://evil.example" };
  const wrong = await system.request("gateway", "POST", "/api/users/sign-in-links", { body });
  expect([wrong.status, wrong.body.error.details]).toMatchObject([400, [{ field: "return" }]]);
  const linkAnswer = await system.request("gateway", "POST", "/api/users/sign-in-links", {
    body: { email: body.email },
  });
  expect(linkAnswer.status).toBe(202);
  const token = (await readLink(body.email)).searchParams.get("token")!;
  const { body: session, status } = await system.request("gateway", "POST", "/api/users/tokens", { body: { token } });
  expect(status).toBe(201);
  const headers = { Authorization: `Bearer ${session.data.token}` };
  expect((await system.request("gateway", "GET", "/api/users/me", { headers })).body.data.email).toBe(body.email);
  expect((await system.request("gateway", "DELETE", "/api/users/me", { headers })).status).toBe(200);
});
