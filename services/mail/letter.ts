import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getFrom } from "@partline/toolkit";
import Mustache from "mustache";
import type { Result } from "../../broker/contract/define.ts";
import { SettingsError } from "../../broker/settings/reader.ts";
import { onOneLine, toMajorUnits, toMinorUnits } from "@partline/parts-language";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { listPickupPlaces, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import type { Actions } from "../contracts.ts";
import { KIND_NAMES, type Kind } from "./contract.ts";
import type { Facts } from "./kinds.ts";

export type Order = Result<Actions["order.forMail"]>;

export interface Letter {
  subject: string;
  html: string;
  text: string;
}

/** Most lines that a mail lists, fewer if it would be too large; the rest is behind its link. */
const MOST_LINES = 40;
const MOST_BYTES = 30_000;

const LIST = new Intl.ListFormat("en", { type: "disjunction" });
const DAYS = new Intl.NumberFormat("en", { style: "unit", unit: "day", unitDisplay: "long" });

/** The shop as a mail names it. */
export interface LetterShop extends Pick<
  ShopFacts,
  "shopName" | "address" | "phone" | "email" | "openingHours" | "pickupPlaces"
> {
  /** Page about returns, if the shop has said something of them. */
  returnsLink?: string | undefined;
}

interface LetterRequest {
  kind: Kind;
  facts: Facts;
  order: Order;
  link: string;
  shop: LetterShop;
}

/** Returns a mail of an order as it is now. Names, addresses and notes are text. */
export function writeLetter(templates: Templates, { kind, facts, order, link, shop }: LetterRequest): Letter {
  const lines = toLines(facts, order);
  const { currency, refundDue } = order;
  const money = new Intl.NumberFormat("en", { style: "currency", currency });
  const formatMinor = (minor: number): string => money.format(toMajorUnits(minor, currency));
  const formatMoney = (amount: number): string => formatMinor(toMinorUnits(amount, currency));
  const amount = facts.amount ?? (refundDue === undefined ? undefined : toMinorUnits(refundDue, currency));
  const shipment = order.shipments?.find(({ shipmentId }) => shipmentId === facts.shipmentId);
  const returned = order.returns?.find(({ returnId }) => returnId === facts.returnId);
  const { shippingAddress, contact, fulfilment, shippingMethod, shippingUnderpaid } = order;
  const missing = shippingUnderpaid?.amount;
  const view = {
    ...writeLetterhead(shop),
    link,
    orderNumber: order.orderNumber,
    orderId: order.orderId,
    name: contact?.name,
    isPickup: fulfilment === "pickup",
    pickupPlace: formatPickupPlaces(shop),
    method: shippingMethod && `${shippingMethod.provider} ${shippingMethod.serviceType}`,
    // One that is asked for is no place that anything goes to.
    address: !order.addressMissing && shippingAddress && formatAddress(shippingAddress),
    addressMissing: order.addressMissing ?? false,
    underpaid: shippingUnderpaid && {
      ...shippingUnderpaid,
      difference: missing === undefined ? undefined : formatMoney(missing),
    },
    carrier: shipment?.carrier,
    trackingNumber: shipment?.trackingNumber,
    wait: facts.days === undefined ? undefined : DAYS.format(facts.days),
    amount: amount === undefined ? undefined : formatMinor(amount),
    disputed: order.disputedAmount ? formatMoney(order.disputedAmount) : undefined,
    disputes: order.disputes.map(({ amount: about, status, reason, dueBy }) => ({
      about: about === undefined ? undefined : formatMoney(about),
      status: toWords(status),
      reason: reason && toWords(reason),
      dueBy: dueBy && shopDays().dayOf(new Date(dueBy)),
    })),
    hasAmount: (facts.amount ?? 0) > 0,
    awaited: returned !== undefined && returned.awaited.length > 0,
    fee: facts.fee ? formatMinor(facts.fee) : undefined,
    hasPieces: lines.length > 0,
    isPart: facts.isPart,
    backordered: facts.items === undefined && order.items.some(({ quantities }) => quantities.backordered > 0),
    totals:
      facts.items === undefined
        ? [
            { label: "Subtotal", value: formatMoney(order.subtotal) },
            ...(order.discount ? [{ label: "Discount", value: `-${formatMoney(order.discount)}` }] : []),
            { label: "Shipping", value: formatMoney(order.shipping) },
            { label: "Tax", value: formatMoney(order.tax) },
            ...(order.includedTax
              ? [{ label: "Tax included in prices", value: `-${formatMoney(order.includedTax)}` }]
              : []),
            { label: "Total", value: formatMoney(order.total) },
          ]
        : [],
    total: formatMoney(order.total),
  };
  for (let most = MOST_LINES; ; most = Math.floor(most / 2)) {
    const more = lines.length > most ? lines.length - most : undefined;
    const letter = templates.render(kind, { ...view, lines: lines.slice(0, most), more });
    if (Buffer.byteLength(letter.html) <= MOST_BYTES || most === 0) return letter;
  }
}

/** Who the shop is and how to reach it, for the end of a mail. */
export function writeLetterhead({ shopName, address, phone, email, openingHours, returnsLink }: LetterShop) {
  const lines = [address.join(", "), [phone, email].filter(Boolean).join(" · "), openingHours.join(", ")];
  return { shop: shopName, shopLines: lines.filter(Boolean), returnsLink };
}

function formatPickupPlaces(shop: LetterShop): string | undefined {
  const places = listPickupPlaces(shop).filter(({ address }) => address.length > 0);
  const texts = places.map(({ name, address, hours }) => {
    const place = [name, ...address].join(", ");
    return hours.length > 0 ? `${place} (${hours.join(", ")})` : place;
  });
  return texts.length > 0 ? LIST.format(texts) : undefined;
}

/** Returns an address on one line, without the phone number. */
function formatAddress({ phone: _phone, ...place }: NonNullable<Order["shippingAddress"]>): string {
  return Object.values(place).filter(Boolean).join(", ");
}

/** Turns a code of the payment provider, `needs_response`, into words. */
const toWords = (code: string): string => code.replaceAll("_", " ");

/** Returns a mail to the shop that is of no order. */
export function writeNotice(templates: Templates, kind: Kind, view: object): Letter {
  return templates.render(kind, { ...view, lines: [], totals: [] });
}

function toLines({ items }: Facts, order: Order) {
  if (items)
    return items.map(({ productId, partNumber, quantity }) => ({
      quantity,
      partNumber,
      name: order.items.find((line) => line.productId === productId)?.name ?? partNumber,
    }));
  return order.items.map(({ quantity, partNumber, name, quantities, backorderDays }) => ({
    quantity,
    partNumber,
    name,
    note: quantities.backordered === 0 ? undefined : formatBackorderNote(quantities.backordered, backorderDays),
  }));
}

function formatBackorderNote(pieces: number, days: number | undefined): string {
  return `${pieces} on backorder${days === undefined ? "" : `, expected in ${DAYS.format(days)}`}`;
}

const OWN = fileURLToPath(new URL("./templates", import.meta.url));
/** A line break in a name begins no paragraph. */
const asText = (value: unknown): string => onOneLine(String(value));
const LAYOUTS = ["layout.html", "layout.txt"] as const;

export type Templates = ReturnType<typeof loadTemplates>;

/**
 * Reads the templates (Mustache): `KIND.mustache`, whose first line is the subject, whose second is the heading and
 * whose other blocks are paragraphs, and the two layouts. Those in `folder` replace the product's.
 * @throws SettingsError naming a file that is none of them, cannot be read, is broken, empty or without a heading
 */
export function loadTemplates(folder: string | undefined) {
  const names = [...KIND_NAMES.map((kind) => `${kind}.mustache`), ...LAYOUTS.map((name) => `${name}.mustache`)];
  const customFiles = folder === undefined ? [] : listFiles(folder);
  const unknown = customFiles.find((name) => name.endsWith(".mustache") && !names.includes(name));
  if (unknown) throw new SettingsError(`MAIL_TEMPLATES has ${unknown}, which is no template: ${names.join(", ")}`);
  const sources = new Map(names.map((name) => [name, readTemplate(customFiles.includes(name) ? folder! : OWN, name)]));
  const getSource = (name: string): string => getFrom(sources, `${name}.mustache`);

  return {
    /** Returns a mail of this kind. What the view holds is text: it is escaped in the HTML. */
    render(kind: Kind, view: object): Letter {
      const text = Mustache.render(getSource(kind), view, undefined, { escape: asText });
      const [subject = "", heading = "", ...rest] = text.trim().split("\n");
      const paragraphs = rest
        .join("\n")
        .split(/\n\s*\n/)
        .map((paragraph) => paragraph.replaceAll(/\s+/g, " ").trim())
        .filter((paragraph) => paragraph !== "");
      const letter = { ...view, subject: onOneLine(subject), heading, paragraphs };
      return {
        subject: letter.subject,
        html: Mustache.render(getSource("layout.html"), letter),
        text: Mustache.render(getSource("layout.txt"), letter, undefined, { escape: asText }),
      };
    },
  };
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new SettingsError(`MAIL_TEMPLATES cannot be read (${(error as NodeJS.ErrnoException).code ?? "error"})`);
  }
}

function readTemplate(folder: string, name: string): string {
  const source = readFileSync(join(folder, name), "utf8");
  try {
    Mustache.parse(source);
  } catch (error) {
    throw new SettingsError(`MAIL_TEMPLATES has a broken ${name}: ${(error as Error).message}`);
  }
  const [first, second = ""] = source.trim().split("\n");
  if (first === "") throw new SettingsError(`MAIL_TEMPLATES has an empty ${name}`);
  if (second.trim() === "" && !name.startsWith("layout."))
    throw new SettingsError(`MAIL_TEMPLATES has no heading in ${name}: its second line`);
  return source;
}
