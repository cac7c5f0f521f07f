import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "../../mixins/public-address.ts";

/** Production takes https to public addresses alone. */
export interface Policy {
  production: boolean;
}

/** The host as an address, of which the URL has one form; undefined for a name. */
function addressIn({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) ? host : undefined;
}

/** The addresses that a URL may be sent to: public by https, loopback by http. */
export function isAllowedAddress({ protocol }: URL, address: string): boolean {
  return protocol === "https:" ? isPublicAddress(address) : isLoopbackAddress(address);
}

/** Says what is wrong with a URL, before its name is resolved. */
export function flawOf(text: string, { production }: Policy): string | undefined {
  if (!URL.canParse(text)) return "must be an http(s) URL";
  const url = new URL(text);
  if (url.protocol !== "https:" && (production || url.protocol !== "http:")) return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not have credentials";
  if (url.hash !== "") return "must not have a fragment";
  const address = addressIn(url);
  if (address !== undefined && !isAllowedAddress(url, address)) return notAllowed(url);
  return undefined;
}

/**
 * Says what is wrong with a URL as its name resolves now. A name of https that does not resolve is no flaw: a receiver
 * may be set up later, and every connection is checked. One of http would never be of this machine.
 */
export async function resolvedFlawOf(text: string, policy: Policy): Promise<string | undefined> {
  const flaw = flawOf(text, policy);
  if (flaw !== undefined) return flaw;
  const url = new URL(text);
  if (addressIn(url) !== undefined) return undefined;
  const addresses = await lookup(url.hostname, { all: true }).catch(() => []);
  if (addresses.length === 0 && url.protocol === "http:") return notAllowed(url);
  return addresses.every(({ address }) => isAllowedAddress(url, address)) ? undefined : notAllowed(url);
}

function notAllowed({ protocol }: URL): string {
  return protocol === "https:"
    ? "must have a public address"
    : "must begin with https://, unless it is of this machine";
}
