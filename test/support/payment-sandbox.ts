import Stripe from "stripe";
import type { Settings } from "../../broker/settings.ts";
import { startPaymentSandbox } from "../../packages/sandbox/src/payment/server.ts";

/** The provider's library over the payment sandbox at this address; it tries nothing again. */
export function createSandboxStripe(url: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe("sk_test_partline_sandbox", {
    protocol: "http",
    host: hostname,
    port: Number(port),
    maxNetworkRetries: 0,
  });
}

/** Starts the payment sandbox of the settings on any port; its webhooks are the test's. */
export const startTestPayment = ({ secretKey, webhookSecret }: Settings["payment"]) =>
  startPaymentSandbox({ host: "127.0.0.1", port: 0, secretKey, webhookSecret, webhookUrls: [] });
