import type { Stripe } from "stripe";
import type { Params, Result } from "@partline/api-contracts";
import type { CollectionDefinition, Document } from "@partline/durable";
import type { Actions } from "../contracts.ts";
import { toCommand, completeSession, EVENT_TYPES, type CompleteCommand } from "./event-commands.ts";
import type { EventProcessor, WebhookInbox } from "./webhooks.ts";
import type { PaymentParts, PaymentRecords } from "./records.ts";
import { isOfAnother, isOfShop } from "./provider-requests.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";

interface Deps extends Pick<PaymentParts, "documents" | "shop"> {
  provider: Pick<PaymentProvider, "request">;
  inbox: Pick<WebhookInbox, "receive" | "settled">;
  processor: Pick<EventProcessor, "process">;
  payments: Pick<PaymentRecords, "find" | "among">;
  onError: (what: "session" | "event", id: string, error: unknown) => void;
  /** A periodic run looked back to `from` only, although no run has been complete since `wanted`. */
  onCapped: (from: Date, requestedFrom: Date) => void;
}

type Reconciled = Result<Actions["payment.reconcile"]>;

interface Mark extends Document {
  at: Date;
}

const MARKS: CollectionDefinition = { name: "payment_marks", fields: { at: "date" } };
const MARK_ID = "reconciled";

const PAGE_SIZE = 100;
/** A session lives a day at most; the provider lists it by the time it was created. */
const SESSION_LIFE_MS = 25 * 60 * 60 * 1000;
/** Far longer than the provider repeats a webhook (3 days). */
const LONGEST_LOOK_BACK_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * A periodic run begins a session's life before the last complete run, at most seven days ago: while a session keeps
 * failing no run is complete, and each would read more than the last.
 */
export function lookBack(lastComplete: Date | undefined, now: Date): { from: Date; wanted: Date } {
  const longest = new Date(now.getTime() - LONGEST_LOOK_BACK_MS);
  const requestedFrom = lastComplete ? new Date(lastComplete.getTime() - SESSION_LIFE_MS) : longest;
  return { from: requestedFrom < longest ? longest : requestedFrom, wanted: requestedFrom };
}

/**
 * Makes up for lost webhooks: paid sessions and intents get their order, and orders the end of a delayed payment,
 * refunds and disputes. One that fails does not stop the others.
 */
export function createReconciler(deps: Deps): (period?: Params<Actions["payment.reconcile"]>) => Promise<Reconciled> {
  const { documents, provider, shop, inbox, processor, payments, onError, onCapped } = deps;
  const marks = documents.collection<Mark>(MARKS);

  /** Stores a lost webhook first, like a received one. @returns the order that it made */
  async function complete(eventId: string, type: string, command: CompleteCommand): Promise<string | undefined> {
    const stored = await payments.find(command.paymentKey);
    const event = await inbox.receive(eventId, type, command);
    if (event.state === "pending") await processor.process(event);
    return stored ? undefined : (await payments.find(command.paymentKey))?.orderId;
  }

  async function receive(event: Stripe.Event): Promise<string | undefined> {
    const { id, type } = event;
    const command = toCommand(event);
    if (command?.kind === "complete") return complete(id, type, command);
    const stored = command && (await inbox.receive(id, type, command));
    if (stored?.state === "pending") await processor.process(stored);
    return undefined;
  }

  async function completeListed(session: Stripe.Checkout.Session): Promise<string | undefined> {
    const command = completeSession(session)!;
    return complete(`reconcile:${session.id}:${command.payment}`, "reconcile", command);
  }

  /** Lists sessions that were completed since, by their events: a session does not say when it was. */
  async function completedSince(since: Date): Promise<Set<string>> {
    return provider.request(async (stripe) => {
      const query = { type: "checkout.session.completed", created: { gte: seconds(since) }, limit: PAGE_SIZE };
      const sessions = new Set<string>();
      for await (const { data } of stripe.events.list(query)) sessions.add((data.object as { id: string }).id);
      return sessions;
    });
  }

  async function takeUp<T extends { id: string }>(
    what: "session" | "event",
    missed: readonly T[],
    work: (item: T) => Promise<string | undefined>,
    report: Reconciled,
  ): Promise<void> {
    for (const item of missed) {
      try {
        const orderId = await work(item);
        if (orderId !== undefined) report.created.push(orderId);
      } catch (error) {
        report.failed.push(item.id);
        onError(what, item.id, error);
      }
    }
  }

  async function reconcileSessions(since: Date, until: Date | undefined, report: Reconciled): Promise<void> {
    const fresh = until ? await completedSince(until) : undefined;
    await eachPage(async (cursor) => {
      const page = await provider.request((stripe) =>
        stripe.checkout.sessions.list({ status: "complete", created: { gte: seconds(since) }, ...paging(cursor) }),
      );
      const paid = page.data.filter(({ mode, id }) => mode === "payment" && !fresh?.has(id));
      const ours = paid.filter(({ metadata }) => isOfShop(metadata, shop));
      const stored = await payments.among(ours.map(({ id }) => id));
      report.checked += ours.length;
      const missed = ours.filter(({ id }) => !stored.has(id));
      await takeUp("session", missed, completeListed, report);
      const nobodys = paid.filter(
        ({ metadata, payment_status: status }) => status !== "unpaid" && !isOfAnother(metadata, shop),
      );
      const claimed = await payments.among(nobodys.map(({ id }) => id));
      const left = nobodys.filter(({ id }) => !claimed.has(id) && !report.failed.includes(id));
      report.unclaimed.push(...left.map(({ id }) => id));
      return page;
    });
  }

  /** Stores events under their own ids, so that a late webhook changes nothing. */
  async function reconcileEvents(since: Date, until: Date | undefined, report: Reconciled): Promise<void> {
    const created = { gte: seconds(since), ...(until ? { lt: seconds(until) } : {}) };
    await eachPage(async (cursor) => {
      const page = await provider.request((stripe) =>
        stripe.events.list({ types: EVENT_TYPES, created, ...paging(cursor) }),
      );
      const settled = await inbox.settled(page.data.map(({ id }) => id));
      report.checked += page.data.length;
      const missed = page.data.filter(({ id }) => !settled.has(id));
      await takeUp("event", missed, receive, report);
      return page;
    });
  }

  return async ({ since, until } = {}) => {
    const startedAt = new Date();
    const mark = await marks.findOne({ _id: MARK_ID });
    const { from, wanted } = since ? { from: since, wanted: since } : lookBack(mark?.at, startedAt);
    if (wanted < from) onCapped(from, wanted);
    const report: Reconciled = { checked: 0, created: [], unclaimed: [], failed: [] };
    await reconcileSessions(from, until, report);
    await reconcileEvents(from, until, report);
    if (since === undefined && report.failed.length === 0)
      await marks.updateOne({ _id: MARK_ID }, { $set: { at: startedAt } }, { upsert: true });
    return report;
  };
}

function paging(cursor: string | undefined): { limit: number; starting_after?: string } {
  return { limit: PAGE_SIZE, ...(cursor === undefined ? {} : { starting_after: cursor }) };
}

async function eachPage(
  readBatch: (cursor?: string) => Promise<{ data: readonly { id: string }[]; has_more: boolean }>,
): Promise<void> {
  let cursor: string | undefined;
  do {
    const { data, has_more: more } = await readBatch(cursor);
    cursor = more ? data.at(-1)?.id : undefined;
  } while (cursor !== undefined);
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
