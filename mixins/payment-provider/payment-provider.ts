import type { Stripe } from "stripe";
import { createCircuitBreaker, type CircuitBreakerOptions } from "../circuit-breaker.ts";
import { traced } from "../tracing.ts";
import { providerError, providerFailure, toPartlineError, type NamedResource } from "./errors.ts";
import { isFromTheFuture, WEBHOOK_TOLERANCE_SECONDS } from "./webhook-signature.ts";

/** One try; with one retry and its pause a request ends within `PROVIDER_DEADLINE_MS`. */
const TRY_TIMEOUT_MS = 6_000;
const RETRIES = 1;

/** Longest duration of `request`, ms: the least timeout of an action that calls the provider. */
export const PROVIDER_DEADLINE_MS = 15_000;

interface PaymentProviderSettings {
  secretKey: string;
  /** `https://api.stripe.com`, or a sandbox's address. */
  apiBase: string;
  webhookSecret: string;
}

export interface PaymentProvider {
  /**
   * Runs one request with the provider's client. A POST that must not be done twice carries the caller's idempotency
   * key.
   * @throws PROVIDER_ERROR (see `providerFailure`), at once while the circuit is open; NOT_FOUND if the provider lacks
   * the `named` resource
   */
  request<T>(work: (stripe: Stripe) => Promise<T>, named?: NamedResource): Promise<T>;
  /** Returns the event of a webhook's exact text. Throws the library's own error on a bad or outdated signature. */
  verifyWebhook(body: string, signature: string): Promise<Stripe.Event>;
}

/** Creates the client of the payment provider; the sandbox differs by its address alone. */
export function createPaymentProvider(
  settings: PaymentProviderSettings,
  { watchCircuit }: Pick<CircuitBreakerOptions, "watchCircuit"> = {},
): PaymentProvider {
  // Loading the library costs more than starting a service; it is done by the first request.
  let loaded: Promise<Stripe> | undefined;
  const client = (): Promise<Stripe> => (loaded ??= loadClient(settings));
  const guarded = createCircuitBreaker({
    watchCircuit,
    failures: 5,
    openMs: 5_000,
    isFailure: (error) => ["failed", "unreachable"].includes(providerFailure(error) ?? ""),
    whenOpen: () => providerError("unreachable"),
  });
  return {
    request: (work, named) =>
      guarded(() =>
        traced("payment provider", { kind: "client", attributes: { "partline.provider": "payment" } }, async () => {
          const stripe = await client();
          try {
            return await work(stripe);
          } catch (error) {
            throw toPartlineError(error, named);
          }
        }),
      ),
    async verifyWebhook(body, signature) {
      const { webhooks, errors } = await client();
      const event = await webhooks.constructEventAsync(
        body,
        signature,
        settings.webhookSecret,
        WEBHOOK_TOLERANCE_SECONDS,
      );
      if (isFromTheFuture(signature))
        throw new errors.StripeSignatureVerificationError(signature, body, { message: "Timestamp in the future" });
      return event;
    },
  };
}

async function loadClient({ secretKey, apiBase }: PaymentProviderSettings): Promise<Stripe> {
  const { Stripe } = await import("stripe");
  const base = new URL(apiBase);
  const protocol = base.protocol === "http:" ? "http" : "https";
  return new Stripe(secretKey, {
    protocol,
    host: base.hostname,
    port: base.port === "" ? (protocol === "http" ? 80 : 443) : Number(base.port),
    timeout: TRY_TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}
