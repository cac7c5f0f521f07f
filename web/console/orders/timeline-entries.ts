import type { AdminOrder, Mail, OrderHistory } from "@partline/client";
import { money } from "../format.ts";

/** What happened to an order, from its events, its mails and its notes: one list, the newest first. */

export interface Entry {
  id: string;
  at: string;
  what: string;
  detail?: string;
  who?: string;
}

type OrderEvent = OrderHistory["events"][number];

interface EventData {
  actor?: string;
  changed?: string[];
  amount?: number;
  days?: number;
  items?: { partNumber: string; quantity: number }[];
  from?: { status: string; paymentStatus: string };
  to?: { status: string; paymentStatus: string };
}

const HIDDEN = ["shipments", "returns", "notes"];

export function timelineOf(order: AdminOrder, events: readonly OrderEvent[], mails: readonly Mail[]): Entry[] {
  const entries = [
    ...events.flatMap((event) => entryOfEvent(order, event)),
    ...mails.map(entryOfMail),
    ...(order.notes ?? []).map(({ noteId, text, actor, createdAt }) => ({
      ...{ id: noteId, at: createdAt, what: "Note", detail: text, who: actor },
    })),
  ];
  return entries.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function entryOfEvent(order: AdminOrder, { event_id: id, event_type: type, timestamp: at, data }: OrderEvent): Entry[] {
  const said = data as EventData;
  const entry = (what: string, detail?: string): Entry => ({
    ...{ id, at, what },
    ...(detail ? { detail } : {}),
    ...(said.actor === undefined ? {} : { who: said.actor }),
  });
  const paid = said.amount === undefined ? "" : money(inUnits(Math.abs(said.amount), order.currency), order.currency);
  switch (type) {
    case "ORDER_CREATED":
      return [entry("Order made")];
    case "ORDER_SHIPPED":
      return [entry("Shipped", pieces(said))];
    case "ORDER_DELAYED":
      return [entry("Delay announced", `${pieces(said)}, in ${said.days} days`)];
    case "ORDER_CANCELLED":
      return [entry("Cancelled", said.amount ? `${paid} refunded` : undefined)];
    case "ORDER_LINES_CANCELLED":
      return [entry("Pieces cancelled", `${pieces(said)}, ${paid} refunded`)];
    case "ORDER_RETURNED":
      return [entry("Return received", `${pieces(said)}, ${paid} refunded`)];
    case "ORDER_REFUNDED":
      return [entry((said.amount ?? 0) < 0 ? "Refund failed" : "Refunded", paid)];
    default:
      return changesOf(said).map((what) => entry(what));
  }
}

/** Notes and the like have entries of their own. */
function changesOf({ changed = [], from, to }: EventData): string[] {
  const changes = changed.map((field) => {
    if (field === "status" && from && to) return `Status: ${from.status} → ${to.status}`;
    if (field === "paymentStatus" && from && to) return `Payment: ${from.paymentStatus} → ${to.paymentStatus}`;
    if (field === "returns") return "Return expected";
    return HIDDEN.includes(field) ? undefined : `Set: ${field}`;
  });
  const told = changes.filter((change) => change !== undefined);
  return told.length > 0 ? [told.join("; ")] : [];
}

function pieces({ items = [] }: EventData): string {
  return items.map(({ partNumber, quantity }) => `${quantity} × ${partNumber}`).join(", ");
}

function entryOfMail({ mailId, kind, state, createdAt, sentAt, reason }: Mail): Entry {
  const how = state === "sent" ? "sent" : reason ? `${state}: ${reason}` : state;
  return { id: mailId, at: sentAt ?? createdAt, what: `Mail: ${kind}`, detail: how };
}

/** Events have the smallest unit of the currency. */
function inUnits(amount: number, currency: string): number {
  const format = new Intl.NumberFormat("en", { style: "currency", currency: currency.toUpperCase() });
  return amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
}
