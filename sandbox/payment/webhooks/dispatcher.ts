import { createDispatcher, type WebhookDispatcher } from "../../server/webhooks/dispatcher.ts";
import type { WebhookOutbox } from "../../server/webhooks/outbox.ts";
import type { Store } from "../state/store.ts";
import { signatureHeader } from "./signature.ts";

export type EventDispatcherOptions = {
  outbox: WebhookOutbox;
  store: Store;
  secret: string;
  /** Milliseconds between attempts; the last one repeats. */
  retryDelaysMs: readonly number[];
};

/**
 * Sends events as the provider does: signed anew at every attempt, with the number of deliveries that are still to
 * come.
 */
export function createEventDispatcher({
  outbox,
  store,
  secret,
  retryDelaysMs,
}: EventDispatcherOptions): WebhookDispatcher {
  return createDispatcher({
    outbox,
    retryDelaysMs,
    sign: (delivery) => {
      const event = store.find("event", delivery.event);
      if (!event) return undefined;
      const body = JSON.stringify({ ...event, pending_webhooks: outbox.pending(event.id) }, null, 2);
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        "stripe-signature": signatureHeader(body, secret, Math.floor(Date.now() / 1_000)),
      };
      return { headers, body };
    },
  });
}
