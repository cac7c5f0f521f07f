import { fileURLToPath } from "node:url";
import {
  describeSupply,
  formatDay,
  type Letter,
  type LetterTemplates,
  loadLetterTemplates,
  PAPER_WORDS,
} from "@partline/papers";
import type { Result } from "@partline/api-contracts";
import { SettingsError } from "../../broker/settings/reader.ts";
import { toMajorUnits, toMinorUnits } from "@partline/parts-language";
import { getBrandColour } from "../../mixins/shop/brand-colour.ts";
import { shopDays } from "../../mixins/shop/shop-days.ts";
import { listPickupPlaces, toPicturePath, type ShopFacts } from "../../mixins/shop/shop-facts.ts";
import type { Actions } from "../contracts.ts";
import type { Language } from "../../mixins/shop/languages.ts";
import { findTrackingLink, listAddressLines, nameCarrier, nameMethod } from "@partline/toolkit/pure";
import { KIND_NAMES, KINDS, type Kind, NEWS } from "./contract.ts";
import type { Facts } from "./kinds.ts";

export type Order = Result<Actions["order.forMail"]>;

/** Most lines that a mail lists, fewer if it would be too large; the rest is behind its link. */
const MOST_LINES = 40;
const MOST_BYTES = 30_000;

/** Twice its size in the mail, for sharp screens. */
const LOGO = { width: 480, height: 96 };

/** The shop as a mail names it. */
export interface LetterShop extends Pick<
  ShopFacts,
  "shopName" | "address" | "phone" | "email" | "openingHours" | "pickupPlaces" | "newOrderMails" | "logo" | "colours"
> {
  /** Where the shop's pages and pictures are. */
  storeUrl: string;
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

const getWords = (language: Language) => ({ ...PAPER_WORDS[language], ...PAPER_WORDS[language].mail });

/** The buyer's mails are in the language of the checkout. The shop's own are in English, until they are translated. */
function resolveLanguage(kind: Kind, order: Order, { newOrderMails }: LetterShop): Language {
  if (KINDS[kind] === "buyer") return order.language ?? "en";
  return NEWS.includes(kind) && newOrderMails !== "off" ? newOrderMails : "en";
}

/** Returns a mail of an order as it is now. Names, addresses and notes are text. */
export function writeLetter(templates: Templates, { kind, facts, order, link, shop }: LetterRequest): Letter {
  const { currency, refundDue } = order;
  const language = resolveLanguage(kind, order, shop);
  const words = getWords(language);
  const money = new Intl.NumberFormat(language, { style: "currency", currency });
  const formatMinor = (minor: number): string => money.format(toMajorUnits(minor, currency));
  const formatMoney = (amount: number): string => formatMinor(toMinorUnits(amount, currency));
  const days = new Intl.NumberFormat(language, { style: "unit", unit: "day", unitDisplay: "long" });
  const isMissing = facts.days === undefined && facts.day === undefined;
  const lines = toLines(facts, order, language, formatMinor, kind === "delayed" && isMissing);
  const shipment = order.shipments?.find(({ shipmentId }) => shipmentId === facts.shipmentId);
  const returned = order.returns?.find(({ returnId }) => returnId === facts.returnId);
  const details = order.returnDetails?.find(({ returnId }) => returnId === facts.returnId);
  const { shippingAddress, contact, fulfilment, shippingMethod, deliveryPromise: promise, shippingUnderpaid } = order;
  const view = {
    ...writeLetterhead(shop),
    words,
    link,
    orderNumber: order.orderNumber,
    orderId: order.orderId,
    name: contact?.name,
    isPickup: fulfilment === "pickup",
    pickupPlace: formatPickupPlaces(shop, order.pickupPlace, language),
    method: shippingMethod && nameMethod(shippingMethod, language),
    promise: promise && {
      ...{ [promise.kind]: true, estimated: promise.estimated ?? false },
      day: formatDay(promise.day, language),
    },
    // One that is asked for is no place that anything goes to.
    city: shippingAddress?.city,
    address: !order.addressMissing && shippingAddress && listAddressLines(shippingAddress).join(", "),
    addressMissing: order.addressMissing ?? false,
    underpaid: shippingUnderpaid && {
      ...shippingUnderpaid,
      difference: shippingUnderpaid.amount === undefined ? undefined : formatMoney(shippingUnderpaid.amount),
    },
    carrier: shipment?.carrier && nameCarrier(shipment.carrier),
    trackingNumber: shipment?.trackingNumber,
    trackingLink: findTrackingLink(shipment?.carrier, shipment?.trackingNumber),
    wait: facts.days === undefined ? undefined : days.format(facts.days),
    day: facts.day && formatDay(facts.day, language),
    amount: facts.amount === undefined ? refundDue && formatMoney(refundDue) : formatMinor(facts.amount),
    outcome: facts.disputeStatus && { [facts.disputeStatus]: true },
    disputed: order.disputedAmount ? formatMoney(order.disputedAmount) : undefined,
    disputes: order.disputes.map(({ amount: about, status, reason, dueBy }) => ({
      about: about === undefined ? undefined : formatMoney(about),
      status: toWords(status),
      reason: reason && toWords(reason),
      dueBy: dueBy && status.endsWith("needs_response") && shopDays().findDay(new Date(dueBy)),
    })),
    paidBy: facts.paidBy && { [facts.paidBy]: true },
    hasAmount: (facts.amount ?? 0) > 0,
    isOwed: facts.amount !== 0,
    due: facts.isRefused && refundDue ? formatMoney(refundDue) : undefined,
    awaited: returned !== undefined && returned.awaited.length > 0,
    fee: facts.fee ? formatMinor(facts.fee) : undefined,
    condition: facts.condition && facts.condition !== "resalable" ? words[facts.condition] : undefined,
    label: returned?.label && { ...returned.label, [returned.label.state]: true },
    returnFee: returned?.restockingFee ? formatMoney(returned.restockingFee) : undefined,
    refusal: details?.refusal,
    comment: details?.comment,
    sendTo: shop.address.length > 0 ? [shop.shopName, ...shop.address].join(", ") : undefined,
    hasPieces: lines.length > 0,
    isMissing,
    hasUndated: lines.some(({ note }) => !note),
    isPart: facts.isPart,
    isCorrected: facts.isCorrected,
    backordered: facts.items === undefined && order.items.some(({ quantities }) => quantities.backordered > 0),
    totals:
      facts.items === undefined
        ? [
            { label: words.subtotal, value: formatMoney(order.subtotal), isFirst: true },
            ...(order.discount ? [{ label: words.discount, value: `-${formatMoney(order.discount)}` }] : []),
            { label: words.shipping, value: formatMoney(order.shipping) },
            { label: words.tax, value: formatMoney(order.tax) },
            ...(order.includedTax ? [{ label: words.includedTax, value: `-${formatMoney(order.includedTax)}` }] : []),
            { label: words.total, value: formatMoney(order.total), isTotal: true },
          ]
        : [],
    total: formatMoney(order.total),
  };
  for (let most = MOST_LINES; ; most = Math.floor(most / 2)) {
    const more = lines.length > most ? lines.length - most : undefined;
    const moreText = more && words.more.replace("{count}", String(more));
    const letter = templates.render(kind, { ...view, lines: lines.slice(0, most), more, moreText }, language);
    if (Buffer.byteLength(letter.html) <= MOST_BYTES || most === 0) return letter;
  }
}

/** Who the shop is and how to reach it, for the end of a mail. */
export function writeLetterhead(shop: LetterShop) {
  const { shopName, address, phone, email, openingHours, logo, colours, storeUrl, returnsLink } = shop;
  const lines = [address.join(", "), [phone, email].filter(Boolean).join(" · "), openingHours.join(", ")];
  return {
    shop: shopName,
    shopLines: lines.filter(Boolean),
    logo: logo === null ? undefined : storeUrl + toPicturePath(logo, LOGO),
    // White can be read on it.
    buttonColour: getBrandColour(colours),
    returnsLink,
  };
}

function formatPickupPlaces(shop: LetterShop, chosenId: string | undefined, language: Language): string | undefined {
  const places = listPickupPlaces(shop, chosenId).filter(({ id, address }) => id ?? address.length > 0);
  const texts = places.map(({ name, address, hours }) => {
    const place = [name, ...address].join(", ");
    return hours.length > 0 ? `${place} (${hours.join(", ")})` : place;
  });
  return texts.length > 0 ? new Intl.ListFormat(language, { type: "disjunction" }).format(texts) : undefined;
}

/** Turns a code of the payment provider, `needs_response`, into words. */
const toWords = (code: string): string => code.replaceAll("_", " ");

/** Returns a mail to the shop that is of no order. */
export function writeNotice(templates: Templates, kind: Kind, view: object, language: Language = "en"): Letter {
  return templates.render(kind, { words: getWords(language), ...view, lines: [], totals: [] }, language);
}

function toLines(
  { items, condition: common }: Facts,
  order: Order,
  language: Language,
  format: (minor: number) => string,
  namesDays: boolean,
) {
  const { conditions, fee, expectedOn, refundedOnly } = getWords(language);
  if (items)
    return items.map(({ productId, partNumber, quantity, condition, restockingFee, isShipped }) => {
      const isNamed = condition && condition !== "resalable" && condition !== common;
      const { name = partNumber, expectedAt } = order.items.find((line) => line.productId === productId) ?? {};
      const day = namesDays && expectedAt && formatDay(expectedAt, language);
      const notes = [
        isShipped && refundedOnly,
        isNamed && conditions[condition],
        restockingFee && `${fee}: ${format(restockingFee)}`,
        day && expectedOn.replace("{day}", day),
      ];
      return { quantity, partNumber, name, note: notes.filter(Boolean).join(", ") };
    });
  return order.items.map(({ quantity, partNumber, name, total, quantities: { backordered, open }, ...line }) => {
    const elsewhere = Math.min(line.elsewhere ?? 0, open);
    // Of a part that was counted since, some pieces wait.
    const uncounted = backordered > 0 ? 0 : Math.min(line.uncounted ?? 0, open);
    const note = describeSupply({ ...line, quantity, backordered, uncounted, elsewhere }, language);
    return { quantity, partNumber, name, price: format(toMinorUnits(total, order.currency)), note };
  });
}

const OWN = fileURLToPath(new URL("./templates", import.meta.url));

export type Templates = LetterTemplates<Kind>;

/**
 * Reads the templates of mails: `KIND.mustache`, and `KIND.de.mustache` in German. Those in `folder` replace the
 * product's, one without a language in every language.
 * @throws SettingsError naming a file that is none of them, cannot be read, is broken, empty or without a heading
 */
export function loadTemplates(folder: string | undefined): Templates {
  const translatedKinds = KIND_NAMES.filter((kind) => NEWS.includes(kind) || KINDS[kind] === "buyer");
  const fail = (problem: string) => new SettingsError(`MAIL_TEMPLATES ${problem}`);
  return loadLetterTemplates({ ownFolder: OWN, folder, kinds: KIND_NAMES, translatedKinds, fail });
}
