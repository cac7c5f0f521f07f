import type { Facts } from "./kinds.ts";
import type { Order } from "./letter.ts";
import { LATE_MS, type MailRecord } from "./records.ts";

/**
 * Returns what a mail still has to say of its items. Pieces that are missing, or have come, are summed up over the mails
 * that wait, less those that the buyer knows of; the day of a purchase is that of all pieces that wait.
 * @param readMails reads all of the order, the oldest first
 */
export async function listNews(
  mail: MailRecord,
  order: Order,
  readMails: (orderId: string) => Promise<readonly MailRecord[]>,
): Promise<Facts["items"]> {
  const { kind, facts } = mail;
  if ((kind !== "delayed" && kind !== "arrived") || facts.days !== undefined) return facts.items;
  const orderMails = await readMails(order.orderId);
  const itemsByPart = new Map(facts.items?.map((item) => [item.productId, item]));
  return [...itemsByPart].flatMap(([id, item]) => {
    const news = facts.isRepeat ? item.quantity : countNews(mail, id, orderMails);
    const lines = order.items.filter(({ productId, expectedAt }) => productId === id && expectedAt === facts.day);
    const missing = lines.reduce((sum, { quantities }) => sum + quantities.backordered, 0);
    const quantity = kind === "arrived" ? news : Math.min(news, missing);
    return quantity > 0 ? [{ ...item, quantity }] : [];
  });
}

/** Returns how many pieces of a part a mail is about, whether or not they are missing now. */
function countNews(mail: MailRecord, id: string, orderMails: readonly MailRecord[]): number {
  const { day } = mail.facts;
  /** Pieces that are missing and that the buyer does not know of; below 0 if so many have come. */
  let unknown = 0;
  let lastSent: Facts | undefined;
  let firstId: string | undefined;
  const getTime = ({ sentAt, createdAt }: MailRecord): number => (sentAt ?? createdAt).getTime();
  for (const orderMail of orderMails.toSorted((a, b) => getTime(a) - getTime(b))) {
    const { _id, kind, state, facts } = orderMail;
    const items = facts.items?.filter(({ productId }) => productId === id) ?? [];
    if ((kind !== "delayed" && kind !== "arrived") || facts.isRepeat || items.length === 0) continue;
    const quantity = items.reduce((sum, item) => sum + item.quantity, 0);
    // One that nothing tries to send any more says nothing.
    const isWaiting = state === "waiting" && getTime(mail) - getTime(orderMail) < LATE_MS.to;
    if (isWaiting && kind === mail.kind && facts.day === day) firstId ??= _id;
    if (state === "sent" || state === "refused") [unknown, lastSent] = [0, facts];
    else if (kind === "arrived") unknown -= quantity;
    // After a day that staff announced, no piece that a count does not find is news.
    else if (facts.day === undefined && facts.days === undefined && lastSent?.days === undefined) unknown += quantity;
  }
  // The first one says it for all that wait.
  if (firstId !== mail._id) return 0;
  if (mail.kind === "arrived") return 0 - unknown;
  return day !== undefined && (unknown > 0 || lastSent?.day !== day) ? Infinity : unknown;
}
