import { createTransport } from "nodemailer";
import { findEndpointProblems } from "../../services/payment/webhook-endpoints.ts";
import { DEFAULT_STRIPE_API, loadSettings, type Settings } from "../../broker/settings.ts";
import { SettingsError } from "../../broker/settings/reader.ts";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { providerFailure } from "../../mixins/payment-provider/errors.ts";
import { SUPPLIERS } from "../../services/catalog/suppliers/list.ts";
import { readShopSettings } from "../../services/shared/settings.ts";
import { readPackageVersion } from "../version.ts";
import { SANDBOX_API, SANDBOX_SMTP, type Answers } from "./questions.ts";

const ANSWER_MS = 10_000;

/** Returns a line for each setting with which the start would stop: it is missing or unusable. */
export function findSettingProblems(answers: Answers): string[] {
  try {
    loadSettings(answers, readPackageVersion(), readShopSettings(SUPPLIERS));
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split("\n");
    throw error;
  }
}

type Payment = Pick<Settings["payment"], "apiBase" | "secretKey" | "webhookSecret">;

/** Asks the providers what they think of an answer; returns what they object to. The sandbox is not asked. */
export const CHECKS: Record<string, (answers: Answers) => Promise<string | undefined>> = {
  async STRIPE_SECRET_KEY(answers) {
    const payment = readPayment(answers);
    if (payment.apiBase === SANDBOX_API) return undefined;
    try {
      await createPaymentProvider(payment).request((stripe) =>
        stripe.paymentIntents.list({ limit: 1 }, { timeout: ANSWER_MS, maxNetworkRetries: 1 }),
      );
      return undefined;
    } catch (error) {
      return providerFailure(error) === "refused"
        ? "Stripe refuses this key. A restricted key must be allowed to read payments"
        : `Stripe does not answer at ${payment.apiBase}: the key is not checked`;
    }
  },

  async STRIPE_WEBHOOK_SECRET(answers) {
    const payment = readPayment(answers);
    if (payment.apiBase === SANDBOX_API || payment.secretKey === "") return undefined;
    const provider = createPaymentProvider(payment);
    try {
      const { data } = await provider.request((stripe) =>
        stripe.webhookEndpoints.list({ limit: 100 }, { timeout: ANSWER_MS, maxNetworkRetries: 1 }),
      );
      return findEndpointProblems(data, await provider.apiVersion()).join("\n") || undefined;
    } catch {
      return "Stripe does not show its webhook endpoints with this key: their API version and events are not checked";
    }
  },

  async SMTP_URL({ SMTP_URL: url }) {
    if (url === undefined || url === SANDBOX_SMTP || !URL.canParse(url)) return undefined;
    const limits = { connectionTimeout: ANSWER_MS, greetingTimeout: ANSWER_MS, socketTimeout: ANSWER_MS };
    const transport = createTransport({ url, ...limits });
    try {
      await transport.verify();
      return undefined;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const { host } = new URL(url);
      return code === "EAUTH"
        ? `The mail server ${host} refuses this user and password`
        : `The mail server ${host} cannot be used: ${message}`;
    } finally {
      transport.close();
    }
  },
};

function readPayment({
  STRIPE_SECRET_KEY: key,
  STRIPE_API_BASE: base,
  STRIPE_WEBHOOK_SECRET: secret,
}: Answers): Payment {
  return { secretKey: key ?? "", apiBase: base ?? DEFAULT_STRIPE_API, webhookSecret: secret ?? "" };
}
