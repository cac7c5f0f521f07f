import type { CollectionDefinition, Document, DocumentStore } from "../../mixins/document-store/port.ts";
import type { OrderRepository } from "./repository.ts";

interface Period {
  since?: Date;
  /** What happened from then on is left to its webhooks. */
  until?: Date;
}

type Page = Period & { since: Date; cursor?: string };

/** The payment service's actions that reconciling needs. */
export interface ProviderPayments {
  completedSessions(page: Page): Promise<{ sessions: { sessionId: string }[]; cursor: string | null }>;
  completeSession(sessionId: string): Promise<{ orderId: string; created: boolean }>;
  receiveMissedOutcomes(page: Page): Promise<Reconciled & { cursor: string | null }>;
}

interface Mark extends Document {
  at: Date;
}

const MARKS: CollectionDefinition = { name: "order_marks", fields: { at: "date" } };
const MARK_ID = "reconciled";

/** A session lives a day at most, and the provider lists it by the time it was created. */
const SESSION_LIFE_MS = 25 * 60 * 60 * 1000;
/** Also of the first run. Far longer than the provider repeats a webhook (3 days). */
const LONGEST_LOOK_BACK_MS = 7 * 24 * 60 * 60 * 1000;

export interface Reconciled {
  checked: number;
  created: string[];
  failed: string[];
}

interface ReconcilerDeps {
  documents: DocumentStore;
  repository: OrderRepository;
  payments: ProviderPayments;
  onError: (sessionId: string, error: unknown) => void;
  /** A run by itself looked back to `from` only, although no run has been complete since `wanted`. */
  onCapped: (from: Date, wanted: Date) => void;
}

/**
 * From when on a run by itself looks: the last complete run and the longest life of a session before it, but no more than
 * seven days. While a session keeps failing no run is complete, and every run would otherwise read more than the one before.
 */
export function lookBack(lastComplete: Date | undefined, now: Date): { from: Date; wanted: Date } {
  const longest = new Date(now.getTime() - LONGEST_LOOK_BACK_MS);
  const wanted = lastComplete ? new Date(lastComplete.getTime() - SESSION_LIFE_MS) : longest;
  return { from: wanted < longest ? longest : wanted, wanted };
}

/**
 * Paid sessions and intents without an order, because their webhook never came, get one, and orders what else was told of
 * their payment and never came: a delayed payment's end, refunds, disputes. One that fails does not stop the others.
 */
export function createReconciler({
  documents,
  repository,
  payments,
  onError,
  onCapped,
}: ReconcilerDeps): (period?: Period) => Promise<Reconciled> {
  const marks = documents.collection<Mark>(MARKS);

  async function makeMissing(sessionId: string, report: Reconciled): Promise<void> {
    report.checked += 1;
    if (await repository.findByPayment({ paymentKey: sessionId, sessionId })) return;
    try {
      const { orderId, created } = await payments.completeSession(sessionId);
      if (created) report.created.push(orderId);
    } catch (error) {
      report.failed.push(sessionId);
      onError(sessionId, error);
    }
  }

  return async ({ since, until } = {}) => {
    const startedAt = new Date();
    const mark = await marks.findOne({ _id: MARK_ID });
    const { from, wanted } = since ? { from: since, wanted: since } : lookBack(mark?.at, startedAt);
    if (wanted < from) onCapped(from, wanted);
    const report: Reconciled = { checked: 0, created: [], failed: [] };
    await eachPage(async (cursor) => {
      const page = await payments.completedSessions({ since: from, until, cursor });
      for (const { sessionId } of page.sessions) await makeMissing(sessionId, report);
      return page;
    });
    await eachPage(async (cursor) => {
      const page = await payments.receiveMissedOutcomes({ since: from, until, cursor });
      report.checked += page.checked;
      report.created.push(...page.created);
      report.failed.push(...page.failed);
      return page;
    });
    if (since === undefined && report.failed.length === 0) {
      await marks.updateOne({ _id: MARK_ID }, { $set: { at: startedAt } }, { upsert: true });
    }
    return report;
  };
}

async function eachPage(read: (cursor?: string) => Promise<{ cursor: string | null }>): Promise<void> {
  let cursor: string | undefined;
  do cursor = (await read(cursor)).cursor ?? undefined;
  while (cursor !== undefined);
}
