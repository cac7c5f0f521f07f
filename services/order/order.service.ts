import type { ServiceBroker, ServiceSchema } from "moleculer";
import { ulid } from "ulid";
import { STORE_CURRENCY } from "../../broker/contract/common.ts";
import { actorOf, type CallContext, callerOf, newIdIn } from "../../broker/contract/context.ts";
import type { Params } from "../../broker/contract/define.ts";
import type { FileAnswer } from "../../broker/contract/file.ts";
import { withoutPersonal } from "../../broker/contract/personal.ts";
import { placedOrderRule } from "../../broker/contract/placed-order.ts";
import { createdWithin } from "../../broker/contract/period.ts";
import { notFound } from "../../mixins/errors.ts";
import { watchProvider } from "../../broker/metrics/providers.ts";
import { serviceRuntimeOf } from "../../broker/runtime.ts";
import { toMinorUnits } from "../../mixins/money.ts";
import { createAttempts } from "../../mixins/payment-provider/attempts.ts";
import { createPaymentProvider } from "../../mixins/payment-provider/payment-provider.ts";
import { createSignedTokens, ORDER_LINK } from "../../mixins/signed-token.ts";
import { createSequences } from "../../mixins/sequence.ts";
import { call, implement } from "../contracts.ts";
import { createOrderExport } from "./exporting.ts";
import {
  assertKnown,
  assertMayRefund,
  assertMaySetAdminFields,
  assertMayUse,
  assertNoTracking,
  isCancellation,
  update,
} from "./updating.ts";
import { orderContract } from "./contract.ts";
import { announced, createOrderMaker } from "./creation.ts";
import { createErasure } from "./erasure.ts";
import { setAddress } from "./addressing.ts";
import type { OrderDocument } from "./collections.ts";
import { createDeriving } from "./deriving.ts";
import { createOrderListing, historyOf } from "./listing.ts";
import { addNote, removeNote } from "./notes.ts";
import { assertDeliverable, correctShipment, delay, expectReturn, ship } from "./lines/moves.ts";
import type { CancelRequest, RefundRequest } from "./refunds/decisions.ts";
import { drawPaper, pdfAnswer } from "./papers/paper.ts";
import { invoice, packingSlip } from "./papers/papers.ts";
import { applyPaymentChange } from "./payment-change.ts";
import { createProviderRefunds } from "./refunds/provider.ts";
import { findRefund } from "./refunds/ledger.ts";
import { createRefundProcess } from "./refunds/process.ts";
import { type Change, createOrderRepository } from "./repository.ts";
import { statsOf } from "./stats.ts";
import { adminView, cancellationRefund, exportView, lookupView, ownerView, placedView, refundView } from "./views.ts";

type Actions = (typeof orderContract)["actions"];

type Decide = (order: OrderDocument) => Change | undefined;

/** Decides unless the request made it before its process died. */
const unless = (isMade: (order: OrderDocument) => boolean, decide: Decide): Decide => {
  return (order) => (isMade(order) ? undefined : decide(order));
};

const factsIn = (ctx: CallContext<object>) => ({ actor: actorOf(callerOf(ctx)), now: new Date() });

/** Who has the link of a mail acts as the buyer. */
const byGuest = { actor: "link", force: false } as const;

const SWEEP_MS = 3_000;
/** Only an upgrade leaves something to derive. */
const DERIVE_MS = 60_000;

export default function orderService(broker: ServiceBroker): ServiceSchema {
  const { settings, documents, channels } = serviceRuntimeOf(broker);
  const { shipTo, isEnforced } = settings.shipping;
  const ofBuyer = { shipTo: isEnforced ? shipTo : undefined };
  const logger = broker.getLogger("order");
  const repository = createOrderRepository(documents, channels);
  const tokens = createSignedTokens(documents);
  const erasure = createErasure(documents, repository);
  const make = createOrderMaker({ repository, sequences: createSequences(documents), erasure });
  const list = createOrderListing(documents);
  const exported = createOrderExport(documents);
  const provider = createPaymentProvider(settings.payment, watchProvider(broker, "payment"));
  const refunds = createRefundProcess({
    repository,
    attemptRefund: createProviderRefunds({ provider, attempts: createAttempts(documents) }),
    onError: (orderId, error) =>
      logger.error({ orderId, err: error }, "A refund did not go through; where its money is due, it is tried again"),
  });
  // The embedded store has one process: what is unfinished at its start was left by one that died.
  const leftBefore = documents.backend === "embedded" ? new Date() : undefined;

  async function lookup(refs: { sessionId?: string; paymentIntentId?: string }) {
    const order = await repository.findByPayment(refs);
    if (!order) throw notFound("Order");
    return lookupView(order);
  }

  /** Who asked for the order knows its person. */
  const placed = (order: OrderDocument) => withoutPersonal(placedOrderRule.props, placedView(order));

  const changed = async (orderId: string, decide: Decide) => adminView(await repository.change(orderId, decide));

  /** @throws NOT_FOUND for a link that is forged or too old */
  async function linked({ token }: { token: string }): Promise<string> {
    const claims = await tokens.verify(ORDER_LINK, token);
    if (typeof claims === "string" || typeof claims.orderId !== "string") throw notFound("Order");
    return claims.orderId;
  }

  async function cancelled(orderId: string, request: CancelRequest) {
    const order = await refunds.cancel(orderId, request);
    return { ...ownerView(order), refund: cancellationRefund(order) };
  }

  async function refunded(ctx: CallContext<{ orderId: string }>, wanted: Omit<RefundRequest, "actor">) {
    const { order, refundId } = await refunds.refund(
      ctx.params.orderId,
      { ...wanted, actor: actorOf(callerOf(ctx)) },
      ctx.meta.runId,
    );
    return { ...adminView(order), refund: refundView(order, findRefund(order, refundId)!) };
  }

  async function paperOf({ orderId, file }: Params<Actions["invoice"]>, make: typeof invoice): Promise<FileAnswer> {
    const order = await repository.get(orderId);
    return pdfAnswer(file, await drawPaper(make(order, settings.shop)));
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
        const { found, pagination } = await list.pages(ctx.params, ctx.params.userId);
        return { orders: found.map(ownerView), pagination };
      },
      async exportForUser(ctx) {
        assertMayUse(callerOf(ctx), ctx.params.userId);
        const { found, pagination } = await list.pages({ ...ctx.params, sort: "newest" }, ctx.params.userId);
        return { orders: found.map(exportView), pagination };
      },
      async cancel(ctx) {
        const { orderId, reason, adminNote, forceCancel } = ctx.params;
        const caller = callerOf(ctx);
        assertKnown(caller);
        assertMayUse(caller, (await repository.get(orderId)).userId);
        assertMaySetAdminFields(caller, ctx.params);
        return cancelled(orderId, { reason, adminNote, force: forceCancel, actor: actorOf(caller) });
      },

      async adminList(ctx) {
        const { found, pagination } = await list.pages(ctx.params);
        return { orders: found.map(adminView), pagination };
      },
      async adminSearch(ctx) {
        const { orders, ...next } = await list.from(ctx.params);
        return { orders: orders.map(adminView), ...next };
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
          assertMayRefund(callerOf(ctx));
          assertNoTracking(patch);
          const { adminNote, version } = patch;
          const request = { reason: "requested_by_customer", adminNote, version, force: false, actor } as const;
          const order = await refunds.cancel(orderId, request);
          return { ...adminView(order), refund: cancellationRefund(order) };
        }
        return changed(orderId, (order) =>
          update(order, patch, actor, { now: new Date(), shipmentId: `shp_${ulid()}` }),
        );
      },
      async adminShip(ctx) {
        const { orderId, tracking: trackingNumber, ...shipment } = ctx.params;
        const facts = { ...factsIn(ctx), shipmentId: `shp_${newIdIn(ctx)}` };
        const isMade = ({ shipments = [] }: OrderDocument) =>
          shipments.some(({ shipmentId }) => shipmentId === facts.shipmentId);
        const made = (order: OrderDocument) => {
          assertDeliverable(order);
          return ship(order, { trackingNumber, ...shipment }, facts);
        };
        return changed(orderId, unless(isMade, made));
      },
      async adminCorrectShipment(ctx) {
        const { orderId, ...correction } = ctx.params;
        return changed(orderId, (order) => correctShipment(order, correction, actorOf(callerOf(ctx))));
      },
      async adminDelay(ctx) {
        const { orderId, ...told } = ctx.params;
        return changed(orderId, (order) => delay(order, told, factsIn(ctx)));
      },
      async adminNote(ctx) {
        const { orderId, text } = ctx.params;
        const facts = { ...factsIn(ctx), noteId: `note_${newIdIn(ctx)}` };
        const isMade = ({ notes = [] }: OrderDocument) => notes.some(({ noteId }) => noteId === facts.noteId);
        return changed(
          orderId,
          unless(isMade, (order) => addNote(order, text, facts)),
        );
      },
      async adminRemoveNote(ctx) {
        const { orderId, noteId } = ctx.params;
        return changed(orderId, (order) => removeNote(order, noteId, actorOf(callerOf(ctx))));
      },
      async adminReturn(ctx) {
        const { orderId, restockingFee, ...expected } = ctx.params;
        const facts = { ...factsIn(ctx), returnId: `ret_${newIdIn(ctx)}` };
        const isMade = ({ returns = [] }: OrderDocument) => returns.some(({ returnId }) => returnId === facts.returnId);
        const made = (order: OrderDocument) =>
          expectReturn(order, { ...expected, restockingFee: toMinorUnits(restockingFee, order.currency) }, facts);
        return changed(orderId, unless(isMade, made));
      },
      adminReceiveReturn: (ctx) => refunded(ctx, { returnId: ctx.params.returnId, reason: "requested_by_customer" }),
      adminCancelLines: (ctx) => refunded(ctx, { items: ctx.params.lines, cancels: true, reason: ctx.params.reason }),
      async setShippingAddress(ctx) {
        const { orderId, shippingAddress } = ctx.params;
        const caller = callerOf(ctx);
        assertKnown(caller);
        assertMayUse(caller, (await repository.get(orderId)).userId);
        const by = caller.admin ? undefined : ofBuyer;
        const set = (order: OrderDocument) => setAddress(order, shippingAddress, actorOf(caller), by);
        return ownerView(await repository.change(orderId, set));
      },
      guestExport: async (ctx) => exportView(await erasure.guestOrder(ctx.params)),
      guestErase: (ctx) => erasure.eraseGuest(ctx.params),
      async adminRefund(ctx) {
        const { orderId, amount, items, reason } = ctx.params;
        const { currency } = await repository.get(orderId);
        return refunded(ctx, {
          amount: amount === undefined ? undefined : toMinorUnits(amount, currency),
          items,
          reason,
        });
      },
      async adminHistory(ctx) {
        const { _id } = await repository.get(ctx.params.orderId);
        return { events: await historyOf(_id, (params) => call(ctx, "eventstore.readStream", params)) };
      },
      byLink: async (ctx) => ownerView(await repository.get(await linked(ctx.params))),
      cancelByLink: async (ctx) => cancelled(await linked(ctx.params), { ...byGuest, reason: ctx.params.reason }),
      async setAddressByLink(ctx) {
        const { shippingAddress } = ctx.params;
        const set = (order: OrderDocument) => setAddress(order, shippingAddress, byGuest.actor, ofBuyer);
        return ownerView(await repository.change(await linked(ctx.params), set));
      },
      invoiceByLink: async (ctx) => paperOf({ ...ctx.params, orderId: await linked(ctx.params) }, invoice),
      async invoiceForOwner(ctx) {
        assertMayUse(callerOf(ctx), (await repository.get(ctx.params.orderId)).userId);
        return paperOf(ctx.params, invoice);
      },
      packingSlip: (ctx) => paperOf(ctx.params, packingSlip),
      invoice: (ctx) => paperOf(ctx.params, invoice),

      export: (ctx) => exported.orders(ctx.params),
      exportLines: (ctx) => exported.lines(ctx.params),

      async createFromPayment(ctx) {
        const { order, created } = await make(ctx.params);
        if (created && order.currency !== STORE_CURRENCY) {
          logger.error(
            { orderId: order._id, currency: order.currency },
            "An order was paid in a currency that the store does not sell in; statistics count it apart",
          );
        }
        return { orderId: order._id, orderNumber: order.orderNumber, created, order: placed(order) };
      },
      async announce(ctx) {
        const { orderId } = ctx.params;
        await repository.change(orderId, announced);
        return { orderId };
      },
      async applyPayment(ctx) {
        const { change, actor, ...refs } = ctx.params;
        const known = await repository.findByPayment(refs);
        if (!known) return { orderId: null, changed: false };
        const facts = { actor, paymentIntentId: refs.paymentIntentId, now: new Date(), newRefundId: `ref_${ulid()}` };
        // Of concurrent messages about the same only one changes anything.
        let before = known;
        const order = await repository.change(known._id, (current) => {
          before = current;
          return applyPaymentChange(current, change, facts);
        });
        if (change.kind === "refund" && (order.refundDue ?? 0) > (before.refundDue ?? 0)) {
          logger.error(
            { orderId: order._id, refundDue: order.refundDue },
            "A refund failed at the payment provider; its money is due again",
          );
        }
        return { orderId: order._id, changed: order.version > before.version };
      },
      async findByPayment(ctx) {
        const order = await repository.findByPayment(ctx.params);
        if (!order) return { order: null };
        const { _id, orderNumber, userId, status, paymentStatus } = order;
        return { order: { orderId: _id, orderNumber, userId, status, paymentStatus, placed: placed(order) } };
      },
    },
    channels: {
      "user.deleted": {
        group: "order",
        handler: ({ payload }) => erasure.erase(payload.userId),
      },
    },
    periodic: [
      {
        name: "order.settle",
        everyMs: SWEEP_MS,
        isNeeded: () => refunds.isLeft({ leftBefore }),
        run: () => refunds.resume({ leftBefore }),
      },
      { name: "order.derive", everyMs: DERIVE_MS, ...createDeriving(repository) },
    ],
  });
}
