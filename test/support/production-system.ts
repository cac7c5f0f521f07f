import { startDealerSandbox } from "../../packages/sandbox/src/dealer/server.ts";
import { startIdentitySandbox } from "../../packages/sandbox/src/identity/server.ts";
import { startPaymentSandbox } from "../../packages/sandbox/src/payment/server.ts";
import startTireSandbox from "../../packages/sandbox/src/tires/server.ts";
import { startSystem, type System } from "./system.ts";

const SECRETS = {
  STRIPE_SECRET_KEY: "sk_test_specification",
  STRIPE_WEBHOOK_SECRET: "whsec_specification",
  IDENTITY_AUDIENCE: "shop-api",
  IDENTITY_AUTHORIZED_PARTIES: "https://shop.example",
  IDENTITY_WEBHOOK_SECRET: "whsec_dGVzdC1zZWNyZXQtb2YtdGhpcnR5LXR3by1ieXRlcw==",
  DIS_API_KEY: "dis_specification",
  DIS_DEALER_ID: "dealer-7",
  TIRE_SUPPLIER_API_KEY: "tires_specification",
};

export interface ProductionSystem {
  system: System;
  identityUrl: string;
  payment: { url: string; secretKey: string };
  stop(): Promise<void>;
}

/** Starts a system in production, whose providers are sandboxes in this process. It sends no mail. */
export async function startProductionSystem(): Promise<ProductionSystem> {
  const host = "127.0.0.1";
  const [dealer, tires, identity] = await Promise.all([
    startDealerSandbox({ host, port: 0, dealer: { apiKey: SECRETS.DIS_API_KEY, dealerId: SECRETS.DIS_DEALER_ID } }),
    startTireSandbox({ host, port: 0, apiKey: SECRETS.TIRE_SUPPLIER_API_KEY, imageUrlBase: "https://images.example" }),
    startIdentitySandbox({
      host,
      port: 0,
      webhookSecret: SECRETS.IDENTITY_WEBHOOK_SECRET,
      webhookUrls: [],
      audience: SECRETS.IDENTITY_AUDIENCE,
      authorizedParty: SECRETS.IDENTITY_AUTHORIZED_PARTIES,
    }),
  ]);
  // It sends events to an address that the system has once it runs.
  const webhookUrls: string[] = [];
  const payment = await startPaymentSandbox({
    host,
    port: 0,
    secretKey: SECRETS.STRIPE_SECRET_KEY,
    webhookSecret: SECRETS.STRIPE_WEBHOOK_SECRET,
    webhookUrls,
  });
  const system = await startSystem({
    env: {
      ...SECRETS,
      NODE_ENV: "production",
      TRUSTED_NETWORK: "true",
      DRAIN_SECONDS: "0",
      RATE_LIMIT: "off",
      STRIPE_API_BASE: payment.url,
      IDENTITY_JWKS_URL: `${identity.url}/.well-known/jwks.json`,
      DIS_URL: dealer.url,
      TIRE_SUPPLIER_URL: tires.url,
      SMTP_URL: "off",
    },
  });
  webhookUrls.push(`${system.url("payment")}/webhooks/stripe`);
  return {
    system,
    identityUrl: identity.url,
    payment: { url: payment.url, secretKey: SECRETS.STRIPE_SECRET_KEY },
    stop: async () => {
      await system.stop();
      await Promise.all([dealer, tires, identity, payment].map((sandbox) => sandbox.close()));
    },
  };
}
