import { setTimeout as delay } from "node:timers/promises";
import { ulid } from "@partline/toolkit";
import { assertVersion, hasCode, PartlineError } from "../../../mixins/errors.ts";
import type { CancelRequest, OrderDocument, RefundRecord } from "../collections.ts";
import type { OrderRepository } from "../repository.ts";
import { begin, createNothingLeftError, requestRefund, settleRefund, type RefundRequest } from "./decisions.ts";
import { findRefund, isOfPieces, NOT_TAKEN } from "./ledger.ts";
import { type AtProvider, createProviderRefunds, refundFailed, type RefundAttempt } from "./provider.ts";

/** How long the writer of an intent has to settle it before the sweep takes over; both together pay once. */
const LEASE_MS = 15_000;
/** How long a second cancellation waits for the first one. */
const WAIT_MS = 28_000;

/** How a refund ended: the order after it, and why it failed. */
interface Ended {
  order: OrderDocument;
  refusal?: unknown;
}

interface Deps extends AtProvider {
  repository: OrderRepository;
  onError: (orderId: string, error: unknown) => void;
}

/**
 * Creates the process of cancellations and refunds. Each step is: write the intent, ask the provider, write the
 * outcome. `resume` continues after a crash in between.
 */
export function createRefundProcess({ repository, onError, ...atProvider }: Deps) {
  const attemptRefund = createProviderRefunds(atProvider);

  /**
   * Cancels and refunds what is left. The cancelled order also goes to those who ask while it is being cancelled, and
   * to the same request that runs again after its process died. @throws ORDER_NOT_CANCELLABLE (also once it is
   * cancelled), PROVIDER_ERROR (the order is as it was), VERSION_CONFLICT, NOT_FOUND, TIMEOUT
   */
  async function cancel(
    orderId: string,
    { version, ...request }: CancelRequest & { version?: number },
  ): Promise<OrderDocument> {
    for (;;) {
      let mine: string | undefined;
      const order = await repository.change(orderId, (current) => {
        mine = undefined;
        const isRepeated = request.runId !== undefined && current.cancellation?.runId === request.runId;
        if (current.cancelling || isRepeated) return undefined;
        assertVersion("The order", version, current.version);
        const change = begin(current, request, createRefundId(), new Date());
        mine = change.order.cancelling?.refundId;
        return renewLease(change);
      });
      if (order.status === "cancelled") return order;
      if (mine) return waitForAnswer(finish(order, mine));
      const after = await waitForCancelling(orderId);
      if (after.status === "cancelled") return after;
      const refusal = "The payment provider did not take the refund; the order is as it was";
      if (!request.force) throw new PartlineError("PROVIDER_ERROR", refusal);
    }
  }

  async function waitForCancelling(orderId: string): Promise<OrderDocument> {
    const deadline = Date.now() + WAIT_MS;
    for (let pause = 20; Date.now() < deadline; pause = Math.min(pause * 2, 500)) {
      await delay(pause);
      const order = await repository.get(orderId);
      if (!order.cancelling) return order;
    }
    throw new PartlineError("TIMEOUT", "The order is still being cancelled");
  }

  /** Refuses with PROVIDER_ERROR, or INVALID_TRANSITION if nothing is left. @throws if it is unknown how it ended */
  async function finish(order: OrderDocument, refundId: string): Promise<Ended> {
    const cancelling = order.cancelling?.refundId === refundId ? order.cancelling : undefined;
    const { outcome, error } = await attemptRefund(order, refundId).catch((error: unknown): RefundAttempt => {
      if (!cancelling?.force) throw error;
      return { outcome: NOT_TAKEN, error };
    });
    const after = await repository.change(order._id, (current) =>
      settleRefund(current, refundId, outcome, createRefundId(), new Date()),
    );
    const status = findRefund(after, refundId)?.status;
    if (cancelling ? after.status === "cancelled" : status === "pending" || status === "succeeded")
      return { order: after };
    return {
      order: after,
      refusal: outcome === "already refunded" ? createNothingLeftError(after) : (error ?? refundFailed()),
    };
  }

  async function resumeOrder(orderId: string, dueBy: Date): Promise<void> {
    let isTaken = false;
    const order = await repository.change(orderId, (current) => {
      isTaken = current.resumeAt !== undefined && current.resumeAt <= dueBy;
      return isTaken ? renewLease({ order: current, actor: "system" }) : undefined;
    });
    if (!isTaken) return;
    // The provider's message may have settled the refund of a cancellation before its process died.
    const isUnfinished = ({ refundId, status }: RefundRecord): boolean =>
      status === "requested" || refundId === order.cancelling?.refundId;
    for (const { refundId } of order.refunds.filter(isUnfinished)) await reportEnding(orderId, finish(order, refundId));
  }

  async function reportEnding(orderId: string, ending: Promise<Ended>): Promise<void> {
    const { refusal } = await ending.catch((error: unknown) => ({ refusal: error }));
    if (refusal !== undefined) onError(orderId, refusal);
  }

  /**
   * @throws VALIDATION_FAILED, INVALID_TRANSITION, PAYMENT_DISPUTED and PROVIDER_ERROR (nothing is refunded),
   * NOT_FOUND, TIMEOUT
   */
  async function refund(
    orderId: string,
    request: RefundRequest,
    runId: string | undefined,
  ): Promise<{ order: OrderDocument; refundId: string }> {
    const ownId = createRefundId(runId);
    let refundId = ownId;
    const order = await repository.change(orderId, (current) => {
      refundId = ownId;
      // A failed one is followed by another, which a process that continues finds by the same id.
      for (let next = 2; findRefund(current, refundId)?.status === "failed"; next += 1) refundId = `${ownId}-${next}`;
      // By a process that died: it continues.
      if (findRefund(current, refundId)) return undefined;
      const requested = requestRefund(current, request, refundId, new Date());
      refundId = requested.refundId;
      return renewLease(requested.change);
    });
    if (findRefund(order, refundId)?.status !== "requested") return { order, refundId };
    try {
      return { order: await waitForAnswer(finish(order, refundId)), refundId };
    } catch (error) {
      // Pieces need no money to be cancelled or to have come back, and now it is known that there is none.
      if (isOfPieces(request) && hasCode(error, "PAYMENT_DISPUTED")) return refund(orderId, request, runId);
      throw error;
    }
  }

  return {
    cancel,
    refund,
    /**
     * Finishes intents whose process died, and refunds that are due again. What was begun before `leftBefore`, by
     * processes that are gone, does not wait for its lease to end.
     */
    async resume(leftBefore?: Date): Promise<void> {
      const dueBy = computeDueBy(leftBefore);
      const dueOrders = await repository.orders.find(
        { resumeAt: { $lte: dueBy } },
        { sort: { resumeAt: 1 }, limit: 100 },
      );
      for (const { _id } of dueOrders) await resumeOrder(_id, dueBy).catch((error: unknown) => onError(_id, error));
    },
    /** Returns whether there is anything that `resume` would finish. */
    isLeft: async (leftBefore?: Date): Promise<boolean> =>
      (await repository.orders.findOne({ resumeAt: { $lte: computeDueBy(leftBefore) } })) !== null,
  };
}

/**
 * Answers the caller. The intent is stored, so a failure before the outcome is known is not "nothing changed": `resume`
 * asks the provider again.
 * @throws the refusal; TIMEOUT
 */
async function waitForAnswer(ending: Promise<Ended>): Promise<OrderDocument> {
  const { order, refusal } = await ending.catch((error: unknown): never => {
    const message = "It is not known yet whether the refund went through: the order will show it";
    throw new PartlineError("TIMEOUT", message, undefined, { cause: error });
  });
  if (refusal !== undefined) throw refusal as Error;
  return order;
}

function computeDueBy(leftBefore = new Date(0)): Date {
  return new Date(Math.max(Date.now(), leftBefore.getTime() + LEASE_MS));
}

function renewLease<C extends { order: OrderDocument }>(change: C): C {
  const resumeAt = new Date(Date.now() + LEASE_MS);
  return { ...change, order: { ...change.order, resumeAt, leasedUntil: resumeAt } };
}

/** @param runId a request's, which has the same refund if it runs again */
function createRefundId(runId: string = ulid()): string {
  return `ref_${runId.slice(0, 26)}`;
}
