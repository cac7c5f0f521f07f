import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import Stripe from "stripe";

import { API_VERSION } from "../src/payment/account.ts";
import { CHILD_ENVIRONMENT } from "../../../test/support/children.ts";
import { eventually } from "../../../test/support/eventually.ts";
import {
  client,
  payAsShown,
  receiver,
  sandbox,
  SECRET_KEY,
  sessionParams,
  WEBHOOK_SECRET,
} from "../../../test/contract/payment-sandbox.support.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function opened<T extends { close(): Promise<unknown> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  closing.push(started.close);
  return started;
}

describe("webhooks", () => {
  test("are events of the client's version, signed so that it accepts them", async () => {
    const shop = await opened(receiver());
    const { stripe } = await opened(sandbox({ webhookUrls: [shop.url] }));
    const customer = await stripe.customers.create({ email: "ada@example.com" });
    const event = await eventually(() => shop.of("customer.created")[0]);
    expect(event).toMatchObject({
      object: "event",
      api_version: Stripe.API_VERSION,
      livemode: false,
      type: "customer.created",
      data: { object: { id: customer.id } },
    });
    expect(event.request?.id).toBe(customer.lastResponse.requestId);
    expect(API_VERSION).toBe(Stripe.API_VERSION);
    expect(shop.forged()).toBe(0);
    await eventually(async () => (await stripe.events.retrieve(event.id)).pending_webhooks === 0);
  });

  test("are sent again until each address has answered 2xx", async () => {
    const steady = await opened(receiver());
    const flaky = await opened(receiver((_event, attempt) => [500, 302, 200][attempt - 1] ?? 200));
    const { stripe } = await opened(sandbox({ webhookUrls: [steady.url, flaky.url] }));
    await stripe.customers.create({});
    const event = await eventually(() => flaky.events[0]);
    expect(flaky.attempts.get(event.id)).toBe(3);
    expect(steady.attempts.get(event.id)).toBe(1);
    await eventually(async () => (await stripe.events.retrieve(event.id)).pending_webhooks === 0);
    expect(flaky.attempts.get(event.id)).toBe(3);
  });

  test("wait while they are held back, and are sent again at the operator's word", async () => {
    const shop = await opened(receiver());
    const provider = await opened(sandbox({ webhookUrls: [shop.url] }));
    await provider.control("/webhooks", { paused: true });
    await provider.stripe.customers.create({});
    const [event] = (await provider.stripe.events.list()).data;
    expect(event?.pending_webhooks).toBe(1);
    expect(shop.events).toEqual([]);
    await provider.control("/webhooks", { paused: false });
    await eventually(() => shop.attempts.get(event!.id) === 1);
    await provider.control(`/events/${event!.id}/deliver`, { times: 3 });
    await eventually(() => shop.attempts.get(event!.id) === 4);
  });
});

describe("state on disk", () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "payment-sandbox-"));
    closing.push(() => rm(dataDir, { recursive: true }));
  });

  test("outlives a restart: sessions, keys, and webhooks that nobody took", async () => {
    const before = await sandbox({ dataDir, webhookUrls: ["http://127.0.0.1:9/nobody"] });
    const create = (stripe: Stripe) => stripe.checkout.sessions.create(sessionParams(), { idempotencyKey: "cart-1" });
    const session = await create(before.stripe);
    await payAsShown(session);
    await before.close();
    const shop = await opened(receiver());
    const after = await opened(sandbox({ dataDir, webhookUrls: [shop.url] }));
    expect((await create(after.stripe)).id).toBe(session.id);
    expect(await after.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: "complete",
      payment_status: "paid",
    });
    const completed = await eventually(() => shop.of("checkout.session.completed")[0]);
    expect((completed.data.object as Stripe.Checkout.Session).id).toBe(session.id);
  });

  test("outlives kill -9: what was answered is there, and its webhooks are delivered by the next run", async () => {
    const shop = await opened(receiver(() => (accepting ? 200 : 503)));
    let accepting = false;
    const child = await startInProcess(dataDir, shop.url);
    const stripe = client(child.port);
    const session = await stripe.checkout.sessions.create(sessionParams());
    await payAsShown(session);
    child.kill();
    await child.ended;
    accepting = true;
    const { stripe: next } = await opened(sandbox({ dataDir, webhookUrls: [shop.url] }));
    expect((await next.checkout.sessions.retrieve(session.id)).payment_status).toBe("paid");
    const completed = await eventually(() => shop.of("checkout.session.completed")[0]);
    expect((completed.data.object as Stripe.Checkout.Session).id).toBe(session.id);
  });
});

/** The sandbox in a process of its own, which can be killed. */
async function startInProcess(dataDir: string, webhookUrl: string) {
  const options = {
    host: "127.0.0.1",
    port: 0,
    dataDir,
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrls: [webhookUrl],
    retryDelaysMs: [50],
  };
  const module = new URL("../src/payment/server.ts", import.meta.url).href;
  const script = `const { startPaymentSandbox } = await import(${JSON.stringify(module)}); const s = await startPaymentSandbox(${JSON.stringify(options)}); process.stdout.write(s.port + "\\n");`;
  const child = spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: CHILD_ENVIRONMENT,
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  closing.push(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(Number(chunk.toString())));
    child.once("exit", () => reject(new Error("The sandbox's process ended before it listened")));
  });
  return { port, ended, kill: () => child.kill("SIGKILL") };
}
