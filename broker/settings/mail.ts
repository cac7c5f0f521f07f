import { resolve } from "node:path";
import type { SettingsReader } from "./reader.ts";

export interface MailSettings {
  /** smtp:// or smtps://; may carry credentials. */
  url: string;
  sandbox: boolean;
  from: string;
  /** The shop's own address, which gets what staff must act on. */
  shop: string | undefined;
  /** A folder with templates in place of the product's. */
  templates: string | undefined;
}

/** Reads who sends mails and how. Undefined with SMTP_URL=off: no mail is sent. Production must set SMTP_URL. */
export function readMail(
  read: SettingsReader,
  { production, sandboxUrl }: { production: boolean; sandboxUrl: string },
): MailSettings | undefined {
  if (read.text("SMTP_URL") === "off") return undefined;
  const url = read.url("SMTP_URL", ["smtp:", "smtps:"]);
  const isOurs = url === undefined && !production;
  const templates = read.text("MAIL_TEMPLATES");
  const address = (name: string, sandbox: string): string | undefined => {
    const value = read.text(name) ?? (isOurs ? sandbox : undefined);
    if (value !== undefined && !/^[^\p{Cc}]*[^\s@<>]+@[^\s@<>]+>?$/u.test(value)) read.unusable(name, "is no address");
    return value;
  };
  return {
    url: url ?? (isOurs ? sandboxUrl : read.missing("SMTP_URL")),
    sandbox: isOurs,
    from: address("MAIL_FROM", "Partline <orders@partline.example>") ?? read.missing("MAIL_FROM"),
    shop: address("SHOP_EMAIL", "staff@partline.example"),
    templates: templates === undefined ? undefined : resolve(templates),
  };
}
