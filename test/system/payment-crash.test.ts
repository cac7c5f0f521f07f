import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "@jest/globals";
import Stripe from "stripe";
import { newCartId, signed } from "../contract/payment.shop.ts";
import { formsOf, submit } from "../contract/payment-sandbox.support.ts";
import { eventually } from "../support/eventually.ts";
import { startTestPayment } from "../support/payment-sandbox.ts";
import { testSettings } from "../support/test-settings.ts";
import { startWorkerProcess, type WorkerProcess } from "../support/worker-process.ts";
import type { Wish } from "./payment.worker.ts";

const WORKER = fileURLToPath(new URL("./payment.worker.ts", import.meta.url));

type Worker = WorkerProcess<Wish>;

interface State {
  order: object | null;
  cart: number;
  orders: number;
  payments: number;
  events: { id: string; state: string }[];
  published: string[];
}

/** Event, order with its announcement, cart, payment record. */
const WRITES = 4;

describe("kill -9 while a payment is completed", () => {
  const { payment } = testSettings();
  const running = new Set<{ kill(): Promise<unknown> }>();
  afterEach(async () => {
    await Promise.all([...running].map((each) => each.kill()));
    running.clear();
  });

  async function start(dataDir: string, providerUrl: string): Promise<Worker> {
    const worker = await startWorkerProcess<Wish>(WORKER, [dataDir, providerUrl]);
    running.add(worker);
    return worker;
  }

  /** A paid checkout with a store and a provider of its own, and the event that reports it. */
  async function paidCheckout() {
    const sandbox = await startTestPayment(payment);
    running.add({ kill: () => sandbox.close() });
    const dataDir = mkdtempSync(join(tmpdir(), "partline-crash-"));
    const worker = await start(dataDir, sandbox.url);
    const cartId = newCartId();
    const { sessionId, url } = await worker.ask<{ sessionId: string; url: string }>({ do: "checkout", cartId });
    await submit(formsOf(await (await fetch(url)).text(), url)[0]!);
    const stripe = new Stripe(payment.secretKey, { protocol: "http", host: "127.0.0.1", port: sandbox.port });
    const event = (await stripe.events.list({ type: "checkout.session.completed" })).data[0]!;
    const webhook = () => signed(event, { secret: payment.webhookSecret });
    return { worker, cartId, sessionId, eventId: event.id, webhook, restart: () => start(dataDir, sandbox.url) };
  }

  async function expectCompletedOnce(
    worker: Worker,
    { cartId, sessionId, eventId }: { cartId: string; sessionId: string; eventId: string },
  ) {
    const readState = () => worker.ask<State>({ do: "state", cartId, sessionId });
    await eventually(async () => {
      const now = await readState();
      if (now.events.some(({ id, state }) => id === eventId && state === "done") && now.published.length > 0)
        return true;
      throw new Error(`Not complete: ${JSON.stringify(now)}`);
    }, 30_000);
    // What was read above was not read at one moment.
    const state = await readState();
    expect(state).toMatchObject({ order: { paymentStatus: "paid" }, cart: 0, orders: 1, payments: 1 });
    // The channel promises a delivery at least once: to a consumer that died in between, perhaps again.
    expect(new Set(state.published).size).toBe(1);
  }

  it("leaves one order, one payment record, one event and an empty cart, after any last write", async () => {
    const whole = await paidCheckout();
    const { writes } = await whole.worker.ask<{ writes: number }>({ do: "deliver", webhook: whole.webhook() });
    await expectCompletedOnce(whole.worker, whole);
    await whole.worker.kill();
    expect(writes).toBe(WRITES);

    const dieAt = async (dieAfter: number): Promise<void> => {
      const checkout = await paidCheckout();
      const dying = checkout.worker.ask({ do: "deliver", webhook: checkout.webhook(), dieAfter });
      await expect(dying).rejects.toThrow("It died");
      expect(await checkout.worker.ended).toBe("SIGKILL");

      const next = await checkout.restart();
      // Once the event is stored nobody needs to deliver it again; every other time the provider does so all the same.
      const { events } = await next.ask<State>({ do: "state", cartId: checkout.cartId, sessionId: checkout.sessionId });
      expect(events.some(({ id }) => id === checkout.eventId)).toBe(dieAfter > 0);
      if (dieAfter % 2 === 0) await next.ask({ do: "deliver", webhook: checkout.webhook() });
      await expectCompletedOnce(next, checkout);
      await next.kill();
    };
    const points = Array.from({ length: writes + 1 }, (_, point) => point);
    await Promise.all(
      [0, 1, 2].map(async (lane) => {
        for (const point of points.filter((candidate) => candidate % 3 === lane)) await dieAt(point);
      }),
    );
  }, 300_000);
});
