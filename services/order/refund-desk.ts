import { setTimeout as delay } from "node:timers/promises";
import { ulid } from "ulid";
import { isStoreAway } from "../../mixins/document-store/port.ts";
import { hasCode, PartlineError } from "../../mixins/errors.ts";
import { begin, conclude, type CancelRequest } from "./cancellation.ts";
import type { OrderDocument } from "./collections.ts";
import { attemptRefund, refundFailed, type Attempt, type RefundAtProvider } from "./provider-refund.ts";
import { findRefund, NOT_TAKEN } from "./refund-ledger.ts";
import { nothingLeft, request, settled, type RefundRequest } from "./refunding.ts";
import type { OrderRepository } from "./repository.ts";
import { assertVersion } from "./updating.ts";

/** How long whoever wrote an intent has to settle it before the sweep takes over. A repeat beside it pays nothing twice. */
const LEASE_MS = 15_000;
/** How long a second cancellation waits for the first one's answer. */
const WAIT_MS = 28_000;

export interface RefundDesk {
  /**
   * Cancels, refunding what is left; answers the cancelled order, also to those who come while or after it is cancelled.
   * @throws ORDER_NOT_CANCELLABLE, PROVIDER_ERROR (the order is as it was), VERSION_CONFLICT, NOT_FOUND, TIMEOUT
   */
  cancel(orderId: string, request: CancelRequest & { version?: number }, refundAtProvider: RefundAtProvider): Promise<OrderDocument>;
  /** @throws VALIDATION_FAILED, INVALID_TRANSITION, PROVIDER_ERROR (nothing is refunded), NOT_FOUND, TIMEOUT */
  refund(orderId: string, request: RefundRequest, refundAtProvider: RefundAtProvider): Promise<{ order: OrderDocument; refundId: string }>;
  /**
   * Finishes what nobody is working on: intents whose process died, and refunds that are due again. What was begun
   * `leftBefore` a time when nobody can have been at work is taken over without waiting for its lease to end.
   */
  resume(refundAtProvider: RefundAtProvider, options?: ResumeOptions): Promise<void>;
  /** Whether there is anything that `resume` would finish. */
  isLeft(options?: ResumeOptions): Promise<boolean>;
}

interface ResumeOptions {
  leftBefore?: Date;
}

interface DeskDeps {
  repository: OrderRepository;
  onError: (orderId: string, error: unknown) => void;
}

/** The order of things is always: write the intent, ask the provider, write what came of it. A crash between any two is resumed. */
export function createRefundDesk({ repository, onError }: DeskDeps): RefundDesk {
  async function cancel(orderId: string, { version, ...wanted }: CancelRequest & { version?: number }, refundAtProvider: RefundAtProvider): Promise<OrderDocument> {
    for (;;) {
      let mine: string | undefined;
      const order = await repository.change(orderId, (current) => {
        mine = undefined;
        if (current.status === "cancelled" || current.cancelling) return undefined;
        assertVersion(current, version);
        const change = begin(current, wanted, newRefundId(), new Date());
        mine = change.order.cancelling?.refundId;
        return leased(change);
      });
      if (order.status === "cancelled") return order;
      if (mine) return finishCancelling(order, mine, refundAtProvider).catch(notKnownYet);
      const after = await whenCancellingEnds(orderId);
      if (after.status === "cancelled") return after;
      if (!wanted.force) throw new PartlineError("PROVIDER_ERROR", "The payment provider did not take the refund; the order is as it was");
    }
  }

  async function finishCancelling(order: OrderDocument, refundId: string, refundAtProvider: RefundAtProvider): Promise<OrderDocument> {
    const attempt = await attemptRefund(order, refundId, refundAtProvider).catch((error: unknown): Attempt => {
      if (!order.cancelling?.force) throw error;
      return { went: "wrong", outcome: NOT_TAKEN, error };
    });
    const after = await repository.change(order._id, (current) => conclude(current, refundId, attempt.outcome, newRefundId(), new Date()));
    if (after.status === "cancelled") return after;
    throw attempt.went === "wrong" ? attempt.error : refundFailed();
  }

  async function whenCancellingEnds(orderId: string): Promise<OrderDocument> {
    const deadline = Date.now() + WAIT_MS;
    for (let pause = 20; Date.now() < deadline; pause = Math.min(pause * 2, 500)) {
      await delay(pause);
      const order = await repository.get(orderId);
      if (!order.cancelling) return order;
    }
    throw new PartlineError("TIMEOUT", "The order is still being cancelled");
  }

  /** @throws PROVIDER_ERROR when the refund did not go through; INVALID_TRANSITION when others have refunded all there was */
  async function finishRefund(order: OrderDocument, refundId: string, refundAtProvider: RefundAtProvider): Promise<OrderDocument> {
    const attempt = await attemptRefund(order, refundId, refundAtProvider);
    const after = await repository.change(order._id, (current) => settled(current, refundId, attempt.outcome, newRefundId(), new Date()));
    const status = findRefund(after, refundId)?.status;
    if (status === "pending" || status === "succeeded") return after;
    if (attempt.outcome === "already refunded") throw nothingLeft(after);
    throw attempt.went === "wrong" ? attempt.error : refundFailed();
  }

  async function resumeOrder(orderId: string, dueBy: Date, refundAtProvider: RefundAtProvider): Promise<void> {
    let taken = false;
    const order = await repository.change(orderId, (current) => {
      taken = current.resumeAt !== undefined && current.resumeAt <= dueBy;
      return taken ? leased({ order: current, actor: "system" }) : undefined;
    });
    if (!taken) return;
    const { cancelling } = order;
    if (cancelling) await finishCancelling(order, cancelling.refundId, refundAtProvider).catch((error: unknown) => onError(orderId, error));
    for (const { refundId, status } of order.refunds) {
      if (status !== "requested" || refundId === cancelling?.refundId) continue;
      await finishRefund(order, refundId, refundAtProvider).catch((error: unknown) => onError(orderId, error));
    }
  }

  return {
    cancel,
    async refund(orderId, wanted, refundAtProvider) {
      let refundId = "";
      const order = await repository.change(orderId, (current) => {
        const requested = request(current, wanted, newRefundId(), new Date());
        refundId = requested.refundId;
        return leased(requested.change);
      });
      return { order: await finishRefund(order, refundId, refundAtProvider).catch(notKnownYet), refundId };
    },
    async resume(refundAtProvider, options) {
      const dueBy = dueUntil(options);
      const due = await repository.orders.find({ resumeAt: { $lte: dueBy } }, { sort: { resumeAt: 1 }, limit: 100 });
      for (const { _id } of due) await resumeOrder(_id, dueBy, refundAtProvider).catch((error: unknown) => onError(_id, error));
    },
    isLeft: async (options) => (await repository.orders.findOne({ resumeAt: { $lte: dueUntil(options) } })) !== null,
  };
}

/** Once the intent is written, what is away is no reason to say that nothing was changed: `resume` asks the provider again. */
function notKnownYet(error: unknown): never {
  const isAway = isStoreAway(error) || hasCode(error, "SERVICE_UNAVAILABLE", "DATABASE_UNAVAILABLE");
  throw isAway ? new PartlineError("TIMEOUT", "It is not known yet whether the refund went through: the order will tell", undefined, { cause: error }) : error;
}

function dueUntil({ leftBefore }: ResumeOptions = {}): Date {
  return new Date(Math.max(Date.now(), leftBefore ? leftBefore.getTime() + LEASE_MS : 0));
}

function leased<C extends { order: OrderDocument }>(change: C): C {
  return { ...change, order: { ...change.order, resumeAt: new Date(Date.now() + LEASE_MS) } };
}

function newRefundId(): string {
  return `ref_${ulid()}`;
}
