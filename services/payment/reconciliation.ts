import { notFound } from "../../mixins/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { commandOf, completeSession, type CompleteCommand } from "./event-commands.ts";
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

/** How a payment ended that no completed session tells of: that of an intent, and of a session whose money was still on its way. */
const OUTCOMES = ["payment_intent.succeeded", "checkout.session.async_payment_succeeded", "checkout.session.async_payment_failed"];

/** What order.reconcile asks for: the provider's completed sessions, the order of one whose webhook was lost, and lost events. */
export function reconciliation({ provider, inbox, processor, payments, onUnread }: Deps) {
  /** The way of a lost webhook from here on: stored first, resumed after a crash. Null for a payment of something else. */
  async function complete(eventId: string, type: string, command: CompleteCommand): Promise<{ orderId: string; created: boolean } | null> {
    const before = await payments.find(command.paymentKey);
    const event = await inbox.receive(eventId, type, command);
    if (event.state === "pending") await processor.process(event);
    const payment = await payments.find(command.paymentKey);
    return payment && { orderId: payment.orderId, created: before === null };
  }

  return {
    async completedSessions(since: Date, cursor?: string): Promise<{ sessions: { sessionId: string }[]; cursor: string | null }> {
      const page = await provider.request((stripe) => stripe.checkout.sessions.list({
        status: "complete",
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: PAGE_SIZE,
        ...(cursor === undefined ? {} : { starting_after: cursor }),
      }));
      return {
        sessions: page.data.filter(({ mode }) => mode === "payment").map(({ id }) => ({ sessionId: id })),
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
    async missedOutcomes(since: Date, cursor?: string): Promise<{ checked: number; created: string[]; failed: string[]; cursor: string | null }> {
      const { data, has_more: more } = await provider.request((stripe) => stripe.events.list({
        types: OUTCOMES,
        created: { gte: Math.floor(since.getTime() / 1000) },
        limit: PAGE_SIZE,
        ...(cursor === undefined ? {} : { starting_after: cursor }),
      }));
      const received = await inbox.received(data.map(({ id }) => id));
      const created: string[] = [];
      const failed: string[] = [];
      for (const event of data.filter(({ id }) => !received.has(id))) {
        try {
          const command = commandOf(event);
          const completed = command?.kind === "complete" ? await complete(event.id, event.type, command) : null;
          if (completed?.created) created.push(completed.orderId);
        } catch (error) {
          failed.push(event.id);
          onUnread(event.id, error);
        }
      }
      return { checked: data.length, created, failed, cursor: more ? (data.at(-1)?.id ?? null) : null };
    },
  };
}

