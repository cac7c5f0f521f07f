import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { mailsOf, type OrderEvent } from "../../services/mail/kinds.ts";
import { writeLetter } from "../../services/mail/letter.ts";
import { loadTemplates } from "../../services/mail/templates.ts";
import type { OrderDocument } from "../../services/order/collections.ts";
import { expectReturn, ship } from "../../services/order/lines/moves.ts";
import { request, settled, type RefundRequest } from "../../services/order/refunds/decisions.ts";
import { applied, messageOf, type Change } from "../../services/order/repository.ts";
import { adminView } from "../../services/order/views.ts";
import { paidOrder } from "./order.support.ts";

const now = new Date("2026-11-24T11:00:00Z");
const templates = loadTemplates(undefined);

/** The mails of a change of an order, and the order as it is then. */
function caused(before: OrderDocument, change: Change): { order: OrderDocument; texts: string[] } {
  const order = applied(before, change, now);
  if (!change.event) return { order, texts: [] };
  const event = messageOf(before, order, change.actor, change.event) as OrderEvent;
  const texts = mailsOf(event).map(
    (cause) =>
      writeLetter(templates, { ...cause, order: adminView(order), link: "http://shop.test/orders/x", shop: "Shop" })
        .text,
  );
  return { order, texts };
}

/** The mails of a refund that goes through. */
function paidBack(before: OrderDocument, wanted: Partial<RefundRequest>): string[] {
  const { change, refundId } = request(before, { reason: "other", actor: "admin", ...wanted }, "ref_1", now);
  const asked = caused(before, change).order;
  const outcome = { status: "succeeded", providerRefundId: "re_1" } as const;
  return caused(asked, settled(asked, refundId, outcome, "ref_2", now)!).texts;
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
    expect(text).toContain("We pay you back 16.25 USD");
    expect(text).toContain("A restocking fee of 5.00 USD is kept");
    expect(text).toContain("1 x Part A (A)");
    expect(text).not.toMatch(/Part B|Total|2 x/);
  });

  test("names the items that it is for, however they were named, and none if it is of an amount", () => {
    const [ofItem] = paidBack(paidOrder(), { items: [{ partNumber: "B", quantity: 1 }] });
    expect(ofItem).toContain("It is for the pieces below.");
    expect(ofItem).toContain("1 x Part B (B)");
    expect(ofItem).not.toMatch(/Part A|Total|restocking/);
    const [ofAmount] = paidBack(paidOrder(), { amount: 100 });
    expect(ofAmount).toContain("We pay you back 1.00 USD");
    expect(ofAmount).not.toMatch(/Part|Total|pieces/);
  });
});

test("a confirmation does not say that an order goes to an address that is not whole", () => {
  const shippingAddress = { name: "Ada", city: "Reno", state: "NV", postalCode: "89501" };
  const order = adminView(paidOrder({ shippingAddress, addressMissing: true }));
  const { text } = writeLetter(templates, {
    kind: "confirmation",
    facts: {},
    order,
    link: "http://shop.test",
    shop: "Shop",
  });
  expect(text).not.toContain("It goes to");
  expect(text).toContain("address is not whole");
});

test("a template that is empty or has no heading is refused at the start, with its name", () => {
  const loading = (source: string) => () => {
    const folder = mkdtempSync(join(tmpdir(), "partline-templates-"));
    writeFileSync(join(folder, "refunded.mustache"), source);
    return loadTemplates(folder);
  };
  expect(loading(" \n\n")).toThrow(/empty refunded\.mustache/);
  expect(loading("A refund\n")).toThrow(/no heading in refunded\.mustache/);
  expect(loading("A refund\n\nA paragraph")).toThrow(/no heading/);
  expect(loading("A refund\nWe pay {{amount}} back")).not.toThrow();
});
