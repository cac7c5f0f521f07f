import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import type { Events, OrderChannel } from "../../services/contracts.ts";
import { type Cause, CAUSES } from "../../services/mail/kinds.ts";
import { writeLetter, writeNotice, loadTemplates } from "../../services/mail/letter.ts";
import { KIND_NAMES, KINDS } from "../../services/mail/contract.ts";
import { createMailSender, isLate } from "../../services/mail/sending.ts";
import type { OrderDocument } from "../../services/order/collections.ts";
import { expectReturn, ship } from "../../services/order/changes.ts";
import { applyPaymentChange } from "../../services/order/payment-change.ts";
import { begin, requestRefund, settleRefund, type RefundRequest } from "../../services/order/refunds/decisions.ts";
import { nameMethod } from "@partline/toolkit/pure";
import { resolveShopFacts } from "../../mixins/shop/shop-facts.ts";
import { withDerived } from "../../services/order/derived.ts";
import { applyChange, createMessage } from "../../services/order/repository.ts";
import type { Change } from "../../services/order/order-change.ts";
import { mailedView, placedView } from "../../services/order/views.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-24T11:00:00Z");
const templates = loadTemplates(undefined);
const SHOP = { ...resolveShopFacts({ shopName: "Shop" }, {}), storeUrl: "https://shop.example" };

type Kind = (typeof KIND_NAMES)[number];
type Letter = Parameters<typeof writeLetter>[1];
/** A mail about an order: a paid one, unless `about` says otherwise. */
const write = (kind: Letter["kind"], about: Partial<Letter> = {}, from = templates) =>
  writeLetter(from, {
    facts: {},
    order: mailedView(paidOrder()),
    link: "http://shop.test",
    shop: SHOP,
    ...about,
    kind,
  });

type OrderEvent = { [C in OrderChannel]: { channel: C; payload: Events[C] } }[OrderChannel];

const mailsOf = ({ channel, payload }: OrderEvent) => CAUSES[channel](payload as never);

/** The mails of a change of an order, and the order as it is then. */
function caused(before: OrderDocument, change: Change): { order: OrderDocument; texts: string[] } {
  const order = applyChange(before, change, now);
  if (!change.event) return { order, texts: [] };
  const event = createMessage(before, order, change.actor, change.event) as OrderEvent;
  const texts = mailsOf(event).map((cause) => write(cause.kind, { ...cause, order: mailedView(order) }).text);
  return { order, texts };
}

/** The mails of changes one after another, of which each decides by the order after the one before. */
function causedInTurn(
  order: OrderDocument,
  decisions: ((order: OrderDocument) => Change | undefined)[],
): Cause["kind"][] {
  const kinds: Cause["kind"][] = [];
  for (const decide of decisions) {
    const change = decide(order)!;
    const after = applyChange(order, change, now);
    if (change.event)
      kinds.push(
        ...mailsOf(createMessage(order, after, change.actor, change.event) as OrderEvent).map(({ kind }) => kind),
      );
    order = after;
  }
  return kinds;
}

/** The mails of a refund that goes through. */
function paidBack(before: OrderDocument, wanted: Partial<RefundRequest>): string[] {
  const { change, refundId } = requestRefund(before, { reason: "other", actor: "admin", ...wanted }, "ref_1", now);
  const asked = caused(before, change).order;
  const outcome = { status: "succeeded", providerRefundId: "re_1" } as const;
  return caused(asked, settleRefund(asked, refundId, outcome, "ref_2", now)!).texts;
}

describe("the mail of a refund", () => {
  test("names what came back and the fee, and no more of the order", () => {
    const facts = { actor: "admin", now };
    const gone = caused(paidOrder(), ship(paidOrder(), {}, { ...facts, shipmentId: "shp_1" })).order;
    const lines = [{ productId: "bns-a", quantity: 1 }];
    const expected = expectReturn(
      gone,
      { lines, reason: "not_needed", restockingFee: 500 },
      { ...facts, returnId: "ret_1" },
    );
    const [text] = paidBack(caused(gone, expected).order, { returnId: "ret_1" });
    expect(text).toContain("Your refund of $16.25 is on its way");
    expect(text).toContain("We kept a $5.00 restocking fee");
    expect(text).toContain("1 x Part A (A)");
    expect(text).not.toMatch(/Part B|Total|2 x/);
  });

  test("names the items that it is for, however they were named, and none if it is of an amount", () => {
    const shipping = ship(paidOrder(), {}, { actor: "admin", now, shipmentId: "shp_1" });
    const [ofItem] = paidBack(caused(paidOrder(), shipping).order, { items: [{ partNumber: "B", quantity: 1 }] });
    expect(ofItem).toContain("It's for the items below.");
    expect(ofItem).toContain("1 x Part B (B)");
    expect(ofItem).not.toMatch(/Part A|Total|restocking/);
    const [ofAmount] = paidBack(paidOrder(), { amount: 100 });
    expect(ofAmount).toContain("We've refunded $1.00");
    expect(ofAmount).not.toMatch(/Part|Total|items/);
  });
});

test("the last pieces are cancelled in one mail, which says all that is refunded then", () => {
  const cancel = (before: OrderDocument, productId: string, quantity: number, id: string) => {
    const items = [{ productId, quantity }];
    const reserved = requestRefund(before, { reason: "other", actor: "admin", items, cancels: true }, id, now).change;
    const { order } = caused(before, reserved);
    const outcome = { status: "succeeded", providerRefundId: `re_${id}` } as const;
    return caused(order, settleRefund(order, id, outcome, "x", now)!);
  };
  const first = cancel(paidOrder(), "bns-a", 2, "ref_1");
  expect(first.texts).toEqual([expect.stringContaining("We're refunding $42.50.")]);
  const last = cancel(first.order, "bns-b", 1, "ref_2");
  expect(last.texts).toEqual([expect.stringContaining("We won't ship it. We're refunding $57.50.")]);
});

describe("the mails of a disputed order", () => {
  const tell = (order: OrderDocument, status: string, dueBy?: string) =>
    applyPaymentChange(
      order,
      { kind: "dispute", disputeId: "du_1", status, amount: 10_000, reason: "product_not_received", dueBy },
      { actor: "payment-provider", now, newRefundId: "ref_new" },
    )!;

  test("say to the shop what is disputed, why and until when, and what the bank has", () => {
    const [text] = caused(paidOrder(), tell(paidOrder(), "needs_response", "2026-12-01T00:00:00.000Z")).texts;
    expect(text).toContain("$100.00: needs response (reason: product not received)");
    expect(text).toContain("evidence to the payment provider by 2026-12-01.");
    expect(text).toContain("The bank has $100.00 of this payment");
    const won = caused(paidOrder(), tell(tell(paidOrder(), "needs_response", "2026-12-01T00:00:00.000Z").order, "won"))
      .texts[0];
    expect(won).toContain("in your favor");
    expect(won).toContain("The bank has none of the money.");
    expect(won).not.toMatch(/opened|evidence/);
  });
});

describe("what becomes of an order", () => {
  const paid = { status: "pending", paymentStatus: "paid" } as const;
  const facts = { orderId: "ord_1", version: 2, actor: "admin", from: paid, to: paid };
  const items = [{ productId: "bns-a", partNumber: "A", quantity: 1 }];
  const updated = (changed: string[], to: Partial<Record<"status" | "paymentStatus", string>>) =>
    ({ channel: "order.updated", payload: { ...facts, to: { ...paid, ...to }, changed } }) as OrderEvent;
  const refund = { refundId: "ref_1", reason: "other" } as const;
  const cancelled = (
    paymentStatus: "paid" | "pending" | "partially_refunded" | "refunded",
    amount: number,
    refundId: string | null = "ref_1",
  ): OrderEvent => ({
    channel: "order.cancelled",
    payload: { ...facts, to: { status: "cancelled", paymentStatus }, ...refund, refundId, amount },
  });

  const aReturn = { changed: ["returns"], orderNumber: "ORD-1", returnId: "ret_1", reason: "other" as const, items };
  const returned = (state: "requested" | "approved" | "refused", byStaff?: true): OrderEvent => ({
    channel: "order.return_updated",
    payload: { ...facts, ...aReturn, state, byStaff },
  });

  test.each<[string, OrderEvent, Kind[]]>([
    ["is paid later", updated(["paymentStatus"], { paymentStatus: "paid" }), ["confirmation", "new-order"]],
    ["is paid later, but cancelled", updated(["paymentStatus"], { status: "cancelled", paymentStatus: "paid" }), []],
    ["is not paid in the end", updated(["paymentStatus"], { paymentStatus: "failed" }), ["payment-failed"]],
    ["is not paid, but cancelled", updated(["paymentStatus"], { status: "cancelled", paymentStatus: "failed" }), []],
    ["has its payment disputed", updated(["disputes"], {}), ["dispute"]],
    ["has another note", updated(["adminNote"], {}), []],
    ["is delayed", { channel: "order.delayed", payload: { ...facts, items, days: 9 } }, ["delayed"]],
    [
      "lacks pieces that a count did not find",
      { channel: "order.updated", payload: { ...facts, changed: ["items"], items } },
      ["delayed"],
    ],
    ["has its pieces", { channel: "order.allocated", payload: { ...facts, items, day: "2026-12-01" } }, ["arrived"]],
    [
      "was not shipped after all",
      {
        channel: "order.shipment_cancelled",
        payload: { ...facts, changed: ["shipments"], orderNumber: "ORD-1", shipmentId: "shp_1", items },
      },
      ["shipment-cancelled"],
    ],
    [
      "has a return called off",
      { channel: "order.updated", payload: { ...facts, changed: ["returns"], returnId: "ret_1", items } },
      ["return-cancelled"],
    ],
    ["has a return requested", returned("requested"), ["return-requested", "new-return"]],
    ["has a return approved", returned("approved"), ["return-approved"]],
    ["has a return refused", returned("refused"), ["return-refused"]],
    ["is cancelled", cancelled("refunded", 100), ["cancelled"]],
    ["is cancelled, unpaid", cancelled("pending", 0, null), ["cancelled"]],
    ["is cancelled with its last pieces", cancelled("partially_refunded", 100), ["cancelled"]],
    ["is cancelled by force, and not refunded", cancelled("paid", 0), ["cancelled", "refund-failed"]],
    ["is cancelled while all is being refunded", cancelled("paid", 0, null), ["cancelled"]],
    ["is cancelled after its refund was reported", cancelled("refunded", 0), ["cancelled"]],
    [
      "is cancelled in part",
      { channel: "order.lines_cancelled", payload: { ...facts, ...refund, amount: 100, items } },
      ["lines-cancelled"],
    ],
    ["is refunded", { channel: "order.refunded", payload: { ...facts, ...refund, amount: 100 } }, ["refunded"]],
    [
      "has a refund come back",
      { channel: "order.refunded", payload: { ...facts, ...refund, amount: -100 } },
      ["refund-failed"],
    ],
    [
      "has pieces back for nothing",
      { channel: "order.returned", payload: { ...facts, ...refund, returnId: "ret_1", amount: 0, items } },
      ["returned"],
    ],
  ])("is said in its mail when it %s", (_what, event, kinds) => {
    expect(mailsOf(event).map(({ kind }) => kind)).toEqual(kinds);
  });

  test.each<[Kind, string, OrderEvent, number]>([
    [
      "return-approved",
      "in a minute, if staff registered it, who may have the pieces",
      returned("approved", true),
      60_000,
    ],
    ["return-approved", "at once, if the buyer requested it", returned("approved"), 0],
  ])("is said by %s %s", (kind, _when, event, afterMs) => {
    expect(mailsOf(event).at(-1)).toMatchObject({ kind, afterMs });
  });

  test("is mailed to the buyer; what staff has to act on, to the shop", () => {
    const ofShop = KIND_NAMES.filter((kind) => KINDS[kind] === "shop");
    expect(ofShop.sort()).toEqual([
      "address-refused",
      "dispute",
      "incident",
      "new-order",
      "new-return",
      "refund-failed",
      "shipping-underpaid",
      "webhook-disabled",
    ]);
  });
});

describe("a mail about pieces that are missing", () => {
  const day = "2026-12-12";
  const [lineA, lineB] = paidOrder().items;
  const itemA = { productId: "bns-a", partNumber: "A", quantity: 2 };

  test.each([
    ["while one is", {}, 1, undefined, true],
    ["not once they have come", {}, 0, undefined, false],
    ["on the day of their purchase", { day }, 4, day, true],
    ["not on a day that is past its purchase", { day }, 4, undefined, false],
  ])("is sent %s", (_what, facts, backordered, expectedAt, isSent) => {
    const order = mailedView(paidOrder({ items: [{ ...lineA!, quantity: 6, backordered, expectedAt }] }));
    expect(isLate({ items: [itemA], ...facts }, order)).toBe(isSent);
  });

  test("names the day of those that have one", () => {
    const items = [
      { ...lineA!, backordered: 2, expectedAt: day },
      { ...lineB!, backordered: 1 },
    ];
    const facts = { items: [itemA, { productId: "bns-b", partNumber: "B", quantity: 1 }] };
    const mail = write("delayed", { facts, order: mailedView(paidOrder({ items })) }).text;
    expect(mail).toMatch(
      /when they'll be here[^]*2 x Part A \(A\) - expected on December 12, 2026\n *1 x Part B \(B\)\n/,
    );
  });
});

test.each(KIND_NAMES)(
  "what people wrote is text in the mail %s, which loads nothing and looks dark in the dark",
  (kind) => {
    const evil = `<img src=http://evil.test/x onerror=alert(1)>"'</td>{{link}}\n\n<script>alert(1)</script>`;
    const shipment = { shipmentId: "shp_1", items: [], carrier: evil, trackingNumber: evil, createdAt: "" };
    const order = mailedView(
      paidOrder({
        items: [{ productId: "bns-a", partNumber: evil, name: evil, quantity: 1, price: 2_000, backordered: 1 }],
        contact: { email: "ada@example.com", name: evil },
        shippingAddress: { name: evil, street: evil, city: evil, state: "NV", postalCode: "89501", country: "US" },
        shippingMethod: { provider: evil, serviceType: evil, cost: 0 },
        shipments: [shipment],
      }),
    );
    const said = { shipmentId: "shp_1", days: 3, amount: 100, isPart: true };
    const shop = { ...SHOP, shopName: evil, phone: evil };
    const about = { kind, facts: said, order, link: "http://shop.test/orders/token", shop };
    const notice = { host: evil, cause: evil, failingSince: evil, link: about.link, shop: evil };
    const { subject, html, text } =
      kind === "webhook-disabled" || kind === "incident"
        ? writeNotice(templates, kind, notice)
        : writeLetter(templates, about);
    expect(subject).not.toMatch(/\p{Cc}/u);
    expect(
      html.match(/<(?!\/?(?:!doctype|html|head|meta|title|style|body|table|tr|td|p|h1|a|br|span)\b)\w*/gi),
    ).toBeNull();
    expect(html.match(/\b(?:href|src)=/g)).toEqual(["href="]);
    expect(html.replaceAll("&#x2F;", "/")).toContain('href="http://shop.test/orders/token"');
    expect(html).not.toMatch(/url\(|@import/);
    expect(html).toContain("@media (prefers-color-scheme: dark)");
    expect(Buffer.byteLength(html)).toBeLessThan(30_000);
    expect(text).toContain("http://shop.test/orders/token");
    expect(text.match(/^.*<script>/gm)?.every((line) => line.includes("<img"))).not.toBe(false);
  },
);

test("a confirmation does not say that an order goes to an address that is not whole", () => {
  const shippingAddress = { name: "Ada", city: "Reno", state: "NV", postalCode: "89501" };
  const order = mailedView(paidOrder({ shippingAddress, addressMissing: true }));
  const { text } = write("confirmation", { order });
  expect(text).not.toContain("We'll ship it to");
  expect(text).toContain("We need your full address");
});

test("the mail to the shop names the zones that shipping was paid for and goes to, and the difference", () => {
  const zones = { paidFor: "United States", goesTo: "Alaska" };
  const texts = [{ amount: 1_300, ...zones }, zones].map((shippingUnderpaid) => {
    const order = paidOrder({ shippingUnderpaid });
    const made = { channel: "order.created", payload: { ...placedView(order), actor: "payment-provider" } } as const;
    const cause = mailsOf(made as OrderEvent).find(({ kind }) => kind === "shipping-underpaid");
    return write(cause!.kind, { ...cause, order: mailedView(order) }).text;
  });
  expect(texts[0]).toContain(
    "paid for shipping to United States, but the order goes to Alaska. That costs $13.00 more.",
  );
  expect(texts[1]).toContain("We don't know what that costs.");
});

test("a mail server may be away for days; a mail leaves at most five minutes after it is back", () => {
  const { maxRetries, pauseMs } = createMailSender({} as Parameters<typeof createMailSender>[0]);
  const pauses = Array.from({ length: maxRetries! }, (_, failures) => pauseMs!(failures + 1, undefined));
  expect(Math.max(...pauses)).toBe(5 * 60_000);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(3 * 24 * 60 * 60_000);
});

test("a folder's templates replace the product's; one that is empty or has no heading is refused by name", () => {
  const loading = (source: string) => () => {
    const folder = mkdtempSync(join(tmpdir(), "partline-templates-"));
    writeFileSync(join(folder, "refunded.mustache"), source);
    return loadTemplates(folder);
  };
  expect(loading(" \n\n")).toThrow(/empty refunded\.mustache/);
  expect(loading("A refund\n")).toThrow(/no heading in refunded\.mustache/);
  expect(loading("A refund\n\nA paragraph")).toThrow(/no heading/);
  const replaced = loading("A refund\nWe pay {{amount}} back")();
  const facts = { amount: 100 };
  const { subject, html } = write("refunded", { facts }, replaced);
  expect([subject, html]).toEqual(["A refund", expect.stringContaining("We pay $1.00 back")]);
  expect(write("cancelled", { facts }, replaced).subject).toMatch(/^Your order .* is cancelled$/);
});

test.each([
  ["de", "Danke für Ihre Bestellung", "Gesamt", "Sendung verfolgen:"],
  ["es", "Gracias por su pedido", "Total", "Siga su envío:"],
  ["en", "Thanks for your order", "Total", "Track your package:"],
] as const)(
  "a buyer reads mails in %s, with prices of lines, method and tracking",
  (language, thanks, total, track) => {
    const shippingMethod = { provider: "standard", serviceType: "ground", cost: 795 };
    const shipment = { shipmentId: "shp_1", carrier: "UPS", trackingNumber: "1Z999", items: [], createdAt: "" };
    const shippingAddress = {
      ...{ name: "Ada", street: "1 Main St", city: "Reno", state: "NV" },
      ...{ postalCode: "89501", country: "US" },
    };
    const paid = paidOrder({ language, shippingMethod, shippingAddress });
    const order = { ...mailedView(paid), shipments: [shipment] } as unknown as ReturnType<typeof mailedView>;
    const money = new Intl.NumberFormat(language, { style: "currency", currency: "usd" });
    const { text, html } = write("confirmation", { order });
    expect(text).toContain(thanks);
    expect(text).toContain(`${total}: ${money.format(order.total)}`);
    expect(text).toContain(`(${order.items[0]!.partNumber}): ${money.format(order.items[0]!.total)}`);
    expect(text).toContain(nameMethod(shippingMethod, language));
    expect(html).toContain(`<html lang="${language}">`);
    const shipped = write("shipped", { order, facts: { items: [], shipmentId: "shp_1" } }).text;
    expect(shipped).toContain(`${track} https://www.ups.com/track?tracknum=1Z999`);
    // The shop's own mails stay English.
    expect(write("refund-failed", { order, facts: { amount: 100 } }).subject).toMatch(/^A refund for order/);
  },
);

test("every mail to buyers is there in each language, with the same facts", () => {
  const folder = join(import.meta.dirname, "..", "..", "services", "mail", "templates");
  const readTags = (name: string): string[] => {
    const source = readFileSync(join(folder, `${name}.mustache`), "utf8");
    return [...new Set(source.match(/\{\{[#^]?\w+/g))].filter((tag) => !/Pickup|\{\{\^/.test(tag)).sort();
  };
  const kinds = KIND_NAMES.filter((kind) => kind === "new-order" || (KINDS[kind] === "buyer" && kind !== "sign-in"));
  for (const kind of kinds)
    for (const language of ["de", "es"])
      expect([kind, readTags(`${kind}.${language}`)]).toEqual([kind, readTags(kind)]);
});

test("a template without a language replaces the product's in every language", () => {
  const folder = mkdtempSync(join(tmpdir(), "partline-templates-"));
  writeFileSync(join(folder, "refunded.mustache"), "A refund\nOurs");
  writeFileSync(join(folder, "refunded.es.mustache"), "Un reembolso\nNuestro");
  const replaced = loadTemplates(folder);
  const subjects = (["en", "de", "es"] as const).map((language) => {
    return write("refunded", { order: mailedView(paidOrder({ language })) }, replaced).subject;
  });
  expect(subjects).toEqual(["A refund", "A refund", "Un reembolso"]);
});

test("the mails of an order that is picked up say where", () => {
  const order = mailedView(paidOrder({ fulfilment: "pickup" }));
  const writeText = (kind: "confirmation" | "shipped", address: string[]) =>
    write(kind, { order, shop: { ...SHOP, shopName: "Prairie Parts", address } }).text;
  const address = ["12 Elm Street", "Peoria, IL 61602"];
  for (const kind of ["confirmation", "shipped"] as const) {
    expect(writeText(kind, address)).toContain("Prairie Parts, 12 Elm Street, Peoria, IL 61602");
    expect(writeText(kind, [])).not.toContain("Prairie Parts,");
  }
  expect(writeText("shipped", address)).toContain(`Bring your order number, ${order.orderNumber}, and a photo ID.`);
});

test("a return that refunds nothing says so, with the fee and the condition of the pieces", () => {
  const facts = { amount: 0, fee: 2_125, condition: "damaged" as const, items: [] };
  expect(write("returned", { facts }).text).toContain(
    "They arrived damaged. There is nothing to refund for them. We kept a $21.25 restocking fee.",
  );
});

test.each([
  [["12 Elm Street", "Peoria, IL 61602"], "Send or bring it to Shop, 12 Elm Street, Peoria, IL 61602."],
  [[], "Before you send it, reply to this email to get the address."],
])("an approved return goes to the shop's address, %j, and the buyer asks if there is none", (address, words) => {
  expect(write("return-approved", { shop: { ...SHOP, address } }).text).toContain(words);
  expect(write("return-approved", { facts: { amount: 0 } }).text).toContain("There is nothing to refund for them.");
});

test("a mail about a return says of its label what is true when it is sent", () => {
  const returned = { returnId: "ret_1", items: [], reason: "other" as const, restockingFee: 0, createdAt: "" };
  const bought = { shipmentId: "ret_1", parcelId: "parcel_1", carrier: "USPS", cost: "7.35", state: "bought" } as const;
  const writeText = (kind: "return-approved" | "return-cancelled", fields: Partial<OrderDocument>) => {
    const order = mailedView(paidOrder({ returns: [returned], ...fields }));
    const shop = { ...SHOP, address: ["12 Elm Street"] };
    const facts = { returnId: "ret_1", items: [] };
    return write(kind, { facts, order, shop }).text;
  };
  const [address, print] = ["bring it to Shop, 12 Elm Street.", "Print the prepaid label"];
  const labelled = writeText("return-approved", { labels: [bought] });
  expect([labelled.includes(print), labelled.includes(address)]).toEqual([true, false]);
  const pending = writeText("return-approved", { unlabelledReturns: ["ret_1"] });
  expect([pending.includes("still getting your prepaid label"), pending.includes(address)]).toEqual([true, true]);
  const voided = { labels: [{ ...bought, state: "voiding" as const }] };
  expect(writeText("return-cancelled", voided)).toContain("no longer valid: please don't use it");
  expect(writeText("return-cancelled", { labels: [bought] })).not.toContain("no longer valid");
});

test("a mail ends with how to reach the shop and where its returns policy is, as far as the shop says", () => {
  const order = mailedView(paidOrder({ fulfilment: "pickup" }));
  const place = (name: string) => ({ id: name, name, address: ["12 Elm Street"], hours: ["Mon to Fri 8 to 5"] });
  const reach = {
    phone: "+1 775 555 0100",
    email: "hello@shop.example",
    pickupPlaces: [place("North"), place("South")],
  };
  const writeFrom = (shop: object) => write("confirmation", { order, shop: { ...SHOP, ...shop } });
  const { text, html } = writeFrom({ ...reach, returnsLink: "http://shop.test/policies/returns" });
  expect(text).toContain("+1 775 555 0100 · hello@shop.example\nReturns: http://shop.test/policies/returns");
  expect(text).toContain("at North, 12 Elm Street (Mon to Fri 8 to 5) or South, 12 Elm Street (Mon to Fri 8 to 5).");
  expect(html.replaceAll("&#x2F;", "/")).toContain('href="http://shop.test/policies/returns"');
  expect(writeFrom({}).text.trim()).toMatch(/\n\nShop$/);
});

describe("A refund that comes back and is tried again", () => {
  const newest = ({ refunds }: OrderDocument): string => refunds.at(-1)!.refundId;
  const taken = (order: OrderDocument) =>
    settleRefund(order, newest(order), { status: "pending", providerRefundId: `re_${newest(order)}` }, "unused", now);
  const bounced = (next: string) => (order: OrderDocument) =>
    settleRefund(order, newest(order), { status: "failed", providerRefundId: `re_${newest(order)}` }, next, now);
  const refused = (next: string) => (order: OrderDocument) =>
    settleRefund(order, newest(order), { status: "failed", providerRefundId: null }, next, now);
  const cancel = { reason: "other", actor: "admin", force: false } as const;
  const begun = (force: boolean) => (order: OrderDocument) => begin(order, { ...cancel, force }, "ref_1", now);
  const tries = [bounced("ref_2"), taken, bounced("ref_3"), refused("ref_3b"), taken, bounced("ref_4"), taken];

  test("is one promise to the buyer and one failure to the shop, of a cancelled order", () => {
    const first = (order: OrderDocument) =>
      settleRefund(order, "ref_1", { status: "pending", providerRefundId: "re_ref_1" }, "unused", now);
    expect(causedInTurn(paidOrder(), [begun(false), first, ...tries])).toEqual(["cancelled", "refund-failed"]);
  });

  test("is announced once it is taken, if the provider refused it at first, as the buyer knows", () => {
    const first = (order: OrderDocument) =>
      settleRefund(order, "ref_1", { status: "failed", providerRefundId: null }, "ref_2", now);
    const { order } = begun(true)(paidOrder());
    const { texts } = caused(order, first(order)!);
    expect(texts).toEqual([
      expect.stringContaining("Your refund of $100.00 hasn't gone through yet"),
      expect.stringContaining("The payment provider hasn't accepted the refund of $100.00"),
    ]);
    // One that is on its way has not failed.
    const due = mailedView(withDerived(first(order)!.order));
    expect(write("cancelled", { facts: { amount: 0 }, order: due }).text).not.toContain("hasn't gone through");
    expect(causedInTurn(paidOrder(), [begun(true), first, taken, bounced("ref_3"), taken])).toEqual([
      "cancelled",
      "refund-failed",
      "refunded",
      "refund-failed",
    ]);
  });
});
