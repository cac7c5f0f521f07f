import { lookup as systemLookup, type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Azure's host, which serves metadata at a public address; the other clouds' are link-local or private. */
const METADATA = ["168.63.129.16"];

/**
 * Returns whether an address is on the public internet: not private, loopback, link-local, metadata, reserved or a
 * tunnel.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address within IPv6 is judged as what it is.
  const parsed = ipaddr.process(address);
  return parsed.range() === "unicast" && !isIpv4Compatible(parsed) && !METADATA.includes(parsed.toString());
}

export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** `::a.b.c.d`, a form that is no longer used and that the library takes for public. */
function isIpv4Compatible(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && address.parts.slice(0, 6).every((part) => part === 0);
}

export class AddressNotAllowed extends Error {
  override readonly name = "AddressNotAllowed";
  readonly code = "ADDRESS_NOT_ALLOWED";
}

export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  /** Callback without addresses if there is an error, despite Node's declarations. */
  callback: (error: NodeJS.ErrnoException | null, addresses?: LookupAddress[]) => void,
) => void;

/**
 * Returns a `lookup` for sockets that refuses a name if one of its addresses is not allowed. The socket connects to the
 * addresses that were checked, so a name that resolves elsewhere later is checked again. Sockets do not look up
 * addresses: check those before.
 */
export function lookUpAllowed(
  isAllowed: (address: string) => boolean,
  resolve: Resolve = systemLookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      const refused = addresses?.find(({ address }) => !isAllowed(address));
      if (error) callback(error, "");
      else if (refused || !first)
        callback(new AddressNotAllowed(`The address ${refused?.address ?? "of the host"} is not public`), "");
      else if (options.all) callback(null, addresses ?? []);
      else callback(null, first.address, first.family);
    });
  };
}
