import { resolve } from "node:path";
import { parseMailbox } from "@partline/toolkit";
import type { SettingsReader } from "./reader.ts";

export type MailSettings = NonNullable<ReturnType<typeof readMail>>;

/**
 * Reads who sends mails and how, for a process that sends them. Undefined with SMTP_URL=off: no mail is sent.
 * Production must set SMTP_URL.
 */
export function readMail(
  reader: SettingsReader,
  { production, sends, sandboxUrl }: { production: boolean; sends: boolean; sandboxUrl: string },
) {
  const isOff = reader.isOff("SMTP_URL") || (production && !sends);
  const url = isOff ? undefined : reader.getUrl("SMTP_URL", ["smtp:", "smtps:"]);
  const isOurs = url === undefined && !production;
  const readAddress = (name: string): string | undefined => {
    const value = reader.getText(name);
    if (value !== undefined && !parseMailbox(value)) reader.noteUnusable(name, "is no address");
    return value;
  };
  const from = readAddress("MAIL_FROM");
  const shop = readAddress("SHOP_EMAIL");
  const templates = reader.getText("MAIL_TEMPLATES");
  const alerts = reader.getOneOf("ALERT_MAILS", ["on", "off"], "on") === "on";
  if (isOff) return undefined;
  return {
    /** smtp:// or smtps://; may carry credentials. */
    url: url ?? (isOurs ? sandboxUrl : reader.noteMissing("SMTP_URL")),
    sandbox: isOurs,
    /** Sender of mails unless the shop's settings name one. */
    from: parseMailbox(from ?? shop ?? (isOurs ? "orders@partline.example" : reader.noteMissing("MAIL_FROM"))) ?? {
      address: "",
    },
    /** The shop's own address, which gets what staff must act on; without it, that of the shop's settings does. */
    shop,
    /** The shop is mailed about incidents. */
    alerts,
    /** A folder with templates in place of the product's. */
    templates: templates === undefined ? undefined : resolve(templates),
  };
}
