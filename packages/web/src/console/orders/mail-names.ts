import type { Mail } from "@partline/client";
import { texts } from "../texts.ts";

const PICKUP_MAILS: Partial<Record<Mail["kind"], string>> = { shipped: "ready", "shipment-cancelled": "not-ready" };

/** Names what a mail is about; an order that the buyer collects is not shipped. */
export const nameMail = (kind: Mail["kind"], isPickup: boolean): string =>
  texts.mails[(isPickup && PICKUP_MAILS[kind]) || kind] ?? kind;
