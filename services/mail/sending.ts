import { hash } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import type { Letter } from "@partline/papers";
import { createTransport } from "nodemailer";
import { emailRule } from "../shared/commerce.ts";
import type { TaskHandler, TaskRun } from "@partline/durable";
import type { PaymentStatus } from "../shared/placed-order.ts";
import type { MailSettings } from "../../broker/settings/mail.ts";
import { ifFound } from "../../mixins/errors.ts";
import type { ShopFacts } from "../../mixins/shop/shop-facts.ts";
import { onOneLine } from "@partline/parts-language";
import { LONGEST_LIFE_DAYS, ORDER_LINK, type SignedTokens } from "../../mixins/http/signed-token.ts";
import { call } from "../contracts.ts";
import { KINDS, type Kind } from "./contract.ts";
import { writeLetter, writeLetterhead, writeNotice, type Order, type Templates } from "./letter.ts";
import type { MailRecord, MailRecords } from "./records.ts";

interface SendingDeps {
  broker: Pick<ServiceBroker, "call">;
  mails: MailRecords;
  settings: MailSettings;
  /** As it is when a mail is written. */
  shop: ShopFacts;
  storeUrl: string;
  consoleUrl: string;
  tokens: SignedTokens;
  templates: Templates;
  transport: Pick<Transport, "post">;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const LONGEST_PAUSE_MS = 5 * 60_000;
/** Maximum number of mails in progress, some of which wait for a connection. */
const AT_ONCE = 32;
/** Maximum number of retries; with the longest pause, four days. */
const MOST_RETRIES = 1_152;

/**
 * The task that sends a mail. The Message-ID derives from the event, and the end is recorded once the server has taken
 * the mail: if the process dies in between, the same mail with the same Message-ID is handed over again (decision
 * 0036).
 */
export function createMailSender(deps: SendingDeps): TaskHandler<{ mailId: string }> {
  const { broker, mails, settings, templates, transport, tokens, storeUrl, consoleUrl, shop } = deps;
  /** Ends a refused mail. The shop learns of a buyer's refused address, not of its own. */
  const refuse = (mail: MailRecord, task: TaskRun, reason: string, order?: Order): Promise<void> => {
    const isOfBuyer = KINDS[mail.kind] === "buyer";
    const refused = isOfBuyer && order ? { refusedOf: order.orderNumber, isPickup: order.fulfilment === "pickup" } : {};
    const isReported = isOfBuyer && findShopAddress(settings, shop);
    const reports = isReported ? [{ kind: "address-refused", facts: {} } as const] : [];
    return mails.end(mail, task, { state: "refused", reason, ...refused }, reports);
  };

  async function post(mail: MailRecord, task: TaskRun, letter: Letter, to: Posted["to"], order?: Order): Promise<void> {
    // What comes up from now on is no part of it.
    const sentAt = new Date();
    try {
      await transport.post({ ...letter, to, ...signMail(mail._id, shop, settings) });
    } catch (error) {
      if (!isRefusal(error)) throw removeAddress(error);
      return refuse(mail, task, "The mail server refuses the address or the mail", order);
    }
    await mails.end(mail, task, { state: "sent", sentAt });
  }

  /** Sends a mail to the shop that is of no order. */
  async function sendNotice(mail: MailRecord, task: TaskRun): Promise<void> {
    const { endpoint, incident } = mail.facts;
    const address = mail.to ?? findShopAddress(settings, shop);
    if (!address) return mails.end(mail, task, { state: "skipped", reason: "The shop has no e-mail address" });
    const link = `${consoleUrl}/${endpoint ? `webhooks/${endpoint.endpointId}/show` : "watching"}`;
    const view = { ...endpoint, ...incident, ...writeLetterhead({ ...shop, storeUrl }), link };
    await post(mail, task, writeNotice(templates, mail.kind, view), { address });
  }

  return {
    maxRetries: MOST_RETRIES,
    concurrency: AT_ONCE,
    pauseMs: (failures) => Math.min(LONGEST_PAUSE_MS, 500 * 2 ** Math.min(failures, 10)),
    async run({ mailId }, task) {
      const mail = await mails.find(mailId);
      if (mail?.state !== "waiting") return;
      const skip = (reason: string) => mails.end(mail, task, { state: "skipped", reason });
      if (mail.orderId === undefined) return sendNotice(mail, task);
      const order = await ifFound(call(broker, "order.forMail", { orderId: mail.orderId }));
      if (!order) return skip("The order is not known");
      const outdated = findOutdatedReason(mail, order);
      if (outdated) return skip(outdated);
      const isOurs = KINDS[mail.kind] === "shop";
      const address = mail.to ?? (isOurs ? findShopAddress(settings, shop) : order.contact?.email);
      if (!address) return skip("The order has no e-mail address");
      if (!isOurs && !isAddress(address)) return refuse(mail, task, "It is no e-mail address", order);
      const token = await tokens.sign(ORDER_LINK, { orderId: order.orderId }, LONGEST_LIFE_DAYS * DAY_MS);
      const link = isOurs ? `${consoleUrl}/orders/${order.orderId}/show` : `${storeUrl}/orders/${token}`;
      const hasReturns = Object.values(shop.policies.returns).some((text) => text !== null);
      const returnsLink = hasReturns ? `${storeUrl}/policies/returns` : undefined;
      const letter = writeLetter(templates, {
        ...mail,
        order,
        link,
        shop: { ...shop, storeUrl, returnsLink },
      });
      const to = { address, ...(isOurs || !order.contact?.name ? {} : { name: order.contact.name }) };
      await post(mail, task, letter, to, order);
    },
  };
}

/** Returns where the shop itself gets mails: what the environment says, else the settings, else the sandbox. */
export function findShopAddress(
  { shop, sandbox: isSandbox }: Pick<MailSettings, "shop" | "sandbox">,
  { email }: Pick<ShopFacts, "email">,
): string | undefined {
  return shop ?? email ?? (isSandbox ? "staff@partline.example" : undefined);
}

/** Payments of which a mail's words are true; none are of a cancelled order. */
const TRUE_OF: Partial<Record<Kind, readonly PaymentStatus[]>> = {
  received: ["pending"],
  confirmation: ["paid", "partially_refunded"],
  delayed: ["pending", "paid", "partially_refunded"],
  arrived: ["pending", "paid", "partially_refunded"],
  "payment-failed": ["failed"],
};

/** Returns whether pieces are missing still, on the day that a purchase gave them, if any. */
export const isLate = ({ items = [], day }: MailRecord["facts"], order: Order): boolean =>
  order.items.some(({ productId, expectedAt, quantities }) => {
    const isMeant = items.some((item) => item.productId === productId) && (day === undefined || day === expectedAt);
    return isMeant && quantities.backordered > 0;
  });

/** Finds why a mail that waited is not true any more; undefined if it is. */
function findOutdatedReason({ kind, facts }: MailRecord, order: Order): string | undefined {
  if (kind === "address-missing" && !order.addressMissing) return "The address is not missing any more";
  if (kind === "delayed" && facts.days === undefined && !isLate(facts, order)) return "The pieces have arrived";
  if (kind === "shipping-underpaid" && !order.shippingUnderpaid) return "Its shipping is paid, or it is shipped";
  if (kind === "refund-failed" && facts.amount === undefined && !order.refundDue) return "Nothing is due any more";
  const isGone =
    facts.shipmentId !== undefined && !order.shipments?.some(({ shipmentId }) => shipmentId === facts.shipmentId);
  if (kind === "shipped" && isGone) return "The shipment is cancelled";
  const orderReturn = order.returns?.find(({ returnId }) => returnId === facts.returnId);
  const isAsked = kind === "return-requested" || kind === "new-return";
  if (isAsked && orderReturn?.state !== "requested") return "The return is decided";
  if ((isAsked || kind === "return-approved") && orderReturn?.cancelledAt) return "The return is cancelled";
  if (kind === "return-approved" && orderReturn?.awaited.length === 0) return "The pieces have arrived";
  const { status, paymentStatus } = order;
  const payments = TRUE_OF[kind];
  const hasLeft = (kind === "delayed" || kind === "arrived") && status !== "pending" && status !== "processing";
  if (!payments || (status !== "cancelled" && !hasLeft && payments.includes(paymentStatus))) return undefined;
  return `The order is ${status}, and its payment ${paymentStatus}`;
}

/** Returns the sender that the shop has now, and the id of a mail. */
export function signMail(
  mailId: string,
  { mailSender, shopName }: Pick<ShopFacts, "mailSender" | "shopName">,
  settings: Pick<MailSettings, "from">,
): Pick<Posted, "from" | "messageId"> {
  const { name = shopName, address } = mailSender ?? settings.from;
  const domain = address.replace(/^.*@/, "");
  return { from: { name, address }, messageId: `<${hash("sha256", mailId, "base64url")}@${domain}>` };
}

/** Removes what a server's answer may quote, the address: a task keeps and logs the reason of its last failure. */
export function removeAddress(error: unknown): Error {
  const { code = "ESEND", responseCode } = error as { code?: string; responseCode?: number };
  return Object.assign(new Error(`The mail server did not take the mail (${responseCode ?? code})`), { code });
}

export interface Posted extends Letter {
  messageId: string;
  from: { name: string; address: string };
  to: { address: string; name?: string };
}

/** Maximum number of open connections; mail servers allow a client some 20 to 50. */
const MOST_CONNECTIONS = 20;

/** How long the server may take for each step, milliseconds. */
const STEP_MS = 10_000;

/** Returns whether a mail can be addressed to this: one mailbox, and nothing that a header would be read into. */
export function isAddress(address: string): boolean {
  return address.length <= emailRule.max && emailRule.pattern.test(address);
}

export type Transport = ReturnType<typeof createMailTransport>;

export function createMailTransport({ url }: Pick<MailSettings, "url">) {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: MOST_CONNECTIONS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    /** Resolves once the server has taken the mail. @throws with `responseCode` if it answered */
    async post({ to: { address, name = "" }, ...mail }: Posted): Promise<void> {
      await transport.sendMail({ to: { address, name: onOneLine(name) }, ...mail });
    },
    /** @throws if the server does not answer, or refuses the account */
    verify: () => transport.verify(),
    close: () => transport.close(),
  };
}

/**
 * Returns whether the server refuses this mail or its address for good; anything else, our own address too, is tried
 * again.
 */
export function isRefusal(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number };
  return (code === "EENVELOPE" || code === "EMESSAGE") && command !== "MAIL FROM" && responseCode >= 500;
}
