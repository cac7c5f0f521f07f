/** What the NATS client takes of a NATS_URL. It passes by the credentials in an address, so they are told apart. */
export interface NatsServers {
  servers: string[];
  user?: string;
  pass?: string;
}

/** @param natsUrl comma list; the credentials of the first address that has any are those of the cluster */
export function natsServers(natsUrl: string): NatsServers {
  const urls = natsUrl.split(",").map((address) => new URL(natsAddress(address)));
  const named = urls.find(({ username }) => username !== "");
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(named ? { user: decodeURIComponent(named.username), pass: decodeURIComponent(named.password) } : {}),
  };
}

/** With its scheme, which NATS's own tools let one leave out. */
export function natsAddress(address: string): string {
  return address.includes("://") ? address.trim() : `nats://${address.trim()}`;
}

/**
 * Of every client: a server that hangs, or is cut off, is left for another within 15 s (the client's default is four
 * minutes), and the search for one has no end. The client's own would end when two servers in a row, be it weeks apart,
 * do not take the password, as all do not while their file of users is wrong.
 */
export const STAY_CONNECTED = {
  pingInterval: 5_000,
  maxPingOut: 2,
  maxReconnectAttempts: -1,
  ignoreAuthErrorAbort: true,
};
