import type { IncidentDocument } from "./collections.ts";

/** What an incident is, and what to do about it. */
export const CAUSES: Record<IncidentDocument["kind"], { describe: (subject: string) => string; advice: string }> = {
  node: {
    describe: () => "A node fell silent without saying goodbye",
    advice: "Look at the log of its machine, and start it again.",
  },
  dependency: {
    describe: (name) => `The dependency ${name} is not ok`,
    advice: "Look at the log, and at the server or service of that name.",
  },
  queue: {
    describe: () => "The oldest waiting event is older than a minute",
    advice: "Orders are accepted. Look at the log to see which service does not keep up.",
  },
  "dead-letters": {
    describe: () => "There are more dead letters than before",
    advice: "The console lists them with the reason. Fix the cause, then replay them.",
  },
  sync: {
    describe: (vendor) => `The latest sync or refresh of ${vendor} failed, or did in part`,
    advice: "The console lists failed pages and parts with the reason.",
  },
  orders: {
    describe: () => "No orders have come in for hours in which there usually are several",
    advice: "Buy a part yourself: open the shop, fill a cart and go to the payment page.",
  },
  refunds: {
    describe: () => "A refund has been due for more than an hour",
    advice: "The payment provider refuses it, often because its balance is too low. The console lists the orders.",
  },
  mails: {
    describe: () => "The mail server has refused several mails since yesterday, or takes none",
    advice: "Check the account and password of SMTP_URL, and the sender's domain (SPF, DKIM).",
  },
  shipping: {
    describe: () => "The shipping table does not fit the countries of SHIP_TO",
    advice: "Save the shipping table in the shop's settings: what is wrong is shown there.",
  },
  disk: {
    describe: () => "The disk of DATA_DIR is more than 90 % full",
    advice: "Delete or move old backups, or enlarge the disk. A full disk stops orders.",
  },
};
