import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import type { Authenticator, credsAuthenticator, NatsError, nkeyAuthenticator } from "nats";

/** Options of a NATS_URL: files with what NATS's tools make. */
const OPTIONS = ["creds", "nkey", "ca", "cert", "key"] as const;
type Option = (typeof OPTIONS)[number];

interface NatsServers {
  servers: string[];
  user?: string;
  pass?: string;
  token?: string;
  authenticator?: Authenticator;
  tls?: { caFile?: string; certFile?: string; keyFile?: string };
}

/**
 * Returns options of the NATS client, which ignores credentials in addresses: `user:password@` or `token@` in front of
 * a host, or `?creds=FILE` (a user's credentials file), `?nkey=FILE` (a seed), `?cert=FILE&key=FILE` (a client
 * certificate; `ca` of the server's) behind it.
 * @param natsUrl comma list; the first credentials are the cluster's
 */
export function parseNatsServers(natsUrl: string): NatsServers {
  const urls = parseUrls(natsUrl);
  const authenticated = urls.find(({ username }) => username !== "");
  const user = authenticated && decodeURIComponent(authenticated.username);
  const { creds, nkey, ca, cert, key } = readOptions(urls);
  return {
    servers: urls.map(({ protocol, host }) => `${protocol}//${host}`),
    ...(authenticated &&
      (authenticated.password === "" ? { token: user } : { user, pass: decodeURIComponent(authenticated.password) })),
    ...(creds === undefined ? {} : { authenticator: loadNatsClient().credsAuthenticator(readFileSync(creds)) }),
    ...(nkey === undefined ? {} : { authenticator: loadNatsClient().nkeyAuthenticator(readSeed(nkey)) }),
    ...(ca === undefined && cert === undefined ? {} : { tls: { caFile: ca, certFile: cert, keyFile: key } }),
  };
}

/** Returns whether a server at NATS_URL can know its processes from strangers. */
export function hasNatsCredentials(natsUrl: string): boolean {
  const urls = parseUrls(natsUrl);
  const { creds, nkey, cert } = readOptions(urls);
  return urls.some(({ username }) => username !== "") || [creds, nkey, cert].some((file) => file !== undefined);
}

/** Returns why a NATS_URL cannot be used; undefined if it can. */
export function findNatsUrlFlaw(natsUrl: string): string | undefined {
  if (natsUrl.split(",").some((address) => !URL.canParse(toNatsAddress(address))))
    return "is not a list of addresses like nats://host:4222";
  const urls = parseUrls(natsUrl);
  const unknown = urls.flatMap(({ searchParams }) => [...searchParams.keys()]).find((name) => !isOption(name));
  if (unknown !== undefined) return `has the unknown option "${unknown}": there are ${OPTIONS.join(", ")}`;
  for (const [name, file] of Object.entries(readOptions(urls)))
    if (!existsSync(file)) return `names the file ${file} (${name}), which is not there`;
  return undefined;
}

function parseUrls(natsUrl: string): URL[] {
  return natsUrl.split(",").map((address) => new URL(toNatsAddress(address)));
}

function readOptions(urls: readonly URL[]): Partial<Record<Option, string>> {
  return Object.fromEntries(urls.flatMap(({ searchParams }) => [...searchParams]));
}

function isOption(name: string): name is Option {
  return (OPTIONS as readonly string[]).includes(name);
}

function readSeed(file: string): Uint8Array {
  return Buffer.from(readFileSync(file, "utf8").trim());
}

interface NatsClient {
  credsAuthenticator: typeof credsAuthenticator;
  nkeyAuthenticator: typeof nkeyAuthenticator;
}

/** Loaded only where it is needed: a process without NATS has no client for it. */
function loadNatsClient(): NatsClient {
  return createRequire(import.meta.url)("nats") as NatsClient;
}

/** Adds the scheme, which NATS's own tools let one leave out. */
export function toNatsAddress(address: string): string {
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

/** Returns whether a URL accepts a connection, or sends something over it, in time. */
export function isReachable(
  url: string,
  usualPort: number,
  waitMs: number,
  sign: "connect" | "data",
): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = connect({ host, port: Number(port || usualPort), timeout: waitMs });
  const { promise, resolve } = Promise.withResolvers<boolean>();
  socket.once(sign, () => resolve(true));
  for (const failure of ["error", "timeout", "close"]) socket.once(failure, () => resolve(false));
  return promise.finally(() => socket.destroy());
}

/**
 * Returns why no server of a NATS_URL admits this process; undefined if one does, or if none answers: a later try may
 * succeed.
 * @param waitMs longest wait for each server
 */
export async function findNatsRefusal(natsUrl: string, waitMs: number): Promise<string | undefined> {
  const { connect } = await import("nats");
  const { servers, ...credentials } = parseNatsServers(natsUrl);
  const refusals = await Promise.all(
    servers.map(async (server) => {
      // The client would never let go of a server that accepts a connection and hangs.
      if (!(await isReachable(server, 4222, waitMs, "data"))) return "";
      try {
        await (await connect({ servers: [server], ...credentials, reconnect: false, timeout: waitMs })).close();
        return undefined;
      } catch (error) {
        return isRefusal(error) ? error.message.replaceAll("'", "") : "";
      }
    }),
  );
  return refusals.includes(undefined) ? undefined : refusals.find((refusal) => refusal !== "");
}

function isRefusal(error: unknown): error is NatsError {
  return error instanceof Error && "isAuthError" in error && (error as NatsError).isAuthError();
}
