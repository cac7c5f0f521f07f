import type { ServiceBroker, ServiceSchema } from "moleculer";
import { errorCode } from "../../mixins/errors.ts";
import { implement } from "../../broker/contract/implement.ts";
import { watchProvider } from "../../broker/metrics/providers.ts";
import { startPeriodic } from "../../broker/periodic.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { paymentAttempts } from "./attempts.ts";
import { checkoutClosing } from "./checkout-closing.ts";
import { checkoutRecords } from "./checkout-records.ts";
import { checkoutSessions } from "./checkout.ts";
import type { WebhookEvent } from "./collections.ts";
import { completionPorts } from "./completion-ports.ts";
import { paymentContract } from "./contract.ts";
import { userErasure } from "./erasure.ts";
import { eventProcessor } from "./event-processor.ts";
import { keyedRequests } from "./keyed-requests.ts";
import { paymentIntents } from "./payment-intents.ts";
import { paymentRecords } from "./payment-records.ts";
import { LostPurchase } from "./provider-intents.ts";
import { reconciliation } from "./reconciliation.ts";
import { refunds } from "./refunds.ts";
import { webhookInbox } from "./webhook-inbox.ts";
import { webhookReceiver } from "./webhooks.ts";

const SWEEP_EVERY_MS = 2_000;

export default function paymentService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels } = serviceRuntimeOf(broker);
  const logger = broker.getLogger("payment");
  const onError = ({ _id, type, tries }: WebhookEvent, error: unknown): void => {
    const level = error instanceof LostPurchase ? "error" : "warn";
    logger[level](`The effect of event ${_id} (${type}) is not complete, it is tried again`, {
      tries,
      code: errorCode(error),
      error,
    });
  };

  const provider = createPaymentProvider(settings.payment, watchProvider(broker, "payment"));
  const attempts = paymentAttempts(documents);
  const keyed = keyedRequests(attempts);
  const checkouts = checkoutRecords(documents);
  const payments = paymentRecords(documents);
  const closing = checkoutClosing(provider, checkouts, payments);
  const inbox = webhookInbox(documents);
  const ports = completionPorts({ broker, documents, channels, provider, checkouts, closing, payments });
  const processor = eventProcessor({ broker, inbox, checkouts, ports, closing, onError });
  const checkout = checkoutSessions({
    settings,
    provider,
    attempts,
    keyed,
    records: checkouts,
    closing,
    payments,
    channels,
  });
  const intents = paymentIntents({ provider, attempts, keyed, checkouts, closing, payments, channels });
  const receiveWebhook = webhookReceiver({ provider, inbox, processor, onError });
  const { refund } = refunds({ provider, attempts, keyed });
  const onUnread = (eventId: string, error: unknown): void => {
    // The sweep tells of it once a day; reconciling meets it every few minutes.
    if (error instanceof LostPurchase) return;
    logger.error(`Event ${eventId}, which the provider lists, has no effect here yet`, {
      code: errorCode(error),
      error,
    });
  };
  const reconcile = reconciliation({ provider, inbox, processor, payments, onUnread });
  const erase = userErasure(documents);
  let sweep: { stop(): Promise<void> } | undefined;

  return implement(paymentContract, {
    actions: {
      createCheckoutSession: (ctx) => checkout.submit(ctx),
      createPaymentIntent: (ctx) => intents.create(ctx),
      verify: (ctx) => intents.verify(ctx),
      receiveWebhook: (ctx) => receiveWebhook(ctx.params.body, ctx.params.headers["stripe-signature"]),
      refund: (ctx) => refund(ctx.params),
      completedSessions: (ctx) => reconcile.completedSessions(ctx.params),
      completeSession: (ctx) => reconcile.completeSession(ctx.params.sessionId),
      receiveMissedOutcomes: (ctx) => reconcile.missedEvents(ctx.params),
    },
    channels: {
      "user.deleted": { group: "payment", handler: (event) => erase(String(event.payload.userId)) },
    },
    started() {
      sweep = startPeriodic(
        { name: "payment.webhook-sweep", everyMs: SWEEP_EVERY_MS, isNeeded: processor.isDue, run: processor.sweep },
        { documents, holder: broker.nodeID, onError: (task, error) => logger.warn(`${task} failed`, { error }) },
      );
    },
    stopped: () => sweep?.stop(),
  });
}
