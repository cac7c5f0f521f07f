import { describe, expect, test } from "@jest/globals";
import { drawPapers, type Paper } from "@partline/papers";
import { createInvoice, createPackingSlip, createShipmentSlip } from "../../services/order/papers.ts";
import { pageTexts } from "../support/pdf-text.ts";
import { paidOrder } from "./order.support.ts";

const shop = {
  ...{ shopName: "Reno Parts", legalName: "Reno Parts LLC", taxIds: ["EIN 12-3456789"], phone: "+1 775 555 0100" },
  address: ["12 Wharf Road", "Reno, NV 89501"],
  ...{ email: "hello@reno.example", returns: { days: 30, approval: "manual", fee: 0 } as const },
  ...{ openingHours: [], pickupPlaces: [] },
};
const shelves = new Map([["bns-a", [{ place: "main", bin: "B-12", onHand: 9 }]]]);
const drawPaper = (paper: Paper): Promise<Buffer> => drawPapers([paper]);
const textsOf = async (pdf: Buffer): Promise<string[]> =>
  (await pageTexts(pdf)).flatMap(({ texts }) => texts.map(({ text }) => text));
const readPaper = async (paper: Paper): Promise<string> => (await textsOf(await drawPaper(paper))).join(" ");

const order = paidOrder({
  contact: { name: "Ada <b>Łovelace</b>", email: "ada@example.com" },
  shippingAddress: { name: "Ада", street: "1 Main St", city: "Reno", state: "NV", postalCode: "89501", country: "US" },
  shippingMethod: { provider: "ups", serviceType: "ground", cost: 1_500 },
  refundedAmount: 2_000,
});

describe("the papers of an order", () => {
  test("an invoice says what was bought, paid and paid back, by whom, with names as they are", async () => {
    const texts = await textsOf(await drawPaper(createInvoice(order, shop)));
    for (const text of [
      "Reno Parts LLC",
      "EIN 12-3456789",
      "Ada <b>Łovelace</b>",
      "Ада",
      "Reno, NV 89501",
      "Part A",
      "$40.00",
      "+1 775 555 0100 · hello@reno.example · Returns within 30 days",
    ])
      expect(texts).toContain(text);
    expect(texts.join(" ")).toMatch(/Shipping, UPS ground \$15\.00 Tax \$5\.00 Total \$100\.00 Refunded/);
    expect(texts.join(" ")).toMatch(/Total after refunds \(USD\) \$80\.00/);
  });

  test("a paper says so when its font lacks a character, and only then", async () => {
    const missing = /Some characters cannot be printed/;
    const slipOf = (name: string): Promise<string> =>
      readPaper(createPackingSlip({ ...order, contact: { name } }, shop, shelves));
    for (const name of ["王小明", "أحمد", "דוד", "😀"])
      expect([name, missing.test(await slipOf(name))]).toEqual([name, true]);
    for (const name of ["Łukasz Żak", "Ελένη", "Ада"])
      expect([name, missing.test(await slipOf(name))]).toEqual([name, false]);
  });

  test("a name with line breaks adds no lines", async () => {
    const invoice = createInvoice({ ...order, contact: { name: "Ada\nTotal 0.00 USD" } }, shop);
    expect(await textsOf(await drawPaper(invoice))).toContain("Ada Total 0.00 USD");
  });

  test("a packing slip has no prices, and says when the address is missing", async () => {
    const slip = createPackingSlip({ ...order, shippingAddress: undefined }, shop, shelves);
    const text = await readPaper(slip);
    expect(text).toContain("The address is missing");
    expect(text).not.toMatch(/USD|\$/);
  });

  test("a packing slip counts what is left to pack, without what is shipped, cancelled or on backorder", async () => {
    const moved = (quantity: number) => [{ productId: "bns-a", partNumber: "A", quantity }];
    const items = order.items.map((line, index) => ({ ...line, quantity: 9, backordered: index * 4, uncounted: 3 }));
    const shipments = [{ shipmentId: "shp_1", items: moved(2), createdAt: "2026-11-22T10:00:00Z" }];
    const refund = { amount: 0, status: "succeeded", providerRefundId: null, reason: "other", actor: "admin" } as const;
    const cancelled = { ...refund, refundId: "ref_1", figureBefore: 0, createdAt: "", cancels: true as const };
    const refunds = [{ ...cancelled, items: moved(3) }];
    const slip = createPackingSlip({ ...order, items, shipments, refunds }, shop, shelves);
    expect(await readPaper(slip)).toMatch(/ A Part A B-12, 3 not counted 9 2 0 4 B Part B 9 0 4 5 Pieces to pack 9 /);
  });

  test("a packing slip of a pickup order says what to bring from where", async () => {
    const places = ["reno", "sparks"].map((id) => ({ id, name: `Shop ${id}`, address: [], hours: [] }));
    const pickup = { ...order, fulfilment: "pickup" as const, pickupPlace: "sparks" };
    const items = [{ ...order.items[0]!, quantity: 5, elsewhere: 3 }];
    const partShelves = [
      { place: "main", bin: "B-12", onHand: 2 },
      { place: "sparks", bin: "S-1", onHand: 2 },
      { place: "shed", onHand: 9 },
    ];
    const slip = (pickupPlaces: typeof places) =>
      readPaper(createPackingSlip({ ...pickup, items }, { ...shop, pickupPlaces }, new Map([["bns-a", partShelves]])));
    expect(await slip(places)).toMatch(
      /Shop sparks.* sparks S-1, bring 3 from Shop reno B-12 \(2\), shed \(9\) 5 0 0 5/,
    );
    // A place that is gone is named by its id, and no other.
    expect(await slip(places.slice(0, 1))).toMatch(/Pickup.* sparks (?!.*Shop)/);
  });

  test("the slip of a shipment lists what is in it, and how it travels", async () => {
    const items = [{ productId: "bns-a", partNumber: "A", quantity: 1 }];
    const shipment = { shipmentId: "shp_1", items, carrier: "ups", trackingNumber: "1Z9", createdAt: "" };
    const texts = await readPaper(createShipmentSlip(order, shop, shipment));
    expect(texts).toMatch(/ A Part A 2 1 Pieces in this shipment 1 UPS 1Z9/);
    expect(texts).not.toMatch(/Part B|USD|\$/);
  });

  test("papers are in the language of the checkout, as the buyer's mails are", async () => {
    expect(await readPaper(createInvoice({ ...order, language: "de" }, shop))).toMatch(
      /Rechnung ORD-\S+ .*Lieferung an.*Teilenummer.*Versand, UPS ground 15,00 \$ Steuer.*Bezahlt\..*Seite 1 von 1/,
    );
    expect(await readPaper(createPackingSlip({ ...order, language: "es" }, shop, shelves))).toMatch(
      /Albarán ORD-\S+ .*Enviar a.*Referencia Descripción Estante.*30 días para devoluciones.*página 1 de 1/,
    );
  });

  test("a hundred lines go over pages that repeat the heading, and the same order gives the same bytes", async () => {
    const line = { productId: "bns-a", partNumber: "A", name: "Part A", quantity: 1, price: 100 };
    const long = { ...order, items: Array.from({ length: 100 }, (_, at) => ({ ...line, partNumber: `A-${at}` })) };
    const pdf = await drawPaper(createPackingSlip(long, shop, shelves));
    const pages = await pageTexts(pdf);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every(({ texts }) => texts.some(({ text }) => text === "Part number"))).toBe(true);
    const numbers = pages.flatMap(({ texts }) => texts.map(({ text }) => text)).filter((text) => /^A-\d+$/.test(text));
    expect(numbers).toHaveLength(100);
    expect(await drawPaper(createPackingSlip(long, shop, shelves))).toEqual(pdf);
  });
});
