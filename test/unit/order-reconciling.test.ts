import { afterEach, beforeEach, describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { openDocumentStore } from "../../mixins/document-store/open.ts";
import type { DocumentStore } from "../../mixins/document-store/port.ts";
import { createReconciler, lookBack } from "../../services/order/reconciling.ts";
import { createOrderRepository } from "../../services/order/repository.ts";
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
    const marks = documents.collection<{ _id: string; at: Date }>({ name: "order_marks", fields: { at: "date" } });
    await marks.insertOne({ _id: "reconciled", at: new Date(Date.now() - 30 * DAY_MS) });
    const asked: Date[] = [];
    const capped: { from: Date; wanted: Date }[] = [];
    const failed: string[] = [];
    let sessions = [{ sessionId: "cs_broken" }];
    let unread: string[] = [];
    const reconcile = createReconciler({
      documents,
      repository: createOrderRepository(documents, { wake: () => undefined }),
      payments: {
        completedSessions: ({ since }) => {
          asked.push(since);
          return Promise.resolve({ sessions, cursor: null });
        },
        completeSession: () => Promise.reject(new Error("no such price")),
        receiveMissedOutcomes: ({ cursor }) =>
          Promise.resolve(
            cursor === undefined
              ? { checked: 100, created: ["ord_1"], failed: [], cursor: "evt_100" }
              : { checked: 1, created: [], failed: unread, cursor: null },
          ),
      },
      onError: (sessionId) => failed.push(sessionId),
      onCapped: (from, wanted) => capped.push({ from, wanted }),
    });

    expect(await reconcile()).toEqual({ checked: 102, created: ["ord_1"], failed: ["cs_broken"] });
    expect(capped).toHaveLength(1);
    expect(capped[0]!.from).toEqual(asked[0]);
    expect(Date.now() - asked[0]!.getTime()).toBeLessThan(7 * DAY_MS + HOUR_MS);
    expect(Date.now() - capped[0]!.wanted.getTime()).toBeGreaterThan(30 * DAY_MS);
    expect(failed).toEqual(["cs_broken"]);

    const long = new Date(Date.now() - 90 * DAY_MS);
    await reconcile({ since: long });
    expect(asked[1]).toEqual(long);
    expect(capped).toHaveLength(1);

    sessions = [];
    unread = ["evt_broken"];
    expect(await reconcile()).toMatchObject({ failed: ["evt_broken"] });
    expect(capped).toHaveLength(2);

    unread = [];
    await reconcile();
    await reconcile();
    expect(capped).toHaveLength(3);
    expect(Date.now() - asked[4]!.getTime()).toBeLessThan(26 * HOUR_MS);
  });
});
