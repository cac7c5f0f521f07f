import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Stripe } from "stripe";
import { openDocumentStore } from "../../packages/durable/src/document-store/open.ts";
import type { DocumentStore } from "../../packages/durable/src/document-store/port.ts";
import type { WebhookEvent } from "../../services/payment/collections.ts";
import { createReconciler, lookBack } from "../../services/payment/reconciling.ts";
import { testSettings } from "../support/test-settings.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const now = new Date("2026-11-21T10:00:00Z");
const ago = (ms: number): Date => new Date(now.getTime() - ms);

describe("The look-back of a run by itself", () => {
  it("reaches a session's life before the last complete run, and never beyond seven days", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 * 24 }), (hours) => {
        const { from, wanted } = lookBack(ago(hours * HOUR_MS), now);
        expect(wanted).toEqual(ago((hours + 25) * HOUR_MS));
        expect(from).toEqual(ago(Math.min((hours + 25) * HOUR_MS, 7 * DAY_MS)));
      }),
    );
  });

  it("is seven days at first, which is no cap", () => {
    expect(lookBack(undefined, now)).toEqual({ from: ago(7 * DAY_MS), wanted: ago(7 * DAY_MS) });
  });
});

describe("Reconciling while something keeps failing", () => {
  let documents: DocumentStore;
  beforeEach(async () => {
    documents = await openDocumentStore({ dataDir: testSettings().dataDir });
  });
  afterEach(() => documents.close());

  it("says that it was capped, asks for seven days, and no longer once a run was complete", async () => {
    const marks = documents.collection<{ _id: string; at: Date }>({ name: "payment_marks", fields: { at: "date" } });
    await marks.insertOne({ _id: "reconciled", at: new Date(Date.now() - 30 * DAY_MS) });
    const asked: Date[] = [];
    const capped: { from: Date; wanted: Date }[] = [];
    const failed: string[] = [];
    const session = {
      id: "cs_broken",
      mode: "payment",
      payment_status: "paid",
      metadata: { userId: "guest", shop: "http://shop.test" },
      amount_subtotal: 1,
      amount_total: 1,
      currency: "usd",
    };
    let sessions = [session];
    let unread: string[] = [];
    const page = (data: object[], more = false) => Promise.resolve({ data, has_more: more });
    const intent = (id: string) => ({ id, type: "payment_intent.canceled", data: { object: { id: "pi_1" } } });
    const stripe = {
      checkout: {
        sessions: {
          list({ created }: Stripe.Checkout.SessionListParams) {
            asked.push(new Date((created as Stripe.RangeQueryParam).gte! * 1_000));
            return page(sessions);
          },
        },
      },
      events: {
        list: ({ starting_after: after }: Stripe.EventListParams) =>
          after === undefined
            ? page(
                Array.from({ length: 100 }, (_, at) => intent(`evt_${at + 1}`)),
                true,
              )
            : page([intent("evt_101")]),
      },
    };
    const reconcile = createReconciler({
      documents,
      shop: "http://shop.test",
      provider: { request: (work) => work(stripe as unknown as Stripe) },
      inbox: {
        receive: (_id, type, command) => Promise.resolve({ _id, type, command, state: "pending" } as WebhookEvent),
        settled: () => Promise.resolve(new Set<string>()),
      },
      processor: {
        process: ({ _id }) =>
          _id.startsWith("reconcile:") || unread.includes(_id)
            ? Promise.reject(new Error("no such price"))
            : Promise.resolve(),
      },
      payments: { find: () => Promise.resolve(null), among: () => Promise.resolve(new Set<string>()) },
      onError: (_what, id) => failed.push(id),
      onCapped: (from, wanted) => capped.push({ from, wanted }),
    });

    expect(await reconcile()).toEqual({ checked: 102, created: [], unclaimed: [], failed: ["cs_broken"] });
    expect(capped).toHaveLength(1);
    // The provider takes whole seconds.
    expect(capped[0]!.from.getTime() - asked[0]!.getTime()).toBeLessThan(1_000);
    expect(Date.now() - asked[0]!.getTime()).toBeLessThan(7 * DAY_MS + HOUR_MS);
    expect(Date.now() - capped[0]!.wanted.getTime()).toBeGreaterThan(30 * DAY_MS);
    expect(failed).toEqual(["cs_broken"]);

    const long = new Date(Date.now() - 90 * DAY_MS);
    await reconcile({ since: long });
    expect(long.getTime() - asked[1]!.getTime()).toBeLessThan(1_000);
    expect(capped).toHaveLength(1);

    sessions = [];
    unread = ["evt_101"];
    expect(await reconcile()).toMatchObject({ failed: ["evt_101"] });
    expect(capped).toHaveLength(2);

    unread = [];
    await reconcile();
    await reconcile();
    expect(capped).toHaveLength(3);
    expect(Date.now() - asked[4]!.getTime()).toBeLessThan(26 * HOUR_MS);
  });
});
