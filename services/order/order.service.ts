import type { ServiceBroker, ServiceSchema } from "moleculer";
import { ulid } from "ulid";
import { STORE_CURRENCY } from "../../broker/contract/common.ts";
import type { CallOrigin } from "../../broker/contract/call.ts";
import { actorOf, callerOf } from "../../broker/contract/context.ts";
import { implement } from "../../broker/contract/implement.ts";
import { createdWithin } from "../../broker/contract/period.ts";
import { notFound } from "../../mixins/errors.ts";
import { startPeriodic } from "../../broker/periodic.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { toMinorUnits } from "../../mixins/money.ts";
import { createSequences } from "../../mixins/sequence.ts";
import { call } from "../contracts.ts";
import { assertKnown, assertMaySetAdminFields, assertMayUse } from "./access.ts";
import { orderContract } from "./contract.ts";
import { createOrderMaker } from "./creation.ts";
import { createErasure } from "./erasure.ts";
import { historyOf } from "./history.ts";
import { createOrderListing } from "./listing.ts";
import { applyPaymentChange } from "./payment-change.ts";
import type { RefundAtProvider } from "./provider-refund.ts";
import { createReconciler } from "./reconciling.ts";
import { findRefund } from "./refund-ledger.ts";
import { createRefundDesk } from "./refund-desk.ts";
import { createOrderRepository } from "./repository.ts";
import { statsOf } from "./stats.ts";
import { assertNoTracking, isCancellation, update } from "./updating.ts";
import { adminView, cancellationRefund, lookupView, ownerView, placedView, refundView } from "./views.ts";

const SWEEP_MS = 3_000;
const RECONCILE_MS = 10 * 60_000;
/** A webhook that has not come for so long is lost, or late. */
const ON_ITS_WAY_MS = 2 * 60_000;

export default function orderService(broker: ServiceBroker): ServiceSchema {
  const { documents, channels } = serviceRuntimeOf(broker);
  const logger = broker.getLogger("order");
  const repository = createOrderRepository(documents, channels);
  const erasure = createErasure(documents, repository);
  const make = createOrderMaker({ repository, sequences: createSequences(documents), erasure });
  const list = createOrderListing(documents);
  const desk = createRefundDesk({
    repository,
    onError: (orderId, error) =>
      logger.error(
        { orderId, err: error },
        "A refund did not go through; where money of a cancelled order is due, it is tried again",
      ),
  });
  const reconcile = createReconciler({
    documents,
    repository,
    payments: {
      completedSessions: (page) => call(broker, "payment.completedSessions", page),
      completeSession: (sessionId) => call(broker, "payment.completeSession", { sessionId }),
      receiveMissedOutcomes: (page) => call(broker, "payment.receiveMissedOutcomes", page),
    },
    onError: (sessionId, error) => logger.error({ sessionId, err: error }, "A completed session has no order yet"),
    onCapped: (from, wanted) =>
      logger.warn(
        { from, wanted },
        "Reconciling looks back seven days only; for older sessions call order.reconcile with `since`",
      ),
  });
  const provider =
    (from: CallOrigin): RefundAtProvider =>
    (refund) =>
      call(from, "payment.refund", refund);
  const periodic: { stop(): Promise<void> }[] = [];

  async function lookup(refs: { sessionId?: string; paymentIntentId?: string }) {
    const order = await repository.findByPayment(refs);
    if (!order) throw notFound("Order");
    return lookupView(order);
  }

  return implement(orderContract, {
    actions: {
      bySession: (ctx) => lookup({ sessionId: ctx.params.sessionId }),
      byPayment: (ctx) => lookup({ paymentIntentId: ctx.params.paymentIntentId }),
      async get(ctx) {
        const order = await repository.get(ctx.params.orderId);
        assertMayUse(callerOf(ctx), order.userId);
        return ownerView(order);
      },
      async listForUser(ctx) {
        assertMayUse(callerOf(ctx), ctx.params.userId);
        const { orders, pagination } = await list(ctx.params, ctx.params.userId);
        return { orders: orders.map(ownerView), pagination };
      },
      async cancel(ctx) {
        const { orderId, reason, adminNote, forceCancel } = ctx.params;
        const caller = callerOf(ctx);
        assertKnown(caller);
        assertMayUse(caller, (await repository.get(orderId)).userId);
        assertMaySetAdminFields(caller, ctx.params);
        const order = await desk.cancel(
          orderId,
          { reason, adminNote, force: forceCancel, actor: actorOf(caller) },
          provider(ctx),
        );
        return { ...ownerView(order), refund: cancellationRefund(order) };
      },

      async adminList(ctx) {
        const { orders, pagination } = await list(ctx.params);
        return { orders: orders.map(adminView), pagination };
      },
      async adminStats(ctx) {
        const createdAt = createdWithin(ctx.params);
        return statsOf(repository.orders.iterate(createdAt ? { createdAt } : {}));
      },
      adminGet: async (ctx) => adminView(await repository.get(ctx.params.orderId)),
      async adminUpdate(ctx) {
        const { orderId, ...patch } = ctx.params;
        const actor = actorOf(callerOf(ctx));
        if (isCancellation(await repository.get(orderId), patch)) {
          assertNoTracking(patch);
          const { adminNote, version } = patch;
          const order = await desk.cancel(
            orderId,
            { reason: "requested_by_customer", adminNote, version, force: false, actor },
            provider(ctx),
          );
          return { ...adminView(order), refund: cancellationRefund(order) };
        }
        return adminView(await repository.change(orderId, (order) => update(order, patch, actor)));
      },
      async adminRefund(ctx) {
        const { orderId, amount, items, reason } = ctx.params;
        const { currency } = await repository.get(orderId);
        const wanted = {
          amount: amount === undefined ? undefined : toMinorUnits(amount, currency),
          items,
          reason,
          actor: actorOf(callerOf(ctx)),
        };
        const { order, refundId } = await desk.refund(orderId, wanted, provider(ctx));
        return { ...adminView(order), refund: refundView(order, findRefund(order, refundId)!) };
      },
      async adminHistory(ctx) {
        const { _id } = await repository.get(ctx.params.orderId);
        return { events: await historyOf(_id, (params) => call(ctx, "eventstore.readStream", params)) };
      },

      async createFromPayment(ctx) {
        const { order, created } = await make(ctx.params);
        if (created && order.currency !== STORE_CURRENCY) {
          logger.error(
            { orderId: order._id, currency: order.currency },
            "An order was paid in a currency that the store does not sell in; statistics count it apart",
          );
        }
        return { orderId: order._id, orderNumber: order.orderNumber, created, order: placedView(order) };
      },
      async applyPayment(ctx) {
        const { change, actor, ...refs } = ctx.params;
        const known = await repository.findByPayment(refs);
        if (!known) return { orderId: null, changed: false };
        const facts = { actor, paymentIntentId: refs.paymentIntentId, now: new Date(), newRefundId: `ref_${ulid()}` };
        // Several messages may tell of the same at one time: only one of them changes anything.
        let before = known;
        const order = await repository.change(known._id, (current) => {
          before = current;
          return applyPaymentChange(current, change, facts);
        });
        if (change.kind === "refund" && (order.refundDue ?? 0) > (before.refundDue ?? 0)) {
          logger.error(
            { orderId: order._id, refundDue: order.refundDue },
            "A refund of a cancelled order failed at the payment provider; its money is due again",
          );
        }
        return { orderId: order._id, changed: order.version > before.version };
      },
      async findByPayment(ctx) {
        const order = await repository.findByPayment(ctx.params);
        if (!order) return { order: null };
        const { _id, orderNumber, userId, status, paymentStatus } = order;
        return { order: { orderId: _id, orderNumber, userId, status, paymentStatus, placed: placedView(order) } };
      },
      reconcile: (ctx) => reconcile(ctx.params),
    },
    channels: {
      "user.deleted": {
        group: "order",
        handler: ({ payload }) => erasure.erase((payload as { userId: string }).userId),
      },
    },
    started() {
      const deps = {
        documents,
        holder: broker.nodeID,
        onError: (task: string, error: unknown) => logger.error({ task, err: error }, "A periodic task failed"),
      };
      // The embedded store has one process, so what is unfinished at its start was left by one that died.
      const leftBefore = documents.backend === "embedded" ? new Date() : undefined;
      const settle = (): Promise<void> => desk.resume(provider(broker), { leftBefore });
      const reconcileAll = async (): Promise<void> => {
        const { created } = await reconcile({ until: new Date(Date.now() - ON_ITS_WAY_MS) });
        if (created.length > 0) logger.warn({ created }, "Orders were made whose webhook was lost");
      };
      periodic.push(
        startPeriodic(
          { name: "order.settle", everyMs: SWEEP_MS, isNeeded: () => desk.isLeft({ leftBefore }), run: settle },
          deps,
        ),
        startPeriodic({ name: "order.reconcile", everyMs: RECONCILE_MS, leaseMs: 300_000, run: reconcileAll }, deps),
      );
    },
    async stopped() {
      await Promise.all(periodic.map((task) => task.stop()));
    },
  });
}
