import { connect, createServer, type AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from "@jest/globals";
import { ulid } from "ulid";
import { OUTBOX, type OutboxRow } from "../../packages/durable/src/channels/outbox.ts";
import type { Input } from "@partline/api-contracts";
import type { Scope } from "../../broker/contract/scopes.ts";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import { startMailboxSandbox } from "../../packages/sandbox/src/mailbox/server.ts";
import { call, outbox, type Actions } from "../../services/contracts.ts";
import { INCIDENTS, type IncidentDocument } from "../../services/health-analytics/collections.ts";
import { sendNotices } from "../../services/health-analytics/notices.ts";
import { createShopChecks } from "../../services/health-analytics/shop-checks.ts";
import { createWatch } from "../../services/health-analytics/watch.ts";
import { DEFAULT_TABLE } from "../../mixins/shipping-rates/table.ts";
import type { ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { createSignedTokens } from "../../mixins/http/signed-token.ts";
import { createLookUps } from "../../services/order/look-up.ts";
import { BEGIN, createMailRecords, MAILS, type MailRecord } from "../../services/mail/records.ts";
import { eventually } from "../support/eventually.ts";
import { payment } from "./order.support.ts";
import { startTestBroker, type TestBroker } from "../support/test-broker.ts";
import { freePorts } from "../support/ports.ts";
import { testSettings } from "../support/test-settings.ts";
import { admin } from "./order.support.ts";

interface Shown {
  id: number;
  messageId: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
}

describe("Mails", () => {
  let documents: DocumentStore;
  let running: TestBroker;
  let mailbox: Awaited<ReturnType<typeof startMailboxSandbox>>;
  let smtpPort: number;
  let line: Awaited<ReturnType<typeof startLine>>;
  let consoleUrl: string;
  let shop: ShopFacts;

  const open = async () => startMailboxSandbox({ host: "127.0.0.1", port: 0, smtpPort });
  beforeAll(async () => {
    smtpPort = await freePorts(1);
    mailbox = await open();
    line = await startLine(smtpPort);
    const settings = testSettings({
      SMTP_URL: `smtp://127.0.0.1:${line.port}`,
      MAIL_FROM: "Shop <orders@shop.example>",
      SHOP_EMAIL: "staff@shop.example",
    });
    consoleUrl = settings.consoleUrl;
    shop = settings.shop;
    shop.newOrderMails = "off";
    documents = await openDocumentStore({ dataDir: settings.dataDir });
    running = await startTestBroker({ transport: "fake", settings, documents, services: ["order", "mail"] });
  });
  afterAll(async () => {
    await running.stop();
    await documents.close();
    await line.close();
    await mailbox.close();
  });
  beforeEach(async () => {
    await fetch(`${mailbox.url}/sandbox/refused`, { method: "DELETE" });
  });

  const make = async (fields: Partial<Input<Actions["order.createFromPayment"]>> = {}) => {
    const email = `${ulid().toLowerCase()}@buyer.example`;
    const { orderId } = await call(running.broker, "order.createFromPayment", {
      ...payment(),
      sessionId: null,
      paymentIntentId: null,
      userId: "guest",
      items: [
        { productId: "bns-a", partNumber: "A-1", name: "Blade <script>", quantity: 2, price: 2_000, backordered: 1 },
        { productId: "bns-b", partNumber: "B-1", name: "Belt", quantity: 1, price: 4_000 },
      ],
      contact: { email, name: "Ada <b>Lovelace</b>\r\nBcc: eve@example.com" },
      shippingAddress: { name: "Ada", street: "1 Main", city: "Reno", state: "NV", postalCode: "89501", country: "US" },
      ...fields,
    });
    return { orderId, email };
  };
  const inbox = async (recipient: string) => {
    const answer = (await (await fetch(`${mailbox.url}/sandbox/mails`)).json()) as { mails: Shown[] };
    return answer.mails.filter((mail) => mail.recipient.includes(recipient)).reverse();
  };
  const received = (recipient: string, count: number) =>
    eventually(async () => {
      const mails = await inbox(recipient);
      return mails.length >= count && mails;
    });
  const listed = async (orderId: string) => (await call(running.as(admin), "mail.listForOrder", { orderId })).mails;
  const ended = (orderId: string, state: string) =>
    eventually(async () => (await listed(orderId)).find((mail) => mail.state === state));

  it("send the buyer the order, with what is on backorder and a link, as text also with markup in it", async () => {
    const { email } = await make();
    const [mail] = await received(email, 1);
    expect(mail!.subject).toMatch(/^Your order ORD-/);
    expect(mail!.text).toContain("1 on backorder");
    expect(mail!.text).toMatch(/http\S+\/orders\/eyJ/);
    expect(mail!.html).toContain("Blade &lt;script&gt;");
    expect(mail!.html).not.toMatch(/<script|<b>|<img/);
    // A line break in the name makes no header: the one recipient is the buyer.
    expect(mail!.recipient).toMatch(new RegExp(`^"Ada.*Bcc: eve@example.com" <${email}>$`));
  });

  it("are one for an event, however often it is delivered, and one for each shipment", async () => {
    const { orderId, email } = await make();
    await received(email, 1);
    const ship = (productId: string) =>
      call(running.as(admin), "order.adminShip", { orderId, lines: [{ productId, quantity: 1 }], carrier: "ups" });
    await ship("bns-a");
    await ship("bns-b");
    const mails = await received(email, 3);
    expect(mails.slice(1).map(({ subject }) => subject)).toEqual([
      expect.stringContaining("Part of your order"),
      expect.stringContaining("Part of your order"),
    ]);
    await eventually(async () => (await listed(orderId)).every(({ state }) => state === "sent"));
    for (const { _id: mailId, kind, facts } of await documents.collection<MailRecord>(MAILS).find({ orderId }))
      await createMailRecords(documents).add(orderId, [{ mailId, kind, facts }]);
    await eventually(async () => (await running.tasks.list({ kind: "mail.send", limit: 10 })).length === 0);
    const sent = await inbox(email);
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3);
    expect(sent).toHaveLength(3);
  });

  it("say to the shop in its language that there is a new order, once it is paid, unless that is off", async () => {
    shop.newOrderMails = "de";
    const paymentKey = `cs_${ulid()}`;
    const { orderId } = await make({ paymentKey, paymentStatus: "pending" });
    await ended(orderId, "sent");
    expect((await listed(orderId)).map(({ kind }) => kind)).toEqual(["received"]);
    await call(running.broker, "order.applyPayment", { paymentKey, change: { kind: "paid" }, actor: "x" });
    const { orderNumber } = await call(running.as(admin), "order.adminGet", { orderId });
    const news = async () =>
      (await inbox("staff@shop.example")).filter(({ subject }) => subject.startsWith("Neue Bestellung"));
    const [mail] = await eventually(async () => ((await news()).length > 0 ? news() : undefined));
    expect(mail!.subject).toBe(`Neue Bestellung ${orderNumber} über 100,00\u00a0$`);
    expect(mail!.text).toContain(`${consoleUrl}/orders/${orderId}/show`);
    shop.newOrderMails = "off";
    const { orderId: next } = await make();
    await ended(next, "sent");
    expect((await listed(next)).map(({ kind }) => kind)).toEqual(["confirmation"]);
  });

  it("wait while the server is away, and come once when it is back", async () => {
    await mailbox.close();
    const { orderId, email } = await make();
    const waiting = await eventually(async () => (await listed(orderId))[0]);
    expect(waiting).toMatchObject({ state: "waiting", kind: "confirmation" });
    mailbox = await open();
    expect(await received(email, 1)).toHaveLength(1);
    expect(await ended(orderId, "sent")).toBeTruthy();
  });

  it("ask for no address that was given meanwhile", async () => {
    const place = { city: "Reno", state: "NV", postalCode: "89501", country: "US" };
    const shippingAddress = { name: "Ada", street: "1 Main", ...place };
    const { orderId } = await make({ shippingAddress: undefined });
    const { mailId } = (await eventually(async () =>
      (await listed(orderId)).find(({ kind, state }) => kind === "address-missing" && state === "sent"),
    ))!;
    await call(running.as(admin), "order.setShippingAddress", { orderId, shippingAddress });
    const key = { keyId: "key_1", scopes: ["orders:write"] satisfies Scope[] };
    await call(running.as({ admin: true, key }), "mail.sendAgain", { orderId, mailId });
    expect(await ended(orderId, "skipped")).toMatchObject({ kind: "address-missing" });
  });

  it("that waited say nothing that is not true of the order any more", async () => {
    await fetch(`${mailbox.url}/sandbox/refused/orders@shop.example`, { method: "PUT" });
    const pay = (paymentKey: string, kind: "paid" | "failed") =>
      call(running.broker, "order.applyPayment", { paymentKey, change: { kind }, actor: "payment-provider" });
    const keys = [1, 2, 3].map(() => `cs_${ulid()}`);
    const cancelled = await make();
    await call(running.as(admin), "order.adminDelay", { orderId: cancelled.orderId, days: 5 });
    await call(running.as(admin), "order.cancel", { orderId: cancelled.orderId, forceCancel: true });
    const left = await make();
    await call(running.as(admin), "order.adminDelay", { orderId: left.orderId, days: 5 });
    await call(running.as(admin), "order.adminShip", { orderId: left.orderId });
    const [paidLater, failed, paidAfterAll] = await Promise.all(
      keys.map((paymentKey) => make({ paymentKey, paymentStatus: "pending" })),
    );
    await pay(keys[0]!, "paid");
    await pay(keys[1]!, "failed");
    await pay(keys[2]!, "failed");
    await pay(keys[2]!, "paid");
    const ends = [
      [cancelled, ["confirmation", "delayed"], ["cancelled"]],
      [left, ["delayed"], ["confirmation", "shipped"]],
      [paidLater!, ["received"], ["confirmation"]],
      [failed!, ["received"], ["payment-failed"]],
      [paidAfterAll!, ["payment-failed", "received"], ["confirmation"]],
    ] as const;
    const end = async ({ orderId }: { orderId: string }, state: string, kinds: readonly string[]) =>
      eventually(async () => {
        const ended = (await listed(orderId)).filter((mail) => mail.state === state && mail.kind !== "refund-failed");
        expect(ended.map(({ kind }) => kind).sort()).toEqual(kinds);
        return true;
      });
    for (const [order, skipped] of ends) await end(order, "skipped", skipped);
    await fetch(`${mailbox.url}/sandbox/refused`, { method: "DELETE" });
    for (const [order, , sent] of ends) await end(order, "sent", sent);
  });

  it("are there once where the server dies when it has taken one and before it says so", async () => {
    line.dropWords = 2;
    const { orderId, email } = await make();
    expect(await ended(orderId, "sent")).toBeTruthy();
    expect(line.dropWords).toBe(0);
    expect(await inbox(email)).toHaveLength(1);
  });

  it("that are refused for good are reported to the shop, and can be sent to another address", async () => {
    const email = `${ulid().toLowerCase()}@gone.example`;
    await fetch(`${mailbox.url}/sandbox/refused/${email}`, { method: "PUT" });
    const { orderId } = await make({ contact: { email } });
    const refused = await ended(orderId, "refused");
    expect(refused).toMatchObject({ kind: "confirmation" });
    const { orderNumber } = await call(running.as(admin), "order.adminGet", { orderId });
    await eventually(async () =>
      (await inbox("staff@shop.example")).some(({ subject }) => subject.includes(`${orderNumber} bounced`)),
    );
    const refusals = () => call(running.as(admin), "mail.listRefused", {});
    const isListed = async () => (await refusals()).mails.some((mail) => mail.orderNumber === orderNumber);
    expect((await refusals()).mails[0]).toMatchObject({ orderId, orderNumber, kind: "confirmation", state: "refused" });
    const other = `${ulid().toLowerCase()}@buyer.example`;
    const given = { orderId, mailId: refused!.mailId, to: other };
    const keyWith = (...scopes: Scope[]) => running.as({ admin: true, key: { keyId: "key_1", scopes } });
    // With the link that it has, its reader cancels and is refunded.
    await expect(call(keyWith("orders:write"), "mail.sendAgain", given)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await call(keyWith("orders:write", "orders:refund"), "mail.sendAgain", given);
    expect(await received(other, 1)).toHaveLength(1);
    expect(await isListed()).toBe(false);
    // Sent again to the address that the order has, it is refused again, until somebody deals with it.
    const again = await call(running.as(admin), "mail.sendAgain", { orderId, mailId: refused!.mailId });
    await eventually(isListed);
    const { count } = await refusals();
    await call(running.as(admin), "mail.dismissRefused", { orderId, mailId: again.mailId });
    expect([await isListed(), (await refusals()).count]).toEqual([false, count - 1]);
    const kept = () => documents.collection<MailRecord>(MAILS).find({ orderId });
    await eventually(async () => !JSON.stringify(await kept()).includes(other));
    const elsewhere = { orderId: "ord_other", mailId: refused!.mailId };
    await expect(call(running.as(admin), "mail.sendAgain", elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("with a sign-in link are accepted or refused by the address, and fail with the shop's own", async () => {
    const send = (email: string) =>
      call(running.broker, "mail.sendSignInLink", {
        ...{ email, language: "de" },
        link: "http://127.0.0.1/sign-in?token=x",
        minutes: 15,
      });
    await fetch(`${mailbox.url}/sandbox/refused/nobody@example.com`, { method: "PUT" });
    expect([await send("eve@example.com"), await send("nobody@example.com")]).toEqual([
      { accepted: true },
      { accepted: false },
    ]);
    expect((await inbox("eve@example.com")).at(-1)?.html).toMatch(/Anmelden bei [^]*>Anmelden</);
    await fetch(`${mailbox.url}/sandbox/refused/orders@shop.example`, { method: "PUT" });
    await expect(send("eve@example.com")).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    await fetch(`${mailbox.url}/sandbox/refused`, { method: "DELETE" });
  });

  it("wait while the server refuses the shop's own address, which is no fault of theirs", async () => {
    await fetch(`${mailbox.url}/sandbox/refused/orders@shop.example`, { method: "PUT" });
    const { orderId, email } = await make();
    const { mailId } = await eventually(async () => (await listed(orderId))[0]);
    await eventually(async () =>
      (await running.tasks.list({ kind: "mail.send", limit: 10 })).some(
        ({ key, reason }) => key === mailId && reason !== undefined,
      ),
    );
    expect(await listed(orderId)).toMatchObject([{ state: "waiting" }]);
    await fetch(`${mailbox.url}/sandbox/refused`, { method: "DELETE" });
    expect(await received(email, 1)).toHaveLength(1);
  });

  it("report to the shop the refund of a cancelled order that the provider does not take", async () => {
    const { orderId, email } = await make();
    await call(running.as(admin), "order.cancel", { orderId, forceCancel: true });
    const { orderNumber } = await call(running.as(admin), "order.adminGet", { orderId });
    const told = await eventually(async () =>
      (await inbox("staff@shop.example")).find(({ subject }) =>
        subject.includes(`refund for order ${orderNumber} failed`),
      ),
    );
    expect(told.text).toContain("$100.00 for order");
    const cancelled = await eventually(async () =>
      (await inbox(email)).find(({ subject }) => subject.endsWith("is cancelled")),
    );
    expect(cancelled.text).toContain("We won't ship it.");
    expect(cancelled.text).not.toContain("refunding");
  });

  it("of a refund that was under way are sent later, if it is due then", async () => {
    const { orderId } = await make();
    const mailId = `${ulid()}:refund-failed`;
    const mail = { mailId, kind: "refund-failed", facts: {}, afterMs: 60_000 } as const;
    await createMailRecords(documents).add(orderId, [mail]);
    const waiting = (await running.tasks.list({ kind: "mail.send", limit: 100 })).find(({ key }) => key === mailId)!;
    expect(waiting.dueAt.getTime()).toBeGreaterThan(Date.now() + 30_000);
    await running.tasks.retry(waiting.id);
    expect(await ended(orderId, "skipped")).toMatchObject({ mailId });
  });

  it("report to the shop a webhook endpoint that was disabled, once", async () => {
    const endpoint = {
      endpointId: `we_${ulid()}`,
      host: `${ulid().toLowerCase()}.example`,
      failingSince: "2026-01-01",
    };
    await documents.atomically([outbox("webhook.disabled", endpoint, `webhook.disabled:${endpoint.endpointId}`)]);
    running.channels.wake();
    const mail = await eventually(async () =>
      (await inbox("staff@shop.example")).find(({ subject }) => subject.includes(endpoint.host)),
    );
    expect(mail.text).toContain(`${consoleUrl}/webhooks/${endpoint.endpointId}/show`);
    expect(mail.text).not.toMatch(/order/i);
    expect(mail.html).toContain("View details");
  });

  it("are sent to the shop about an incident: one when it begins and one when it ends", async () => {
    const incidents = documents.collection<IncidentDocument>(INCIDENTS);
    const watch = createWatch(documents, new Date(0), () => undefined);
    const checks = createShopChecks({
      broker: running.broker,
      documents,
      settings: { dataDir: "/", shop, shipping: { shipTo: ["US"] } },
    });
    const now = Date.now();
    const turn = async (minutes: number): Promise<void> => {
      const at = new Date(now + minutes * 60_000);
      // Analytics does not run here: what it would say stays as it is.
      await expect(checks.run(at)).rejects.toThrow("Checks of the shop have failed");
      await watch.turn(at);
      for (let times = 0; times < 2; times += 1) await sendNotices(running.broker, documents, at);
    };
    const aboutMails = async () =>
      (await inbox("staff@shop.example")).filter(({ text }) => text.includes("has refused several mails"));
    const wanted = ["one@", "two@", "three@"].map((mailId) => ({
      ...{ mailId: `${ulid()}:${mailId}`, kind: "shipped" as const, facts: {}, afterMs: 86_400_000 },
    }));
    await createMailRecords(documents).add("ord_refused", wanted);
    const mails = documents.collection<MailRecord>(MAILS);
    const countLate = async () => (await call(running.broker, "mail.countRefused", { since: new Date(now) })).late;
    const lateBefore = await countLate();
    await mails.updateOne({ _id: wanted[0]!.mailId }, { $set: { createdAt: new Date(now - 20 * 60_000) } });
    expect(await countLate()).toBe(lateBefore + 1);
    for (const { mailId } of wanted) await mails.updateOne({ _id: mailId }, { $set: { state: "refused" } });
    shop.shippingTable = { ...DEFAULT_TABLE, zones: [] };
    await turn(0);
    expect((await incidents.find({ isOpen: true })).map(({ kind }) => kind).sort()).toEqual(["mails", "shipping"]);
    shop.shippingTable = null;
    expect(await aboutMails()).toEqual([]);
    await turn(3);
    // Another process that did not see what the first wrote.
    await incidents.updateOne({ kind: "mails" }, { $unset: { noticed: true } });
    await turn(4);
    const [begun] = await eventually(async () => ((await aboutMails()).length > 0 ? aboutMails() : undefined));
    expect(begun!.text).toContain("SPF");
    expect(begun!.text).toContain(`${consoleUrl}/watching`);
    // A day later nothing is refused any more.
    await turn(24 * 60 + 5);
    await turn(24 * 60 + 9);
    await eventually(async () => (await aboutMails()).length > 1);
    await eventually(
      async () => (await running.tasks.list({ kind: "mail.send", limit: 100 })).length === wanted.length,
    );
    expect((await aboutMails()).map(({ subject }) => subject.startsWith("Over: "))).toEqual([false, true]);
  });

  it("of an address that is none, or an order without one, end without a try", async () => {
    const { orderId } = await make({ contact: { email: "ada@example.com,eve@example.com" } });
    expect(await ended(orderId, "refused")).toMatchObject({ reason: "It is no e-mail address" });
    const silent = await make({ contact: undefined });
    expect(await ended(silent.orderId, "skipped")).toBeTruthy();
  });

  it("are caused by no event of 0.2.0, nor by one of before mail was switched on", async () => {
    const { orderId } = await make();
    await ended(orderId, "sent");
    const state = { status: "pending", paymentStatus: "paid" };
    const refunded = { orderId, version: 2, actor: "admin", from: state, to: state, amount: 100, refundId: null };
    const of = (said: object, at = Date.now()) => ({
      _id: ulid(),
      channel: "order.refunded",
      occurredAt: new Date(at),
      payload: { ...refunded, reason: null, ...said },
      state: "new" as const,
    });
    const from = Date.now() - 60 * 60_000;
    const late = of({ toShip: [] }, from + 5 * 60_000);
    for (const row of [of({}), of({ toShip: [] }, from - 5 * 60_000), late])
      await documents.collection<OutboxRow>(OUTBOX).insertOne(row);
    running.channels.wake();
    await eventually(async () => (await listed(orderId)).length === 2);
    await eventually(async () => {
      const { outbox, pending } = await running.channels.depth();
      return outbox + pending === 0;
    });
    expect((await listed(orderId)).slice(1).map(({ mailId }) => mailId)).toEqual([`${late._id}:refunded`]);
  });

  it("are caused by events of an outage, however long: the first start alone counts", async () => {
    const from = new Date("2026-01-01T00:00:00Z");
    expect(await documents.collection(BEGIN).updateMany({}, { $set: { from } })).toMatchObject({ matched: 1 });
    expect(await createMailRecords(documents).getStart()).toEqual(from);
  });

  it("are not promised to who looks up an order while none is sent", async () => {
    const settings = testSettings({ SMTP_URL: "off" });
    const quiet = await startTestBroker({ settings, services: ["order", "mail"] });
    const lookUp = (email: string, postalCode = "89501") =>
      call(quiet.broker, "order.lookUp", { orderNumber, email, postalCode });
    const { order } = await call(quiet.broker, "order.createFromPayment", {
      ...payment(),
      contact: { email: "ada@buyer.example" },
      shippingAddress: { street: "1 Main", city: "Reno", state: "NV", postalCode: "89501", country: "US" },
    });
    const { orderNumber } = order;
    expect(await lookUp("ada@buyer.example")).toEqual({ token: expect.any(String) });
    await expect(lookUp("eve@buyer.example")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(lookUp("ada@buyer.example", "89502")).rejects.toMatchObject({ code: "NOT_FOUND" });
    const deps = {
      documents: quiet.documents,
      tasks: { wake: () => undefined },
      tokens: createSignedTokens(quiet.documents),
      hasMail: false,
    };
    const findOrder = () => Promise.resolve(null);
    const admit = (secret: string) => createLookUps({ ...deps, secret, findOrder }).admit({ orderNumber }, undefined);
    for (let times = 3; times < 6; times += 1) await admit(settings.adminToken);
    await expect(admit(settings.adminToken)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    // Nor at the turn of the hour, but when most of it is an hour ago.
    const HOUR_MS = 60 * 60_000;
    const nextHour = (Math.floor(Date.now() / HOUR_MS) + 1) * HOUR_MS;
    const clock = jest.spyOn(Date, "now").mockReturnValue(nextHour + 1_000);
    await expect(admit(settings.adminToken)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    clock.mockReturnValue(nextHour + HOUR_MS / 2);
    await admit(settings.adminToken);
    clock.mockRestore();
    // The counts do not reveal whom they count: without the secret, an order number has another one.
    await admit("another secret");
    await quiet.stop();
  });

  it("stay under 30 kB for the largest order", async () => {
    const line = {
      productId: "bns-a",
      partNumber: "A-1",
      name: "Blade, mower deck, ".repeat(5),
      quantity: 1,
      price: 80,
    };
    const items = Array.from({ length: 100 }, (_, at) => ({ ...line, productId: `bns-${at}` }));
    const { email } = await make({ items });
    const [mail] = await received(email, 1);
    expect(Buffer.byteLength(mail!.html)).toBeLessThan(30_000);
    expect(mail!.html).toContain("and 60 more");
    const long = await make({ items: items.map((item) => ({ ...item, name: "K&N / Ölfilter ".repeat(33) })) });
    expect(Buffer.byteLength((await received(long.email, 1))[0]!.html)).toBeLessThan(30_000);
  });
});

/**
 * Passes connections on to a server, and cuts as many as `dropWords` says where its word of a mail's end would come.
 */
async function startLine(port: number) {
  const line = { port: 0, dropWords: 0, close: () => new Promise<void>((resolve) => server.close(() => resolve())) };
  const server = createServer((client) => {
    const upstream = connect(port, "127.0.0.1");
    let sent = "";
    const cut = (): void => void [client, upstream].forEach((socket) => socket.destroy());
    client.on("error", cut).on("close", cut);
    upstream.on("error", cut).on("close", cut);
    client.on("data", (bytes) => {
      sent = (sent + bytes.toString("latin1")).slice(-5);
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (sent !== "\r\n.\r\n" || line.dropWords === 0) return void client.write(bytes);
      line.dropWords -= 1;
      cut();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  line.port = (server.address() as AddressInfo).port;
  return line;
}
