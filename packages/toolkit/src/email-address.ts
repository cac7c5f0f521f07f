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

export interface Mailbox {
  name?: string;
  address: string;
}

const MAILBOX = /^(?:"?([^"<>\p{Cc}]*?)"?\s*<([^\s<>@]+@[^\s<>@]+)>|([^\s<>@]+@[^\s<>@]+))$/u;

/** Reads `Shop <orders@shop.example>` or an address alone; undefined if it is neither. */
export function parseMailbox(text: string): Mailbox | undefined {
  const [, name, inBrackets, alone] = MAILBOX.exec(text) ?? [];
  const address = inBrackets ?? alone;
  return address === undefined ? undefined : { ...(name ? { name } : {}), address };
}
