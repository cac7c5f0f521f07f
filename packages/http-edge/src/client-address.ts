import { BlockList, isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";
import type { EdgeRequest } from "./edge-request.ts";

/**
 * Finds the address by which requests are counted: IPv4, or the first 64 bits of IPv6, because a client owns the rest.
 */
export type ClientAddress = (req: Pick<EdgeRequest, "socket" | "headers">) => string;

/**
 * The connection's address; behind a trusted proxy, the last address of X-Forwarded-For that is not trusted: anybody
 * can write what stands left of it. If an entry is no address, the proxy before it is the client.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createTrustCheck(trustedProxies);
  return ({ socket, headers }) => {
    let client = normalizeAddress(socket.remoteAddress ?? "");
    if (isTrusted(client)) {
      for (const hop of [headers["x-forwarded-for"] ?? ""].flat().join(",").split(",").reverse()) {
        const address = normalizeAddress(removePort(hop.trim()));
        if (isIP(address) === 0) break;
        client = address;
        if (!isTrusted(client)) break;
      }
    }
    // Node's own test of an address is a long pattern, at each request.
    return client.includes(":")
      ? ipaddr.IPv6.parse(client)
          .parts.slice(0, 4)
          .map((group) => group.toString(16))
          .join(":")
      : client;
  };
}

function createTrustCheck(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => false;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    list.addSubnet(address, Number(prefix ?? (family === "ipv6" ? 128 : 32)), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Removes a zone, and the IPv6 form of an IPv4 address. */
function normalizeAddress(address: string): string {
  return address.replace(/%.*$/, "").replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Some proxies add the client's port. */
function removePort(hop: string): string {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d+)?$|^(\d+(?:\.\d+){3}):\d+$/.exec(hop) ?? [];
  return bracketed ?? dotted ?? hop;
}
