import { randomBytes } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { EndpointDocument } from "./collections.ts";

type Secrets = EndpointDocument["secrets"];

const BYTES = 32;
const HOUR_MS = 60 * 60 * 1000;
const MOST_SECRETS = 5;

export function createSecret(): string {
  return `whsec_${randomBytes(BYTES).toString("base64")}`;
}

/**
 * The secret before stays for so many hours, and earlier ones while they are valid: a rotation is repeated if its
 * answer was lost, and the receiver then has none of the last.
 */
export function rotateSecrets(secrets: Secrets, value: string, overlapHours: number, now: Date): Secrets {
  if (overlapHours === 0) return [{ value }];
  const expiresAt = new Date(now.getTime() + overlapHours * HOUR_MS).toISOString();
  const previousSecrets = listValidSecrets(secrets, now).filter((secret) => secret.value !== value);
  return [{ value }, ...previousSecrets.map((secret) => ({ expiresAt, ...secret }))].slice(0, MOST_SECRETS);
}

export function listValidSecrets(secrets: Secrets, now: Date): Secrets {
  return secrets.filter(({ expiresAt }) => !expiresAt || new Date(expiresAt) > now);
}

/** The headers of Standard Webhooks, with a signature by each secret. */
export function signHeaders(secrets: Secrets, messageId: string, body: string, now: Date): Record<string, string> {
  const signatures = listValidSecrets(secrets, now).map(({ value }) => new Webhook(value).sign(messageId, now, body));
  return {
    "webhook-id": messageId,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signatures.join(" "),
  };
}
