import { domainToASCII } from "node:url";

/**
 * Returns the one spelling of an address whose mails reach the same mailbox (`Ada@ｓhop.example`: `ada@shop.example`);
 * undefined if its domain has no ASCII form.
 */
export function normalizeEmail(address: string): string | undefined {
  const [, mailbox, name] = /^([^\s@]+)@([^\s@]+)$/.exec(address) ?? [];
  const domain = name === undefined ? "" : domainToASCII(name);
  return mailbox === undefined || domain === "" ? undefined : `${mailbox.normalize("NFKC").toLowerCase()}@${domain}`;
}
