import { connect } from "node:net";

/**
 * Returns options of the NATS client, which ignores credentials in addresses.
 * @param natsUrl comma list; the first credentials are the cluster's
 */
export function natsServers(natsUrl: string): { servers: string[]; user?: string; pass?: string } {
  const urls = natsUrl.split(",").map((address) => new URL(natsAddress(address)));
  const named = urls.find(({ username }) => username !== "");
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(named ? { user: decodeURIComponent(named.username), pass: decodeURIComponent(named.password) } : {}),
  };
}

/** Adds the scheme, which NATS's own tools let one leave out. */
export function natsAddress(address: string): string {
  return address.includes("://") ? address.trim() : `nats://${address.trim()}`;
}

/**
 * For every client: it leaves a hanging server within 15 s (default: four minutes) and never stops trying. By default
 * it would stop after two refused passwords in a row, even weeks apart.
 */
export const STAY_CONNECTED = {
  pingInterval: 5_000,
  maxPingOut: 2,
  maxReconnectAttempts: -1,
  ignoreAuthErrorAbort: true,
};

/** Whether a URL accepts a connection, or sends something over it, in time. */
export function reaches(url: string, usualPort: number, waitMs: number, sign: "connect" | "data"): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port: Number(port || usualPort), timeout: waitMs });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once(sign, () => resolve(true));
  for (const failure of ["error", "timeout", "close"]) socket.once(failure, () => resolve(false));
  return promise.finally(() => socket.destroy());
}
