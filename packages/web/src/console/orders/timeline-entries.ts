import type { AdminOrder, Mail, OrderHistory } from "@partline/client";
import { formatDay, money } from "../shared/format.ts";
import { texts } from "../texts.ts";
import { nameMail } from "./mail-names.ts";
import { resolveStatus } from "./pieces.ts";
import { namePaidBy, RETURN_CONDITIONS } from "./reasons.ts";

/** What happened to an order, from its events, its mails and its notes: one list, the newest first. */

export interface Entry {
  id: string;
  time: string;
  what: string;
  detail?: string;
  who?: string;
  /** Of a mail, which can be sent again. */
  mail?: Mail;
}

type OrderEvent = OrderHistory["events"][number];

interface EventData {
  actor?: string;
  changed?: string[];
  amount?: number;
  days?: number;
  day?: string;
  condition?: string;
  paidBy?: string;
  state?: keyof typeof t.returnStates;
  /** A return that staff registered. */
  byStaff?: boolean;
  /** A refund that came back before. */
  repeated?: boolean;
  dispute?: { disputeId: string; status: string };
  packed?: boolean;
  returnId?: string;
  items?: { partNumber: string; quantity: number; condition?: string }[];
  /** Refunded with those that were cancelled. */
  shippedItems?: { partNumber: string; quantity: number }[];
  from?: { status: string; paymentStatus: string };
  to?: { status: string; paymentStatus: string };
}

const t = texts.timeline;
const FIELDS: Record<string, string> = {
  carrier: texts.order.carrier,
  trackingNumber: texts.order.tracking,
  shippingAddress: texts.person.shipTo,
  contact: texts.person.contact,
  packed: texts.statuses.packed ?? "",
  adminNote: texts.order.note,
  taxes: texts.money.tax,
  refunds: texts.timeline.refunded,
};
const HIDDEN = ["items", "shipments", "returns", "returnDetails", "notes", "shippingUnderpaid"];

export function buildTimeline(order: AdminOrder, events: readonly OrderEvent[], mails: readonly Mail[]): Entry[] {
  const entries = [
    ...events.flatMap((event) => entryOfEvent(order, event)),
    ...mails.map((mail) => entryOfMail(order, mail)),
    ...(order.notes ?? []).map(({ noteId, text, actor, createdAt }) => ({
      ...{ id: noteId, time: createdAt, what: t.note, detail: text, who: actor },
    })),
  ];
  return entries.sort((first, second) => Date.parse(second.time) - Date.parse(first.time));
}

/** Events of older versions have no day. */
function describeWait(eventData: EventData): string {
  const { day, days = 0 } = eventData;
  return day === undefined ? t.inDays(pieces(eventData), days) : t.onDay(pieces(eventData), formatDay(day));
}

function entryOfEvent(order: AdminOrder, { event_id: id, event_type, timestamp: time, data }: OrderEvent): Entry[] {
  const eventData = data as EventData;
  const isPickup = order.fulfilment === "pickup";
  const entry = (what: string, detail?: string): Entry => ({
    ...{ id, time, what },
    ...(detail ? { detail } : {}),
    ...(eventData.actor === undefined ? {} : { who: eventData.actor }),
  });
  const paid =
    eventData.amount === undefined ? "" : money(inUnits(Math.abs(eventData.amount), order.currency), order.currency);
  const refund = [paid, namePaidBy(eventData.paidBy)].filter(Boolean).join(", ");
  switch (event_type) {
    case "ORDER_CREATED":
      return [entry(t.made)];
    case "ORDER_SHIPPED":
      return [entry(isPickup ? t.ready : t.shipped, pieces(eventData))];
    case "ORDER_SHIPMENT_CANCELLED":
      return [entry(isPickup ? t.notReady : t.shipmentCancelled, pieces(eventData))];
    case "ORDER_DELAYED":
      return [entry(t.delayed, describeWait(eventData))];
    case "ORDER_ALLOCATED":
      return [entry(t.allocated, pieces(eventData))];
    case "ORDER_CANCELLED":
      return [entry(t.cancelled, eventData.amount ? t.refundedOf(paid) : undefined)];
    case "ORDER_LINES_CANCELLED":
      return [
        entry(
          t.piecesCancelled,
          [pieces(eventData), ...describeShippedItems(eventData), t.refundedOf(paid)].join(", "),
        ),
      ];
    case "ORDER_RETURNED":
      return [
        entry(t.returned, [pieces(eventData), findCondition(eventData), t.refundedOf(paid)].filter(Boolean).join(", ")),
      ];
    case "ORDER_RETURN_UPDATED":
      return [
        entry(eventData.byStaff ? t.returnExpected : t.returnStates[eventData.state ?? "requested"], pieces(eventData)),
      ];
    case "ORDER_ERASED":
      return [entry(t.erased)];
    case "ORDER_REFUNDED":
      if ((eventData.amount ?? 0) < 0) return [entry(t.refundFailed, refund)];
      return [entry(eventData.repeated && !eventData.paidBy ? t.refundRetried : t.refunded, refund)];
    case "ORDER_DELIVERED":
    case "ORDER_UPDATED":
      return listChanges(order, eventData).map((what) => entry(what));
  }
}

/** Notes and the like have entries of their own. */
function listChanges({ fulfilment }: AdminOrder, eventData: EventData): string[] {
  const { changed: fields = [], from, to, dispute, packed, returnId } = eventData;
  const nameStatus = (status: string): string =>
    inWords(resolveStatus({ status: status as AdminOrder["status"], fulfilment }));
  const changes = fields.map((field) => {
    if (field === "status" && from && to) return t.status(nameStatus(from.status), nameStatus(to.status));
    if (field === "paymentStatus" && from && to)
      return t.payment(inWords(from.paymentStatus), inWords(to.paymentStatus));
    if (field === "returns") return returnId === undefined ? t.returnExpected : t.returnCancelled;
    if (field === "labels") return t.returnLabelBought;
    if (field === "packed" && packed !== undefined) return packed ? t.packed : t.unpacked;
    if (field === "disputes" && dispute)
      return `${texts.money.dispute(dispute.disputeId)}: ${texts.money.disputeStates[dispute.status] ?? dispute.status}`;
    return HIDDEN.includes(field) ? undefined : t.set(FIELDS[field] ?? field);
  });
  const lines = changes.filter((change) => change !== undefined);
  return lines.length > 0 ? [lines.join("; ")] : [];
}

const findCondition = ({ condition }: Pick<EventData, "condition">): string | undefined =>
  RETURN_CONDITIONS.find(([value]) => value === condition)?.[1];

const inWords = (state: string): string => texts.statuses[state] ?? state;

/** Lists pieces, each with its condition where they differ in it. */
function pieces({ items = [], condition: common }: EventData): string {
  return items
    .map(({ partNumber, quantity, condition }) => {
      const name = common === undefined && findCondition({ condition });
      return `${quantity} × ${partNumber}${name ? ` (${name})` : ""}`;
    })
    .join(", ");
}

const describeShippedItems = ({ shippedItems: items }: EventData): string[] =>
  items ? [t.describeShipped(pieces({ items }))] : [];

function entryOfMail({ fulfilment }: AdminOrder, mail: Mail): Entry {
  const { mailId, kind, state, createdAt, sentAt, reason } = mail;
  const how = reason ? `${inWords(state)}: ${reason}` : inWords(state);
  return {
    id: mailId,
    time: sentAt ?? createdAt,
    what: t.mail(nameMail(kind, fulfilment === "pickup")),
    detail: how,
    mail,
  };
}

/** Events have the smallest unit of the currency. */
function inUnits(amount: number, currency: string): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency: currency.toUpperCase() });
  return amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
}
