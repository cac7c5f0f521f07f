import type { IncidentDocument } from "./collections.ts";

/** What an incident is, and what to do about it. */
export const CAUSES: Record<IncidentDocument["kind"], { cause: (subject: string) => string; advice: string }> = {
  node: {
    cause: () => "A node fell silent without saying goodbye",
    advice: "Look at the log of its machine, and start it again.",
  },
  dependency: {
    cause: (name) => `The dependency ${name} is not ok`,
    advice: "Look at the log, and at the server or service of that name.",
  },
  queue: {
    cause: () => "The oldest waiting event is older than a minute",
    advice: "Orders are accepted. Look at the log to see which service does not keep up.",
  },
  "dead-letters": {
    cause: () => "There are more dead letters than before",
    advice: "The console lists them with the reason. Fix the cause, then replay them.",
  },
  sync: {
    cause: (vendor) => `The latest sync or refresh of ${vendor} failed, or did in part`,
    advice: "The console lists failed pages and parts with the reason.",
  },
  orders: {
    cause: () => "No orders have come in for hours in which there usually are several",
    advice: "Buy a part yourself: open the shop, fill a cart and go to the payment page.",
  },
  refunds: {
    cause: () => "A refund has been due for more than an hour",
    advice: "The payment provider refuses it, often because its balance is too low. The console lists the orders.",
  },
  mails: {
    cause: () => "The mail server has refused several mails since yesterday",
    advice: "Check the mail server's account, and the sender's domain (SPF, DKIM).",
  },
  disk: {
    cause: () => "The disk of DATA_DIR is more than 90 % full",
    advice: "Delete or move old backups, or enlarge the disk. A full disk stops orders.",
  },
};
