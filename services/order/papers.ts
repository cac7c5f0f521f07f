import { createHash } from "node:crypto";
import type { Paper } from "@partline/papers";
import { getAt } from "@partline/toolkit";
import { answerFile, type FileAnswer, type FileRequest } from "../../broker/contract/file.ts";
import type { ShippingAddress } from "../shared/commerce.ts";
import { isCharged } from "../shared/placed-order.ts";
import { onOneLine, toMajorUnits } from "@partline/parts-language";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { listPickupPlaces, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { nameMethod } from "../../mixins/shop/method-names.ts";
import { nameCarrier } from "../../mixins/shop/tracking.ts";
import type { OrderDocument, OrderShipment } from "./collections.ts";
import { countQuantities } from "./quantities.ts";

type Shop = Pick<
  ShopFacts,
  "shopName" | "legalName" | "address" | "phone" | "email" | "taxIds" | "openingHours" | "pickupPlaces" | "returns"
>;

/** Where pieces lie, by product; undefined if the catalog is away. */
export type Shelves = ReadonlyMap<string, string> | undefined;

/** Creates the packing slip: where the order goes, how, and how many of what are left; no prices. */
export function createPackingSlip(order: OrderDocument, shop: Shop, shelves: Shelves): Paper {
  const quantities = countQuantities(order);
  return {
    ...createHead("Packing slip", order, shop, listSlipLines(shop)),
    columns: [
      { label: "Part number", share: 0.2 },
      { label: "Description", share: 0.25 },
      { label: "Shelf", share: 0.11 },
      ...createCounts(0.11, "Ordered", "Shipped", "On backorder", "To pack"),
    ],
    rows: order.items.map(({ productId, partNumber, name, quantity }, index) => {
      const { shipped, returned, backordered, open } = getAt(quantities, index);
      const shelf = shelves?.get(productId) ?? "";
      return [partNumber, name, shelf, ...[quantity, shipped + returned, backordered, open].map(String)];
    }),
    totals: [["Pieces to pack", String(quantities.reduce((sum, { open }) => sum + open, 0))]],
    notes: shelves ? [] : ["Shelf locations are unavailable right now."],
  };
}

/** Creates the page that names the orders whose slips are not printed. */
export function createSkippedOrdersPage(orders: readonly OrderDocument[], shop: Shop, date: Date): Paper {
  return {
    ...{ title: "No packing slip", shop: listSlipLines(shop), contact: listContact(shop), blocks: [], date },
    columns: [
      { label: "Order", share: 0.4 },
      { label: "Why", share: 0.6 },
    ],
    rows: orders.map(({ orderNumber }) => [orderNumber, "Nothing to pack right now"]),
    totals: [["Orders", String(orders.length)]],
    notes: [],
  };
}

/** Creates the packing slip of a shipment: how many of what are in it. */
export function createShipmentSlip(order: OrderDocument, shop: Shop, shipment: OrderShipment): Paper {
  const { items, carrier, trackingNumber } = shipment;
  const addUp = (counts: readonly { quantity: number }[]) => counts.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    ...createHead("Packing slip", order, shop, listSlipLines(shop)),
    columns: [
      { label: "Part number", share: 0.25 },
      { label: "Description", share: 0.48 },
      { label: "Ordered", share: 0.11, align: "right" },
      { label: "In this shipment", share: 0.16, align: "right" },
    ],
    rows: items.map(({ productId, partNumber, quantity }) => {
      const lines = order.items.filter((line) => line.productId === productId);
      return [partNumber, lines[0]?.name ?? "", String(addUp(lines)), String(quantity)];
    }),
    totals: [["Pieces in this shipment", String(addUp(items))]],
    notes:
      carrier || trackingNumber ? [[carrier && nameCarrier(carrier), trackingNumber].filter(Boolean).join(" ")] : [],
  };
}

/** Creates the invoice: what was bought, at which price, and what was paid and refunded. */
export function createInvoice(order: OrderDocument, shop: Shop): Paper {
  const { currency, subtotal, discount, shipping, tax, taxes, includedTax, total, refundedAmount } = order;
  const money = new Intl.NumberFormat("en", { style: "currency", currency });
  const formatMoney = (cents: number): string => money.format(toMajorUnits(cents, currency));
  const toRows = (label: string, cents: number | undefined): [string, string][] =>
    cents ? [[label, formatMoney(cents)]] : [];
  const { shopName, legalName, address, taxIds } = shop;
  const sumLabel = `Total${refundedAmount ? " after refunds" : ""} (${currency.toUpperCase()})`;
  return {
    ...createHead("Invoice", order, shop, [legalName ?? shopName, ...address, ...taxIds]),
    columns: [
      { label: "Part number", share: 0.2 },
      { label: "Description", share: 0.38 },
      ...createCounts(0.1, "Quantity"),
      ...createCounts(0.16, "Price", "Amount"),
    ],
    rows: order.items.map(({ partNumber, name, quantity, price }) => {
      return [partNumber, name, String(quantity), formatMoney(price), formatMoney(price * quantity)];
    }),
    totals: [
      ["Subtotal", formatMoney(subtotal)],
      ...toRows("Discount", discount && -discount),
      ...toRows(["Shipping", formatMethod(order)].filter(Boolean).join(", "), shipping),
      ...(taxes?.length ? taxes.flatMap(({ name, amount }) => toRows(name, amount)) : toRows("Tax", tax)),
      ...toRows("Tax included in prices", includedTax && -includedTax),
      ...(refundedAmount ? ([["Total", formatMoney(total)]] as const) : []),
      ...toRows("Refunded", refundedAmount && -refundedAmount),
      [sumLabel, formatMoney(total - refundedAmount)],
    ],
    notes: [isCharged(order.paymentStatus) ? "Paid." : `Payment: ${order.paymentStatus}.`],
  };
}

const listSlipLines = ({ shopName, address }: Shop): string[] => [shopName, ...address];

const listContact = ({ phone, email, returns }: Shop): string[] =>
  [phone, email, returns.days > 0 ? `Returns within ${returns.days} days` : null].filter((line) => line !== null);

const createCounts = (share: number, ...labels: string[]) =>
  labels.map((label) => ({ label, share, align: "right" as const }));

function createHead(
  title: string,
  order: OrderDocument,
  shop: Shop,
  shopLines: readonly string[],
): Pick<Paper, "title" | "shop" | "contact" | "blocks" | "date"> {
  const { orderNumber, createdAt, contact, fulfilment, pickupPlace, shippingAddress, updatedAt } = order;
  const placeNames = shop.pickupPlaces.length > 0 ? listPickupPlaces(shop, pickupPlace).map(({ name }) => name) : [];
  // A line break in a buyer's name writes no line of its own.
  const toLines = (...lines: (string | undefined)[]) => lines.map((line = "") => onOneLine(line)).filter(Boolean);
  return {
    title: `${title} ${orderNumber}`,
    shop: shopLines,
    contact: listContact(shop),
    blocks: [
      { label: "Order", lines: toLines(orderNumber, shopDays().dayOf(createdAt), formatMethod(order)) },
      fulfilment === "pickup"
        ? { label: "Pickup", lines: toLines(contact?.name, ...placeNames) }
        : { label: "Ship to", lines: formatAddress(shippingAddress) },
      { label: "Buyer", lines: toLines(contact?.name, contact?.email, contact?.phone) },
    ],
    date: updatedAt,
  };
}

function formatMethod({ shippingMethod }: OrderDocument): string | undefined {
  return shippingMethod && nameMethod(shippingMethod);
}

function formatAddress(address: ShippingAddress | undefined): string[] {
  const { name, street, city, state, postalCode, country, phone } = address ?? {};
  const place = [[city, state].filter(Boolean).join(", "), postalCode].filter(Boolean).join(" ");
  const lines = [name, street, place, country, phone].filter((line): line is string => Boolean(line));
  return lines.length > 0 ? lines : ["The address is missing"];
}

/** Answers a request for a PDF that no cache may keep. */
export function createPdfAnswer(request: FileRequest, pdf: Buffer): Promise<FileAnswer> {
  const etag = `"${createHash("sha256").update(pdf).digest("base64url").slice(0, 22)}"`;
  const facts = { type: "application/pdf", etag, bytes: pdf.length, cacheControl: "private, no-store" };
  return answerFile(request, { ...facts, disposition: "inline" }, (from, to) =>
    Promise.resolve(pdf.subarray(from, to + 1)),
  );
}
