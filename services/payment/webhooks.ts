import type { Stripe } from "stripe";
import { errorCode, PartlineError } from "../../mixins/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import type { WebhookEvent } from "./collections.ts";
import { commandOf } from "./event-commands.ts";
import type { EventProcessor } from "./event-processor.ts";
import { LostPurchase, pauseAfter } from "./provider-intents.ts";
import type { WebhookInbox } from "./webhook-inbox.ts";

interface Deps {
  provider: PaymentProvider;
  inbox: WebhookInbox;
  processor: EventProcessor;
  onError: (event: WebhookEvent, error: unknown) => void;
}

/** The receiver of the provider's webhooks: verify, store, give effect, acknowledge. */
export function webhookReceiver({ provider, inbox, processor, onError }: Deps) {
  return async function receive(body: string, signature: string | undefined): Promise<{ received: true }> {
    const event = await verified(provider, body, signature);
    const command = commandOf(event);
    if (!command) return { received: true };
    const stored = await inbox.receive(event.id, event.type, command);
    if (stored.state === "done" || stored.state === "dropped") return { received: true };
    try {
      await processor.process(stored);
    } catch (error) {
      onError(stored, error);
      // The provider cannot help by sending it again: the sweep retries and logs it.
      if (error instanceof LostPurchase) {
        await inbox.postpone(stored, "pending", pauseAfter(error));
        return { received: true };
      }
      // The gateway answers the store's own error with 503 too.
      if (isUnavailable(error)) throw error;
      throw new PartlineError(
        "SERVICE_UNAVAILABLE",
        "The event is stored, and its effect is not complete yet",
        undefined,
        { cause: error },
      );
    }
    return { received: true };
  };
}

/** @throws INVALID_SIGNATURE, INVALID_JSON */
async function verified(provider: PaymentProvider, body: string, signature: string | undefined): Promise<Stripe.Event> {
  let event: unknown;
  try {
    event = await provider.verifyWebhook(body, signature ?? "");
  } catch (error) {
    // The body is parsed after its signature is verified. A malformed signature throws an error of no known type.
    if ((error as Error).name !== "SyntaxError") {
      throw new PartlineError(
        "INVALID_SIGNATURE",
        "The Stripe-Signature header is missing, wrong, or of another time",
        undefined,
        { cause: error },
      );
    }
  }
  if (!isEvent(event)) throw new PartlineError("INVALID_JSON", "The body is not an event of the payment provider");
  return event;
}

/** Checks what every event has. Fields of its object are checked when they are read. */
function isEvent(value: unknown): value is Stripe.Event {
  if (typeof value !== "object" || value === null) return false;
  const { id, type, data } = value as Partial<Stripe.Event>;
  return (
    typeof id === "string" &&
    /^[\x21-\x7e]{1,255}$/.test(id) &&
    typeof type === "string" &&
    typeof data?.object === "object" &&
    data.object !== null
  );
}

function isUnavailable(error: unknown): boolean {
  return (
    typeof error === "object" &&
    error !== null &&
    "code" in error &&
    (error.code === "UNAVAILABLE" || errorCode(error) === "DATABASE_UNAVAILABLE")
  );
}
