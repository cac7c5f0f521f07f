import type { Stripe } from "stripe";
import { notFound } from "../../mixins/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { commandOf, completeSession, EVENT_TYPES, type CompleteCommand } from "./event-commands.ts";
import type { EventProcessor } from "./event-processor.ts";
import type { PaymentRecords } from "./payment-records.ts";
import type { WebhookInbox } from "./webhook-inbox.ts";

interface Deps {
  provider: PaymentProvider;
  inbox: WebhookInbox;
  processor: EventProcessor;
  payments: PaymentRecords;
  onUnread: (eventId: string, error: unknown) => void;
}

const PAGE_SIZE = 100;

interface Page {
  since: Date;
  /** What happened later is left alone: its webhook may be on its way. */
  until?: Date;
  cursor?: string;
}

/** What order.reconcile asks for: the provider's completed sessions, the order of one whose webhook was lost, and lost events. */
export function reconciliation({ provider, inbox, processor, payments, onUnread }: Deps) {
  /** The way of a lost webhook from here on: stored first, resumed after a crash. Null for a payment of something else. */
  async function complete(
    eventId: string,
    type: string,
    command: CompleteCommand,
  ): Promise<{ orderId: string; created: boolean } | null> {
    const before = await payments.find(command.paymentKey);
    const event = await inbox.receive(eventId, type, command);
    if (event.state === "pending") await processor.process(event);
    const payment = await payments.find(command.paymentKey);
    return payment && { orderId: payment.orderId, created: before === null };
  }

  /** Takes up an event that no webhook has brought to its end. @returns the order that it made */
  async function receive(event: Stripe.Event): Promise<string | undefined> {
    const command = commandOf(event);
    if (command?.kind === "complete") {
      const completed = await complete(event.id, event.type, command);
      return completed?.created ? completed.orderId : undefined;
    }
    const stored = command && (await inbox.receive(event.id, event.type, command));
    if (stored?.state === "pending") await processor.process(stored);
    return undefined;
  }

  /** Sessions that are known to be completed since: a session does not tell when it was. */
  async function completedSince(since: Date): Promise<Set<string>> {
    return provider.request(async (stripe) => {
      const sessions = new Set<string>();
      for await (const { data } of stripe.events.list({
        type: "checkout.session.completed",
        created: { gte: seconds(since) },
        limit: PAGE_SIZE,
      })) {
        sessions.add((data.object as Stripe.Checkout.Session).id);
      }
      return sessions;
    });
  }

  return {
    async completedSessions({
      since,
      until,
      cursor,
    }: Page): Promise<{ sessions: { sessionId: string }[]; cursor: string | null }> {
      const fresh = until ? await completedSince(until) : undefined;
      const page = await provider.request((stripe) =>
        stripe.checkout.sessions.list({
          status: "complete",
          created: { gte: seconds(since) },
          limit: PAGE_SIZE,
          ...(cursor === undefined ? {} : { starting_after: cursor }),
        }),
      );
      return {
        sessions: page.data
          .filter(({ mode, id }) => mode === "payment" && !fresh?.has(id))
          .map(({ id }) => ({ sessionId: id })),
        cursor: page.has_more ? (page.data.at(-1)?.id ?? null) : null,
      };
    },

    /** @throws NOT_FOUND when the provider has no such completed session */
    async completeSession(sessionId: string): Promise<{ orderId: string; created: boolean }> {
      const named = { what: "Completed checkout session", id: sessionId };
      const session = await provider.request((stripe) => stripe.checkout.sessions.retrieve(sessionId), named);
      const command = session.status === "complete" ? completeSession(session) : null;
      if (!command) throw notFound(named.what, named.id);
      const completed = await complete(`reconcile:${sessionId}:${command.payment}`, "reconcile", command);
      if (!completed) throw notFound(named.what, named.id);
      return completed;
    },

    /** Under the events' own ids, so that a webhook that comes all the same changes nothing. One that fails does not stop the others. */
    async missedEvents({
      since,
      until,
      cursor,
    }: Page): Promise<{ checked: number; created: string[]; failed: string[]; cursor: string | null }> {
      const { data, has_more: more } = await provider.request((stripe) =>
        stripe.events.list({
          types: EVENT_TYPES,
          created: { gte: seconds(since), ...(until ? { lt: seconds(until) } : {}) },
          limit: PAGE_SIZE,
          ...(cursor === undefined ? {} : { starting_after: cursor }),
        }),
      );
      const settled = await inbox.settled(data.map(({ id }) => id));
      const created: string[] = [];
      const failed: string[] = [];
      for (const event of data.filter(({ id }) => !settled.has(id))) {
        try {
          const orderId = await receive(event);
          if (orderId !== undefined) created.push(orderId);
        } catch (error) {
          failed.push(event.id);
          onUnread(event.id, error);
        }
      }
      return { checked: data.length, created, failed, cursor: more ? (data.at(-1)?.id ?? null) : null };
    },
  };
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
