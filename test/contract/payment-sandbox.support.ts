import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import Stripe from "stripe";

import { startPaymentSandbox } from "../../packages/sandbox/src/payment/server.ts";
import type { PaymentSandboxOptions } from "../../packages/sandbox/src/payment/server.ts";

export const SECRET_KEY = "sk_test_partlinecontract";
export const WEBHOOK_SECRET = "whsec_partline_contract";

export type Sandbox = Awaited<ReturnType<typeof sandbox>>;

/** A sandbox on a free port, the provider's own client pointed at it, and its controls. */
export async function sandbox(options: Partial<PaymentSandboxOptions> = {}) {
  const server = await startPaymentSandbox({
    host: "127.0.0.1",
    port: 0,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrls: [],
    retryDelaysMs: [20, 40],
    ...options,
  });
  return {
    ...server,
    stripe: client(server.port),
    /** POSTs (or another method) to a control endpoint and gives its JSON. */
    async control(path: string, body?: object, method = "POST"): Promise<Record<string, unknown>> {
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${server.url}/sandbox${path}`, {
        method,
        headers,
        body: body && JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, unknown>;
    },
  };
}

export function client(port: number, key = SECRET_KEY): Stripe {
  return new Stripe(key, { host: "127.0.0.1", port, protocol: "http", maxNetworkRetries: 0, telemetry: false });
}

export type Receiver = Awaited<ReturnType<typeof receiver>>;

/** A shop's webhook address: keeps what arrives with a good signature, and answers what `answer` says. */
export async function receiver(answer: (event: Stripe.Event, attempt: number) => number = () => 200) {
  const events: Stripe.Event[] = [];
  const attempts = new Map<string, number>();
  let forged = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      try {
        const signature = String(request.headers["stripe-signature"]);
        const event = Stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, WEBHOOK_SECRET);
        const attempt = (attempts.get(event.id) ?? 0) + 1;
        attempts.set(event.id, attempt);
        const status = answer(event, attempt);
        if (status < 300) events.push(event);
        response.writeHead(status).end();
      } catch {
        forged += 1;
        response.writeHead(400).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    events,
    attempts,
    forged: () => forged,
    types: () => events.map((event) => event.type as string),
    of: (type: string) => events.filter((event) => event.type === type),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export const SUCCESS_URL = "http://shop.test/thanks?session_id={CHECKOUT_SESSION_ID}&from=checkout";
export const CANCEL_URL = "http://shop.test/cart";

/** A session over $26.00: two plugs at $10.50 and shipping of $5.00. */
export function sessionParams(
  overrides: Stripe.Checkout.SessionCreateParams = {},
): Stripe.Checkout.SessionCreateParams {
  return {
    mode: "payment",
    success_url: SUCCESS_URL,
    cancel_url: CANCEL_URL,
    client_reference_id: "cart_1700000000_abcdefgh",
    metadata: { cartId: "cart_1700000000_abcdefgh" },
    line_items: [
      {
        quantity: 2,
        price_data: {
          currency: "usd",
          unit_amount: 1_050,
          tax_behavior: "exclusive",
          product_data: { name: "Spark plug", metadata: { partNumber: "491055S" } },
        },
      },
    ],
    shipping_options: [
      {
        shipping_rate_data: {
          type: "fixed_amount",
          display_name: "UPS Ground",
          fixed_amount: { amount: 500, currency: "usd" },
          delivery_estimate: {
            minimum: { unit: "business_day", value: 2 },
            maximum: { unit: "business_day", value: 5 },
          },
          metadata: { provider: "ups" },
        },
      },
    ],
    payment_intent_data: { metadata: { cartId: "cart_1700000000_abcdefgh" } },
    ...overrides,
  };
}

/** A form of a page as a browser would send it untouched. */
export type PageForm = { action: string; fields: URLSearchParams };

/** The forms of a page, in order, each with the values it is shown with. */
export function formsOf(page: string, base: string): PageForm[] {
  return [...page.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs)].map(([, attributes = "", content = ""]) => {
    const fields = new URLSearchParams();
    for (const [, tag = ""] of content.matchAll(/<input\b([^>]*)>/g)) {
      if (attribute(tag, "type") === "radio" && !/\bchecked\b/.test(tag)) continue;
      fields.append(attribute(tag, "name"), attribute(tag, "value"));
    }
    for (const [, tag = "", options = ""] of content.matchAll(/<select\b([^>]*)>(.*?)<\/select>/gs)) {
      const all = [...options.matchAll(/<option\b([^>]*)>([^<]*)<\/option>/g)];
      const chosen = all.find(([, option = ""]) => /\bselected\b/.test(option)) ?? all[0];
      fields.append(attribute(tag, "name"), attribute(chosen?.[1] ?? "", "value") || (chosen?.[2] ?? ""));
    }
    return { action: new URL(attribute(attributes, "action") || base, base).href, fields };
  });
}

export function submit(form: PageForm, changes: Record<string, string> = {}): Promise<Response> {
  const fields = new URLSearchParams(form.fields);
  for (const [name, value] of Object.entries(changes)) fields.set(name, value);
  return fetch(form.action, { method: "POST", body: fields, redirect: "manual" });
}

/** The forms of a session's page. */
export async function pageForms(session: Stripe.Checkout.Session): Promise<PageForm[]> {
  const url = session.url ?? "";
  return formsOf(await (await fetch(url)).text(), url);
}

/** Pays a session as a person does who changes nothing on the page. */
export async function payAsShown(
  session: Stripe.Checkout.Session,
  changes: Record<string, string> = {},
): Promise<Response> {
  const [pay] = await pageForms(session);
  if (!pay) throw new Error("The page has no form");
  return submit(pay, changes);
}

/** What a call was refused with. Throws when it was not refused. */
export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error("The call was not refused");
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  return value
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}
