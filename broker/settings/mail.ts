import { resolve } from "node:path";
import type { SettingsReader } from "./reader.ts";

export type MailSettings = NonNullable<ReturnType<typeof readMail>>;

/**
 * Reads who sends mails and how, for a process that sends them. Undefined with SMTP_URL=off: no mail is sent.
 * Production must set SMTP_URL.
 */
export function readMail(
  read: SettingsReader,
  { production, sends, sandboxUrl }: { production: boolean; sends: boolean; sandboxUrl: string },
) {
  const isOff = read.text("SMTP_URL") === "off" || (production && !sends);
  const url = isOff ? undefined : read.url("SMTP_URL", ["smtp:", "smtps:"]);
  const isOurs = url === undefined && !production;
  const address = (name: string, ofSandbox: string): string | undefined => {
    const value = read.text(name) ?? (isOurs ? ofSandbox : undefined);
    if (value !== undefined && !/^[^\p{Cc}]*[^\s@<>]+@[^\s@<>]+>?$/u.test(value)) read.unusable(name, "is no address");
    return value;
  };
  const from = address("MAIL_FROM", "Partline <orders@partline.example>");
  const shop = address("SHOP_EMAIL", "staff@partline.example");
  const templates = read.text("MAIL_TEMPLATES");
  if (isOff) return undefined;
  return {
    /** smtp:// or smtps://; may carry credentials. */
    url: url ?? (isOurs ? sandboxUrl : read.missing("SMTP_URL")),
    sandbox: isOurs,
    from: from ?? read.missing("MAIL_FROM"),
    /** The shop's own address, which gets what staff must act on. */
    shop,
    /** A folder with templates in place of the product's. */
    templates: templates === undefined ? undefined : resolve(templates),
  };
}
