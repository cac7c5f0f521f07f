import type { Stripe } from "stripe";
import { type CircuitBreakerOptions, createCircuitBreaker } from "@partline/toolkit";
import { loadOnce, withSpan } from "@partline/toolkit";
import { type NamedResource, providerError, providerFailure, toPartlineError } from "./errors.ts";
import { RETRIES, TRY_TIMEOUT_MS } from "./limits.ts";

interface PaymentProviderSettings {
  secretKey: string;
  /** `https://api.stripe.com`, or a sandbox's address. */
  apiBase: string;
  webhookSecret: string;
}

export type PaymentProvider = ReturnType<typeof createPaymentProvider>;

/** Creates the provider's client; the sandbox differs by its address alone. */
export function createPaymentProvider(
  settings: PaymentProviderSettings,
  { watchCircuit }: Pick<CircuitBreakerOptions, "watchCircuit"> = {},
) {
  // Loading the library costs more than starting a service; it is done by the first request.
  const client = loadOnce(() => loadClient(settings));
  const guarded = createCircuitBreaker({
    watchCircuit,
    failures: 5,
    openMs: 5_000,
    isFailure: (error) => ["failed", "unreachable"].includes(providerFailure(error) ?? ""),
    whenOpen: () => providerError("unreachable"),
  });
  return {
    /**
     * Runs one request. A POST that must not be done twice carries the caller's idempotency key.
     * @throws PROVIDER_ERROR (see `providerFailure`), at once while the circuit is open; NOT_FOUND if the provider
     * lacks the `named` resource
     */
    request: <T>(work: (stripe: Stripe) => Promise<T>, resource?: NamedResource): Promise<T> =>
      guarded(() =>
        withSpan("payment provider", { kind: "client", attributes: { "partline.provider": "payment" } }, async () => {
          const stripe = await client();
          try {
            return await work(stripe);
          } catch (error) {
            throw toPartlineError(error, resource);
          }
        }),
      ),
    /** Returns the version of the provider's API that requests name. */
    apiVersion: async (): Promise<string> => (await import("stripe")).Stripe.API_VERSION,
    /** Returns the event of a webhook's exact text. Throws the library's own error on a bad or outdated signature. */
    async verifyWebhook(body: string, signature: string): Promise<Stripe.Event> {
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
    port: Number(base.port) || (protocol === "http" ? 80 : 443),
    timeout: TRY_TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
  });
}

/** How far a webhook's timestamp may lie from our clock, either way. Source: design, The completion webhook. */
const WEBHOOK_TOLERANCE_SECONDS = 300;

/**
 * Returns whether a valid signature is further ahead of our clock than the tolerance: if stolen, it could be used until
 * its time comes. The provider's library checks the past alone. Of several times the last one counts, as in the
 * library.
 */
export function isFromTheFuture(signatureHeader: string, now: number = Date.now()): boolean {
  const time = signatureHeader.split(",").findLast((field) => field.startsWith("t="));
  return !(Number.parseInt(time?.slice("t=".length) ?? "", 10) <= Math.floor(now / 1000) + WEBHOOK_TOLERANCE_SECONDS);
}
