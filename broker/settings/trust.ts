import { ConnectionString } from "mongodb-connection-string-url";
import { hasNatsCredentials, parseNatsServers, UNSIGNED } from "@partline/durable";
import { isLoopbackHost } from "@partline/toolkit";
import type { SettingsReader } from "./reader.ts";

/** Minimum length of a secret, characters. */
const SHORTEST_SECRET = 32;

interface Servers {
  natsUrl: string | undefined;
  mongoUrl: string | undefined;
}

const OPEN = "has no credentials, so anyone who reaches it acts as an admin";

/**
 * Reads what keeps strangers on the network out: the secret that nodes sign by, and in production credentials of NATS
 * and MongoDB. TRUSTED_NETWORK says that the network does.
 */
export function readTrust(reader: SettingsReader, { natsUrl, mongoUrl }: Servers, production: boolean) {
  const trustedNetwork = reader.getFlag("TRUSTED_NETWORK");
  const clusterSecrets = (reader.getSecret("CLUSTER_SECRET") ?? "")
    .split(",")
    .map((secret) => secret.trim())
    .filter((secret) => secret !== "");
  if (clusterSecrets.some((secret) => secret !== UNSIGNED && secret.length < SHORTEST_SECRET))
    reader.noteUnusable("CLUSTER_SECRET", `has a secret of fewer than ${SHORTEST_SECRET} characters`);
  if (production && !trustedNetwork) {
    const flaw = `${OPEN}. Add them, or set TRUSTED_NETWORK=true (docs/trust.md)`;
    if (natsUrl !== undefined && !clusterSecrets.some((secret) => secret !== UNSIGNED))
      reader.noteMissing("CLUSTER_SECRET");
    if (isOpenNats(natsUrl)) reader.noteUnusable("NATS_URL", flaw);
    if (isOpenMongo(mongoUrl)) reader.noteUnusable("MONGO_URL", flaw);
  }
  return { trustedNetwork, clusterSecrets };
}

/** Returns a line for each server on another machine that needs no credentials. */
export function openServers({ natsUrl, mongoUrl, trustedNetwork }: Servers & { trustedNetwork: boolean }): string[] {
  if (trustedNetwork) return [];
  const warn = (name: string): string => `${name} ${OPEN} (docs/trust.md)`;
  const isElsewhere = (hosts: readonly string[]): boolean => hosts.some((host) => !isLoopbackHost(host));
  return [
    ...(isOpenNats(natsUrl) && isElsewhere(parseNatsServers(natsUrl).servers.map((server) => new URL(server).host))
      ? [warn("NATS_URL")]
      : []),
    ...(isOpenMongo(mongoUrl) && isElsewhere(new ConnectionString(mongoUrl).hosts) ? [warn("MONGO_URL")] : []),
  ];
}

function isOpenNats(natsUrl: string | undefined): natsUrl is string {
  return natsUrl !== undefined && !hasNatsCredentials(natsUrl);
}

/** A certificate, Kerberos or a cloud's identity is an `authMechanism`. */
function isOpenMongo(mongoUrl: string | undefined): mongoUrl is string {
  if (mongoUrl === undefined) return false;
  const { username, searchParams } = new ConnectionString(mongoUrl);
  return username === "" && !searchParams.has("authMechanism");
}
