import { emailRule } from "../shared/commerce.ts";
import { defineService } from "../../broker/contract/define.ts";
import { LANGUAGES } from "../../mixins/shop/languages.ts";
import { array, boolean, date, integer, object, oneOf, rules, string } from "@partline/api-contracts";

/** Recipient of each kind of mail. Its text is `templates/KIND.mustache`. */
export const KINDS = {
  confirmation: "buyer",
  received: "buyer",
  "payment-failed": "buyer",
  "address-missing": "buyer",
  shipped: "buyer",
  "shipment-cancelled": "buyer",
  delayed: "buyer",
  arrived: "buyer",
  "lines-cancelled": "buyer",
  cancelled: "buyer",
  refunded: "buyer",
  returned: "buyer",
  "return-requested": "buyer",
  "return-approved": "buyer",
  "return-refused": "buyer",
  "return-cancelled": "buyer",
  "new-order": "shop",
  "new-return": "shop",
  "refund-failed": "shop",
  dispute: "shop",
  "address-refused": "shop",
  "shipping-underpaid": "shop",
  "webhook-disabled": "shop",
  incident: "shop",
  "sign-in": "buyer",
  "order-link": "buyer",
  "address-changed": "buyer",
} as const;

export type Kind = keyof typeof KINDS;
/** The shop gets them in the language that it chose, or not at all. */
export const NEWS: readonly Kind[] = ["new-order", "new-return"];
export const KIND_NAMES = Object.keys(KINDS) as [Kind, ...Kind[]];

const orderIdRule = string({ example: "ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A" });

const mailFields = rules({
  mailId: string({ description: "The event that caused it and its kind; the Message-ID derives from it" }),
  kind: oneOf(KIND_NAMES),
  state: oneOf(["waiting", "sent", "refused", "skipped"], {
    description: "waiting: sent or retried now; refused: for good; skipped: no address, or nothing left to say",
  }),
  createdAt: date(),
  sentAt: date({ optional: true }),
  reason: string({ optional: true, description: "Why it was refused or skipped" }),
});
export const mailRule = object("Mail", mailFields);

const mailParams = rules({
  orderId: orderIdRule,
  mailId: string({ max: 300, example: "order.created:ord_01JD8V2M9Q4Z6T8XKX2W3Y4Z5A:confirmation" }),
});

const admins = {
  entries: ["payment", "gateway"],
  access: "admin-token",
  envelope: true,
  path: "/api/admin/orders/{orderId}/mails",
} as const;

export const mailContract = defineService({
  name: "mail",
  summary: "Emails about orders, to buyers and to the shop",
  guestOf: ["payment", "gateway"],
  actions: {
    listForOrder: {
      summary: "List an order's mails",
      description: "Oldest first. Texts and addresses are not stored: each email is written when it is sent.",
      params: { orderId: orderIdRule },
      result: object("OrderMails", { mails: array(mailRule) }),
      errors: [],
      http: [{ ...admins, method: "GET", scope: "orders:read" }],
    },
    listRefused: {
      summary: "List emails that buyers' addresses refused and that nobody has handled",
      description: "Newest first, at most 100. A mail leaves the list when it is sent again, or by its dismissal.",
      params: {},
      result: object("RefusedMails", {
        count: integer(),
        late: integer({ description: "Emails that the mail server has not taken for 15 minutes" }),
        mails: array(
          object("RefusedMail", { ...mailFields, orderId: orderIdRule, orderNumber: string(), isPickup: boolean() }),
        ),
      }),
      errors: [],
      http: [{ ...admins, path: "/api/admin/mails/refused", method: "GET", scope: "orders:read" }],
    },
    dismissRefused: {
      summary: "Take a refused email off the list, for example because the buyer was called",
      params: mailParams,
      result: mailRule,
      errors: ["NOT_FOUND"],
      idempotent: true,
      audit: { object: "order", id: "orderId", report: ["mailId", "kind"] },
      http: [{ ...admins, path: `${admins.path}/dismiss`, method: "POST", scope: "orders:write" }],
    },
    sendSignInLink: {
      summary: "Send a sign-in link",
      description: "At once, without a record. `accepted` is false if the mail server refuses the address.",
      params: {
        email: emailRule,
        link: string(),
        minutes: integer({ description: "How long the link is valid" }),
        language: oneOf(LANGUAGES),
      },
      result: object({ accepted: boolean() }),
      errors: ["SERVICE_UNAVAILABLE"],
      timeout: 40_000,
    },
    countRefused: {
      summary: "Count the mails that were refused",
      params: { since: date() },
      result: object({ refused: integer(), late: integer() }),
      errors: [],
    },
    reportIncident: {
      summary: "Mail the shop about an incident: once when it begins, and once when it ends",
      description: "Nothing is sent if the shop has no address, or with ALERT_MAILS=off.",
      params: {
        incidentId: string(),
        cause: string({ description: "A sentence without its period" }),
        advice: string({ description: "What to do" }),
        startedAt: date(),
        endedAt: date({ optional: true, description: "It has ended" }),
      },
      result: object({}),
      errors: [],
    },
    sendAgain: {
      summary: "Resend an order's email, also to another address",
      description: "`to` needs the scope `orders:refund`, because the link in an email can cancel the order.",
      params: {
        ...mailParams,
        to: { ...emailRule, optional: true, description: "Address to use instead of the order's contact" },
      },
      result: mailRule,
      errors: ["FORBIDDEN", "NOT_FOUND", "SERVICE_UNAVAILABLE"],
      once: true,
      audit: { object: "order", id: "orderId", read: "listForOrder" },
      http: [{ ...admins, method: "POST", scope: "orders:write", status: 202 }],
    },
  },
  tasks: {
    "mail.send": { summary: "Writes an order's email and hands it to the mail server", payload: { mailId: string() } },
    "mail.sendLink": {
      summary: "Has the link of an order mailed to its buyer; without an order it does nothing",
      payload: { requestId: string(), orderId: string({ optional: true }) },
    },
  },
});
