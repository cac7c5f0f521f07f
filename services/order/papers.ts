import { createHash } from "node:crypto";
import { describePromise, formatDay, PAPER_WORDS, type Paper, type PaperWords } from "@partline/papers";
import { getAt } from "@partline/toolkit";
import { answerFile, type FileAnswer, type FileRequest } from "../../broker/contract/file.ts";
import { onOneLine, toMajorUnits } from "@partline/parts-language";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { listPickupPlaces, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { describeShelves, findPickupPlace, type Shelf } from "../../mixins/shop/shelves.ts";
import { listAddressLines, nameCarrier, nameMethod } from "@partline/toolkit/pure";
import type { OrderDocument, OrderShipment } from "./collections.ts";
import { findPromises } from "./promises.ts";
import { countQuantities } from "./quantities.ts";

type Shop = Pick<
  ShopFacts,
  "shopName" | "legalName" | "address" | "phone" | "email" | "taxIds" | "openingHours" | "pickupPlaces" | "returns"
>;

/** Where pieces lie, by product; undefined if the catalog is away. */
export type Shelves = ReadonlyMap<string, readonly Shelf[]> | undefined;

/** Papers are in the language of the checkout, as the buyer's mails are. */
const selectWords = ({ language = "en" }: OrderDocument): PaperWords => PAPER_WORDS[language];

/** Creates the packing slip: where the order goes, how, and how many of what are left; no prices. */
export function createPackingSlip(order: OrderDocument, shop: Shop, shelves: Shelves): Paper {
  const quantities = countQuantities(order);
  const { linePromises: promises } = findPromises(order);
  const words = selectWords(order);
  return {
    ...createHead(words.packingSlip, order, shop),
    columns: [
      ...createColumns([words.partNumber, 0.17], [words.description, 0.24], [words.shelf, 0.14]),
      ...createCounts(0.1125, words.ordered, words.shipped, words.backordered, words.toPack),
    ],
    rows: order.items.map(({ productId, partNumber, quantity, ...line }, index) => {
      const { shipped, returned, backordered, open } = getAt(quantities, index);
      const promise = promises[index] && describePromise(promises[index], order.language ?? "en");
      const name = [line.name, promise].filter(Boolean).join(" · ");
      // Of a part that was counted since, some pieces wait.
      const uncounted = backordered > 0 ? 0 : Math.min(line.uncounted ?? 0, open);
      const notCounted = uncounted > 0 && (uncounted < open ? `${uncounted} ${words.notCounted}` : words.notCounted);
      const sources = describeSources(shelves?.get(productId) ?? [], Math.min(line.elsewhere ?? 0, open), order, shop);
      const shelf = [...sources, notCounted].filter(Boolean).join(", ");
      return [partNumber, name, shelf, ...[quantity, shipped + returned, backordered, open].map(String)];
    }),
    totals: [[words.piecesToPack, String(quantities.reduce((sum, { open }) => sum + open, 0))]],
    notes: shelves ? [] : [words.shelvesUnavailable],
  };
}

/** Says where pieces of a part lie; of a pickup order at one of several places, how many to bring from the others. */
function describeSources(shelves: readonly Shelf[], elsewhere: number, order: OrderDocument, { pickupPlaces }: Shop) {
  const findPlace = ({ place }: Shelf): string | undefined => findPickupPlace(place, pickupPlaces);
  const isAnywhere = order.pickupPlace === undefined || pickupPlaces.length < 2;
  const isHere = (shelf: Shelf): boolean => isAnywhere || findPlace(shelf) === order.pickupPlace;
  const otherShelves = shelves
    .filter((shelf) => !isHere(shelf))
    .map((shelf) => ({ ...shelf, place: pickupPlaces.find(({ id }) => id === findPlace(shelf))?.name ?? shelf.place }));
  const toBring = elsewhere > 0 && selectWords(order).formatBringing(elsewhere, describeShelves(otherShelves));
  return [describeShelves(shelves.filter(isHere)), toBring];
}

/** Creates the page that names the orders whose slips are not printed: for the shop, in English. */
export function createSkippedOrdersPage(orders: readonly OrderDocument[], shop: Shop, date: Date): Paper {
  return {
    ...{ language: "en", title: "No packing slip", blocks: [], date },
    ...{ shop: listSlipLines(shop), contact: listContact(shop, PAPER_WORDS.en) },
    columns: createColumns(["Order", 0.4], ["Why", 0.6]),
    rows: orders.map(({ orderNumber }) => [orderNumber, "Nothing to pack right now"]),
    totals: [["Orders", String(orders.length)]],
    notes: [],
  };
}

/** Creates the packing slip of a shipment: how many of what are in it. */
export function createShipmentSlip(order: OrderDocument, shop: Shop, shipment: OrderShipment): Paper {
  const { items, carrier, trackingNumber } = shipment;
  const words = selectWords(order);
  const addUp = (counts: readonly { quantity: number }[]) => counts.reduce((sum, { quantity }) => sum + quantity, 0);
  return {
    ...createHead(words.packingSlip, order, shop),
    columns: [
      ...createColumns([words.partNumber, 0.25], [words.description, 0.47]),
      ...createCounts(0.12, words.ordered),
      ...createCounts(0.16, words.inShipment),
    ],
    rows: items.map(({ productId, partNumber, quantity }) => {
      const lines = order.items.filter((line) => line.productId === productId);
      return [partNumber, lines[0]?.name ?? "", String(addUp(lines)), String(quantity)];
    }),
    totals: [[words.piecesInShipment, String(addUp(items))]],
    notes:
      carrier || trackingNumber ? [[carrier && nameCarrier(carrier), trackingNumber].filter(Boolean).join(" ")] : [],
  };
}

/** Creates the invoice: what was bought, at which price, and what was paid and refunded. */
export function createInvoice(order: OrderDocument, shop: Shop): Paper {
  const { currency, subtotal, discount, shipping, tax, taxes, includedTax, total, refundedAmount } = order;
  const words = selectWords(order);
  const money = new Intl.NumberFormat(order.language ?? "en", { style: "currency", currency });
  const formatMoney = (cents: number): string => money.format(toMajorUnits(cents, currency));
  const toRows = (label: string, cents: number | undefined): [string, string][] =>
    cents ? [[label, formatMoney(cents)]] : [];
  const { shopName, legalName, address, taxIds } = shop;
  const sumLabel = `${refundedAmount ? words.totalAfterRefunds : words.total} (${currency.toUpperCase()})`;
  return {
    ...createHead(words.invoice, order, shop, [legalName ?? shopName, ...address, ...taxIds]),
    columns: [
      ...createColumns([words.partNumber, 0.2], [words.description, 0.36]),
      ...createCounts(0.12, words.quantity),
      ...createCounts(0.16, words.price, words.amount),
    ],
    rows: order.items.map(({ partNumber, name, quantity, price }) => {
      return [partNumber, name, String(quantity), formatMoney(price), formatMoney(price * quantity)];
    }),
    totals: [
      [words.subtotal, formatMoney(subtotal)],
      ...toRows(words.discount, discount && -discount),
      ...toRows([words.shipping, formatMethod(order)].filter(Boolean).join(", "), shipping),
      ...(taxes?.length ? taxes.flatMap(({ name, amount }) => toRows(name, amount)) : toRows(words.tax, tax)),
      ...toRows(words.includedTax, includedTax && -includedTax),
      ...(refundedAmount ? ([[words.total, formatMoney(total)]] as const) : []),
      ...toRows(words.refunded, refundedAmount && -refundedAmount),
      [sumLabel, formatMoney(total - refundedAmount)],
    ],
    notes: [words.payments[order.paymentStatus]],
  };
}

const listSlipLines = ({ shopName, address }: Shop): string[] => [shopName, ...address];

const listContact = ({ phone, email, returns }: Shop, words: PaperWords): string[] =>
  [phone, email, returns.days > 0 ? words.formatReturns(returns.days) : null].filter((line) => line !== null);

const createColumns = (...columns: readonly (readonly [label: string, share: number])[]) =>
  columns.map(([label, share]) => ({ label, share }));

const createCounts = (share: number, ...labels: string[]) =>
  labels.map((label) => ({ label, share, align: "right" as const }));

function createHead(title: string, order: OrderDocument, shop: Shop, shopLines = listSlipLines(shop)) {
  const { orderNumber, contact, fulfilment, pickupPlace, shippingAddress, updatedAt, language = "en" } = order;
  const day = formatDay(shopDays().findDay(order.createdAt), language);
  const words = selectWords(order);
  const addressLines = [...listAddressLines(shippingAddress), shippingAddress?.phone ?? ""].filter(Boolean);
  const placeNames = listPickupPlaces(shop, pickupPlace).flatMap(({ id, name }) => (id === undefined ? [] : [name]));
  // A line break in a buyer's name writes no line of its own.
  const toLines = (...lines: (string | undefined)[]) => lines.map((line = "") => onOneLine(line)).filter(Boolean);
  return {
    ...{ language, title: `${title} ${orderNumber}` },
    ...{ shop: shopLines, contact: listContact(shop, words) },
    blocks: [
      { label: words.order, lines: toLines(orderNumber, day, formatMethod(order)) },
      fulfilment === "pickup"
        ? { label: words.pickup, lines: toLines(contact?.name, ...placeNames) }
        : { label: words.shipTo, lines: addressLines.length > 0 ? addressLines : [words.addressMissing] },
      { label: words.buyer, lines: toLines(contact?.name, contact?.email, contact?.phone) },
    ],
    date: updatedAt,
  };
}

const formatMethod = ({ shippingMethod, language }: OrderDocument): string | undefined =>
  shippingMethod && nameMethod(shippingMethod, language);

/** Answers a request for a PDF that no cache may keep. */
export function createPdfAnswer(request: FileRequest, pdf: Buffer): Promise<FileAnswer> {
  const etag = `"${createHash("sha256").update(pdf).digest("base64url").slice(0, 22)}"`;
  const facts = { type: "application/pdf", etag, bytes: pdf.length, cacheControl: "private, no-store" };
  return answerFile(request, { ...facts, disposition: "inline" }, (from, to) =>
    Promise.resolve(pdf.subarray(from, to + 1)),
  );
}
