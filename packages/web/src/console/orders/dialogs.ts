import type { AdminOrder } from "@partline/client";
import { getCurrencyDigits } from "@partline/parts-language";
import type { Act } from "../shared/action-dialog.tsx";
import { money } from "../shared/format.ts";
import { findFirstCountry, listMissing, listShipTo, listStates } from "./address-lists.ts";
import { isDisputed } from "./disputes.tsx";
import { partline } from "../partline.ts";
import { texts } from "../texts.ts";
import {
  chosenLines,
  listChoices,
  countBackordered,
  inStock,
  isAll,
  leftToRefund,
  notGone,
  countUnrefunded,
  toShip,
  wereShipped,
  computeWorth,
  type Chosen,
} from "./pieces.ts";
import {
  PAID_BY,
  REFUND_REASONS,
  RETURN_REASONS,
  type PaidBy,
  type RefundReason,
  type ReturnReason,
} from "./reasons.ts";

/** What can be done to an order: what is asked for, and the one call that it becomes. */

type Line = AdminOrder["items"][number];

type Choices = readonly (readonly [value: string, text: string])[];

export interface Field {
  name: string;
  label: string;
  initial: string;
  /** One of them, as far as the other fields have some; any text otherwise. */
  values?: Choices | ((values: Given) => Choices | undefined);
  isAmount?: boolean;
  /** One of those that EasyPost offers for the chosen pieces and their weight. */
  isRate?: boolean;
  /** Asked for only if another field has this value. */
  only?: readonly [name: string, value: string];
}

/** Values of the fields by name. */
export type Given = Readonly<Record<string, string>>;

export interface OrderDialog {
  title: string;
  submit: string;
  done: string;
  pieces?: {
    of(line: Line): number;
    chosen?(line: Line): number;
    only?: Field["only"];
    ticksBackordered?: boolean;
  };
  fields(order: AdminOrder): readonly Field[];
  /** Said below the fields. */
  hint?(order: AdminOrder, values: Given, chosen: Chosen): string | undefined;
  /** What is wrong with what is typed. */
  flaw?(order: AdminOrder, values: Given): string | undefined;
  /** Undefined as long as something is missing. */
  run(order: AdminOrder, values: Given, chosen: Chosen): Act | undefined;
}

const { actions } = texts;
const NO_FEE = "0";
const refundReason: Field = {
  ...{ name: "reason", label: actions.reason },
  ...{ initial: "requested_by_customer", values: REFUND_REASONS },
};
const amountIn = ({ currency }: AdminOrder, name: string, label: string, initial: string): Field => ({
  ...{ name, initial, isAmount: true },
  label: `${label} (${currency.toUpperCase()})`,
});

const MOST_DAYS = 730;
const askDays = (): readonly Field[] => [{ name: "days", label: actions.days, initial: "7" }];
const findFlawOfDays = (_order: AdminOrder, { days = "" }: Given): string | undefined =>
  parseDays(days) === undefined ? actions.describeDays(MOST_DAYS) : undefined;

/** A reason, asked for only where a dispute has money of the order. */
const decision = (order: AdminOrder): readonly Field[] =>
  isDisputed(order) ? [{ name: "override", label: actions.despiteDispute, initial: "" }] : [];

const findMissingReason = (order: AdminOrder, { override = "" }: Given): string | undefined =>
  isDisputed(order) && override.trim() === "" ? actions.reasonMissing : undefined;

const findMissingEmail = (_order: AdminOrder, { email = "" }: Given): string | undefined =>
  email.trim() === "" ? actions.emailMissing : undefined;

const BUY = "buy";

/** How a parcel travels: with a label of the carrier, or one that is bought with it. */
function listParcelFields({ labelOffered }: AdminOrder): readonly Field[] {
  const { order } = texts;
  const carriers = [
    { name: "carrier", label: order.carrier, initial: "" },
    { name: "trackingNumber", label: order.tracking, initial: "" },
  ];
  if (!labelOffered) return carriers;
  const values = [["none", actions.noLabel] as const, [BUY, actions.buyLabel] as const];
  return [
    { name: "label", label: actions.label, initial: "none", values },
    ...carriers.map((field) => ({ ...field, only: ["label", "none"] as const })),
    { name: "weightGrams", label: actions.labelWeight, initial: "", only: ["label", BUY] },
    { name: "rate", label: actions.labelRate, initial: "", isRate: true, only: ["label", BUY] },
  ];
}

const findShippingFlaw = (order: AdminOrder, values: Given): string | undefined =>
  findMissingReason(order, values) ?? (values.label === BUY && values.rate === "" ? actions.rateMissing : undefined);

/** Takes what is in stock; what was on backorder needs a tick. */
const shipping = {
  pieces: { of: toShip, chosen: inStock, ticksBackordered: true },
  run: (order, { override = "", label, rate = "", weightGrams = "", ...values }, chosen) => {
    const { orderId, version } = order;
    const lines = chosenLines(chosen);
    const reason = override.trim();
    const request = {
      orderId,
      version,
      lines,
      ...(label === BUY ? { label: { rate, ...parseWeight(weightGrams) } } : filled(values)),
      ...(reason !== "" && { override: { reason } }),
    };
    return lines.length === 0 || (label === BUY && rate === "") || (isDisputed(order) && reason === "")
      ? undefined
      : (call) => partline.order.adminShip(request, call);
  },
  flaw: findShippingFlaw,
} satisfies Partial<OrderDialog>;

function listContactFields({ contact }: AdminOrder): readonly Field[] {
  return (["email", "name", "phone"] as const).map((name) => ({
    ...{ name, label: texts.person[name] },
    initial: contact?.[name] ?? "",
  }));
}

const describeContactChange = (): string => actions.contactHint;

const listPaymentFields = (): readonly Field[] => [
  { name: "paidBy", label: actions.paidBy, initial: "check", values: PAID_BY },
  { name: "note", label: actions.paymentNote, initial: "" },
];

const describePayment = ({ refundDue = 0, currency }: AdminOrder): string =>
  actions.settleHint(money(refundDue, currency));

const findMissingNote = (_order: AdminOrder, { note = "" }: Given): string | undefined =>
  note.trim() === "" ? actions.paymentNoteMissing : undefined;

function describeRefund(order: AdminOrder, { by: basis, amount = "" }: Given, chosen: Chosen): string | undefined {
  const { items } = order;
  const isOfAll = basis === "rest" || (basis === "amount" && parseAmount(amount, order) === leftToRefund(order));
  const isRefunded = ({ productId }: Line): boolean => isOfAll || (basis === "pieces" && (chosen[productId] ?? 0) > 0);
  return items.some((line) => isRefunded(line) && toShip(line) > 0) ? actions.cancelsUnshipped : undefined;
}

function findAddressFlaw(_order: AdminOrder, values: Given): string | undefined {
  const missing = listMissing(values);
  return missing.length === 0 ? undefined : actions.listMissingFields(missing.join(", "));
}

export const DIALOGS = {
  ship: {
    ...{ title: actions.ship, submit: actions.ship, done: actions.shipped },
    ...shipping,
    fields: (order) => [...listParcelFields(order), ...decision(order)],
  },
  /** Announces to the buyer that an order can be picked up. */
  ready: {
    ...{ title: actions.ready, submit: actions.ready, done: actions.readyDone },
    ...shipping,
    fields: decision,
  },
  /** Cancels pieces that are not shipped; with all pieces of an order, the order. */
  cancel: {
    ...{ title: actions.cancelTitle, submit: actions.cancelSubmit, done: actions.cancelled },
    pieces: { of: toShip, chosen: toShip },
    fields: () => [
      refundReason,
      {
        ...{ name: "onRefusal", label: actions.ifRefundRefused, initial: "keep" },
        values: [
          ["keep", actions.keepOrder],
          ["force", actions.cancelAnyway],
        ],
      },
    ],
    hint: (order, _given, chosen) => {
      const amount = computeWorth(order, chosen);
      return amount > 0 ? actions.upTo(money(amount, order.currency)) : undefined;
    },
    run: (order, values, chosen) => {
      const { orderId } = order;
      const lines = chosenLines(chosen);
      const reason = values.reason as RefundReason;
      if (lines.length === 0) return undefined;
      return isAll(listChoices(order, notGone), chosen)
        ? (call) => partline.order.cancel({ orderId, reason, forceCancel: values.onRefusal === "force" }, call)
        : (call) => partline.order.adminCancelLines({ orderId, lines, reason }, call);
    },
  },
  /** Announces to the buyer when pieces are expected. */
  delay: {
    ...{ title: actions.delay, submit: actions.delaySubmit, done: actions.delayed },
    pieces: { of: toShip, chosen: countBackordered },
    fields: askDays,
    flaw: findFlawOfDays,
    run: ({ orderId }, values, chosen) => {
      const lines = chosenLines(chosen);
      const days = parseDays(values.days ?? "");
      return lines.length === 0 || days === undefined
        ? undefined
        : (call) => partline.order.adminDelay({ orderId, lines, days }, call);
    },
  },
  /**
   * Refunds pieces, an amount, or all that is left. Of pieces or all, what has not shipped is cancelled; the rest stays
   * with the buyer.
   */
  refund: {
    ...{ title: actions.refund, submit: actions.refund, done: actions.refunded },
    pieces: { of: countUnrefunded, only: ["by", "pieces"] },
    fields: (order) => [
      {
        ...{ name: "by", label: actions.refundBy, initial: "pieces" },
        values: [
          ["pieces", actions.byPieces],
          ["amount", actions.byAmount],
          ["rest", `${actions.byRest}: ${money(leftToRefund(order), order.currency)}`],
        ],
      },
      { ...amountIn(order, "amount", actions.amount, ""), only: ["by", "amount"] },
      refundReason,
    ],
    hint: describeRefund,
    flaw: (order, { by: basis, amount = "" }) =>
      basis === "amount" && (parseAmount(amount, order) ?? 0) > leftToRefund(order)
        ? actions.atMost(money(leftToRefund(order), order.currency))
        : undefined,
    run: (order, { by: basis, amount = "", ...values }, chosen) => {
      const { orderId } = order;
      const reason = values.reason as RefundReason;
      const items = chosenLines(chosen);
      if (basis === "pieces")
        return items.length === 0 ? undefined : (call) => partline.order.adminRefund({ orderId, reason, items }, call);
      if (basis === "rest") return (call) => partline.order.adminRefund({ orderId, reason }, call);
      const refundAmount = parseAmount(amount, order);
      return refundAmount === undefined || refundAmount > leftToRefund(order)
        ? undefined
        : (call) => partline.order.adminRefund({ orderId, reason, amount: refundAmount }, call);
    },
  },
  /** Records that a refund that the provider refuses was paid by other means. */
  settle: {
    ...{ title: actions.settle, submit: actions.settleSubmit, done: actions.settled },
    fields: listPaymentFields,
    hint: describePayment,
    flaw: findMissingNote,
    run: ({ orderId, version }, { paidBy, note = "" }) =>
      note.trim() === ""
        ? undefined
        : (call) =>
            partline.order.adminSettleRefund({ orderId, version, paidBy: paidBy as PaidBy, note: note.trim() }, call),
  },
  /** Expects pieces back: they are refunded when they come. */
  return: {
    ...{ title: actions.returnTitle, submit: actions.returnSubmit, done: actions.returned },
    pieces: { of: wereShipped },
    fields: (order) => [
      { name: "reason", label: actions.reason, initial: "not_needed", values: RETURN_REASONS },
      amountIn(order, "fee", actions.restockingFee, NO_FEE),
    ],
    run: (order, { fee, reason }, chosen) => {
      const lines = chosenLines(chosen);
      const restockingFee = parseAmount(fee || NO_FEE, order);
      const request = { orderId: order.orderId, lines, reason: reason as ReturnReason };
      if (lines.length === 0 || restockingFee === undefined) return undefined;
      return (call) => partline.order.adminReturn({ ...request, restockingFee }, call);
    },
  },
  contact: {
    ...{ title: actions.contact, submit: actions.saveContact, done: actions.contactDone },
    fields: listContactFields,
    hint: describeContactChange,
    flaw: findMissingEmail,
    run: ({ orderId, version }, { email = "", name = "", phone = "" }) =>
      email.trim() === ""
        ? undefined
        : () =>
            partline.order.adminSetContact({
              ...{ orderId, version },
              email: email.trim(),
              name: name.trim() || null,
              phone: phone.trim() || null,
            }),
  },
  address: {
    ...{ title: actions.address, submit: actions.address, done: actions.addressDone },
    fields: ({ shippingAddress }) =>
      Object.entries(texts.address).map(([name, label]) => ({
        ...{ name, label },
        initial:
          shippingAddress?.[name as keyof typeof texts.address] ?? (name === "country" ? findFirstCountry() : ""),
        ...(name === "country" && { values: listShipTo(shippingAddress?.country) }),
        ...(name === "state" && { values: listStates }),
      })),
    flaw: findAddressFlaw,
    run: ({ orderId }, values) =>
      listMissing(values).length > 0
        ? undefined
        : () => partline.order.setShippingAddress({ orderId, shippingAddress: filled(values) }),
  },
} as const satisfies Record<string, OrderDialog>;

export type DialogName = keyof typeof DIALOGS;

/** Of a parcel, in grams; nothing for an empty field. */
export function parseWeight(text: string): { weightGrams?: number } {
  return text.trim() === "" ? {} : { weightGrams: Number(text) };
}

function parseDays(text: string): number | undefined {
  const days = Number(text);
  return Number.isInteger(days) && days >= 1 && days <= MOST_DAYS ? days : undefined;
}

/** Parses `12.50` or `12,50`. What may be thousands, as `1,250` US dollars, is undefined. */
export function parseAmount(text: string, { currency }: Pick<AdminOrder, "currency">): number | undefined {
  const [, units, decimals = ""] = /^(\d+)(?:[.,](\d+))?$/.exec(text.trim()) ?? [];
  return units === undefined || decimals.length > getCurrencyDigits(currency)
    ? undefined
    : Number(`${units}.${decimals}`);
}

export function filled(values: Given): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([, text]) => text !== ""));
}
