import { notFound } from "../../mixins/errors.ts";
import type { PaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { completeSession } from "./event-commands.ts";
import type { EventProcessor } from "./event-processor.ts";
import type { PaymentRecords } from "./payment-records.ts";
import type { WebhookInbox } from "./webhook-inbox.ts";

interface Deps {
  provider: PaymentProvider;
  inbox: WebhookInbox;
  processor: EventProcessor;
  payments: PaymentRecords;
}

const PAGE_SIZE = 100;

/** What order.reconcile asks for: the provider's completed sessions, and the order of one whose webhook was lost. */
export function reconciliation({ provider, inbox, processor, payments }: Deps) {
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
      const before = await payments.find(sessionId);
      // The way of a lost webhook from here on: stored first, resumed after a crash.
      const event = await inbox.receive(`reconcile:${sessionId}:${command.payment}`, "reconcile", command);
      if (event.state === "pending") await processor.process(event);
      const payment = await payments.find(sessionId);
      if (!payment) throw notFound(named.what, named.id);
      return { orderId: payment.orderId, created: before === null };
    },
  };
}

