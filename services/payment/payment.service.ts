import type { ServiceBroker, ServiceSchema } from "moleculer";
import { errorCode } from "../../mixins/errors.ts";
import { watchProvider } from "@partline/moleculer-kit";
import { auditWrites } from "../../broker/audit/audited.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { createAttempts } from "../../mixins/payment-provider/attempts.ts";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { createSignedTokens } from "../../mixins/http/signed-token.ts";
import { call, implement, type Events } from "../contracts.ts";
import { findEarlierErasureReason } from "../shared/earlier-erasure.ts";
import { createShippingRates } from "../shared/shipping-costs.ts";
import { waitFor } from "../shared/starting.ts";
import { giveUpIfRefused } from "../shared/unless-refused.ts";
import { createCheckoutClosing, createCheckoutRecords, createPaymentRecords } from "./records.ts";
import { createCheckoutSessions } from "./checkout.ts";
import type { WebhookEvent } from "./collections.ts";
import { createCompletion, recordTaxes } from "./completion.ts";
import { paymentContract } from "./contract.ts";
import { createErasure } from "./erasure.ts";
import { createEventProcessor, createWebhookInbox } from "./webhooks.ts";
import { createPaymentIntents } from "./payment-intents.ts";
import { createPriceWatch } from "./price-watch.ts";
import { LostPurchase } from "./purchase-at-provider.ts";
import { createReconciler } from "./reconciling.ts";
import { createShipping } from "./shipping.ts";

const RECONCILE_EVERY_MS = 10 * 60_000;
const PRICES_EVERY_MS = 60_000;
/** Age from which a missing webhook counts as lost. */
const ON_ITS_WAY_MS = 2 * 60_000;

export default function createPaymentService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels, tasks } = getServiceRuntime(broker);
  const logger = broker.getLogger("payment");
  const onError = ({ _id, type }: WebhookEvent, error: unknown): void => {
    const level = error instanceof LostPurchase ? "error" : "warn";
    const facts = { code: errorCode(error), error };
    logger[level](`The effect of event ${_id} (${type}) is not complete, it is tried again`, facts);
  };

  const provider = createPaymentProvider(settings.payment, watchProvider(broker, "payment"));
  const checkouts = createCheckoutRecords(documents);
  const payments = createPaymentRecords(documents);
  const closing = createCheckoutClosing(provider, checkouts, payments);
  const inbox = createWebhookInbox(documents);
  const { storeUrl: shop } = settings;
  const deps = { broker, documents, provider, shop, checkouts, closing, payments };
  const rates = createShippingRates(broker, settings);
  const completion = createCompletion({ ...deps, rates, logger });
  const erasure = createErasure(deps, tasks);
  const processor = createEventProcessor({ ...deps, inbox, completion, erasure, tasks, onError });
  const shipping = createShipping({ settings, tokens: createSignedTokens(documents), rates });
  const opening = { ...deps, settings, attempts: createAttempts(documents), shipping, channels };
  const checkout = createCheckoutSessions(opening);
  const intents = createPaymentIntents(opening);
  const reconcile = createReconciler({
    ...deps,
    inbox,
    processor,
    onError(what, id, error) {
      // Its task logs it once a day; reconciling would every few minutes.
      if (error instanceof LostPurchase) return;
      const missing =
        what === "session" ? "A completed session has no order" : "An event that the provider lists has no effect";
      logger.error({ [what]: id, err: error }, `${missing} here yet`);
    },
    onCapped(from, requestedFrom) {
      const hint = "for older sessions call payment.reconcile with `since`";
      logger.warn({ from, wanted: requestedFrom }, `Reconciling looks back seven days only; ${hint}`);
    },
  });
  const prices = createPriceWatch(deps);
  const waitForCatalog = waitFor(broker, "catalog");

  const onErased = async (orderId: string, reason: Events["order.erased"]["reason"] | undefined): Promise<void> => {
    if (reason !== undefined) await erasure.eraseOrder(orderId);
  };

  return implement(paymentContract, {
    actions: {
      createCheckoutSession: (ctx) => checkout.submit(ctx),
      quoteShipping: (ctx) => shipping.quote(ctx),
      createPaymentIntent: (ctx) => intents.create(ctx),
      verify: (ctx) => intents.verify(ctx),
      countOpen: async ({ params: { pickupPlace } }) => ({
        checkouts: (await checkouts.listOpen()).filter(({ purchase }) => purchase.pickupPlace === pickupPlace).length,
      }),
      ofUser: (ctx) => erasure.listHeld(ctx.params),
      receiveWebhook: (ctx) =>
        processor.receive(ctx.params.body, ctx.params.headers["stripe-signature"], (id) => auditWrites(ctx, { id })),
      reconcile: (ctx) => reconcile(ctx.params),
    },
    channels: {
      "user.deleted": { group: "payment", handler: (event) => erasure.eraseUser(event.payload.userId) },
      "order.erased": {
        group: "payment",
        handler: ({ payload: { orderId, reason } }) => onErased(orderId, reason),
      },
      "order.updated": {
        group: "payment",
        handler: (event) => onErased(event.payload.orderId, findEarlierErasureReason(event)),
      },
      "catalog.changed": { group: "payment", handler: (event) => prices.recheck(event.payload.vendor) },
    },
    tasks: {
      "payment.webhook": processor.handler,
      "payment.completed": {
        // The provider may be away for long; until they are closed, the others can be paid.
        maxRetries: Infinity,
        run: ({ paymentKey, cartId }) => closing.closeOthers(cartId, paymentKey),
      },
      "payment.taxes": {
        // Twelve hours in all.
        pauseMs: (failures) => Math.min(60 * 60_000, 1_000 * 2 ** failures),
        run: (payload) => recordTaxes(deps, payload),
        async gaveUp({ paymentKey }) {
          await call(broker, "order.setTaxes", { paymentKey });
        },
      },
      "payment.close": {
        // The provider may be away for long; until it is closed, it can be paid.
        maxRetries: Infinity,
        run: async ({ paymentKey }) => {
          const open = await checkouts.find(paymentKey);
          if (open?.status === "open") await closing.close(open);
        },
      },
      "payment.erasure": {
        maxRetries: Infinity,
        run: ({ sessionId }) => giveUpIfRefused(erasure.eraseCustomer(sessionId)),
      },
    },
    periodic: [
      // An import that was cut off has announced no change.
      {
        name: "payment.price-watch",
        everyMs: PRICES_EVERY_MS,
        run: () => waitForCatalog().then(() => prices.recheck()),
      },
      {
        name: "payment.reconcile",
        everyMs: RECONCILE_EVERY_MS,
        leaseMs: 300_000,
        async run() {
          const { created } = await reconcile({ until: new Date(Date.now() - ON_ITS_WAY_MS) });
          if (created.length > 0) logger.warn({ created }, "Orders were created for payments whose webhook was lost");
        },
      },
    ],
  });
}
