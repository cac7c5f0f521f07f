import type { Stripe } from "stripe";
import { EVENT_TYPES } from "./event-commands.ts";

/** Path of the payment webhook on any public host. */
const WEBHOOK_PATH = "/webhooks/stripe";

export type WebhookEndpoint = Pick<Stripe.WebhookEndpoint, "url" | "status" | "api_version" | "enabled_events">;

/**
 * Returns a sentence for each way in which the provider's webhook endpoints do not serve this system. An endpoint
 * without a version sends events in the account's default version.
 */
export function findEndpointProblems(endpoints: readonly WebhookEndpoint[], apiVersion: string): string[] {
  const ours = endpoints.filter(({ url, status }) => status === "enabled" && url.endsWith(WEBHOOK_PATH));
  if (ours.length === 0)
    return [
      `The payment provider has no enabled webhook endpoint with the path ${WEBHOOK_PATH}: payments make no orders`,
    ];
  return ours.flatMap(({ url, api_version: version, enabled_events: enabled }) => {
    const endpoint = `The payment provider's webhook endpoint ${url}`;
    const sends = version === null ? "the account's default API version" : `API version ${version}`;
    const missing = enabled.includes("*") ? [] : EVENT_TYPES.filter((type) => !(enabled as string[]).includes(type));
    return [
      ...(version === apiVersion ? [] : [`${endpoint} has ${sends}: create it with ${apiVersion}`]),
      ...(missing.length > 0 ? [`${endpoint} lacks events: ${missing.join(", ")}`] : []),
    ];
  });
}
