import { ownCarts, savedCarts } from "./checks/carts.ts";
import type { Check, Violation } from "./checks/check.ts";
import { mails, returns, shipments } from "./checks/deliveries.ts";
import { disputes } from "./checks/disputes.ts";
import { orderHistories, recorded, versions } from "./checks/events.ts";
import { manuals } from "./checks/manuals.ts";
import { money, moves, oneSessionACart, ordersOfPayments, refunds } from "./checks/orders.ts";
import { readsOfWhatIsThere } from "./checks/reads.ts";
import { shippingPaid } from "./checks/shipping.ts";
import { webhooks } from "./checks/webhooks.ts";
import { computeFigures, type FaultFigures } from "./fault-figures.ts";
import type { FinalState } from "./final-state.ts";
import type { HistoryEntry, Operation, OperationType } from "./history.ts";
import { counted, described, isWithin, Outcomes } from "./outcomes.ts";
import type { Timeouts } from "./timeouts.ts";

const CHECKS: Record<string, Check> = {
  ordersOfPayments,
  oneSessionACart,
  money,
  refunds,
  disputes,
  moves,
  shippingPaid,
  shipments,
  returns,
  mails,
  webhooks,
  versions,
  recorded,
  orderHistories,
  ownCarts,
  savedCarts,
  manuals,
  readsOfWhatIsThere,
};

export interface Verdict {
  /**
   * Nothing that was acknowledged is lost, nothing is there twice, all that was begun has ended, and no more was felt
   * of the faults than docs/failure-modes.md says.
   */
  ok: boolean;
  violations: Violation[];
  /** What was felt of faults and should not have been, and what failed without any, except requests that were slow. */
  broken: string[];
  acknowledged: Partial<Record<OperationType, number>>;
  refused: number;
  unknown: number;
  /** Counts at the end. */
  found: {
    orders: number;
    events: number;
    payments: number;
    refunds: number;
    shipments: number;
    mails: number;
    /** Orders that the receiver has, and requests that came to it again. */
    webhooks: number;
    webhooksAgain: number;
    manuals: number;
    received: number;
    refunded: number;
    disputed: number;
  };
  faults: FaultFigures[];
  /** Failures outside all faults, those of slow requests among them. */
  failedOutsideFaults: Record<string, number>;
  requests: number;
  /** Requests whose time was over at a process that nothing was done to. */
  slowRequests: number;
  /** Requests that failed behind the load balancer, whether or not their client tried again and got what it wanted. */
  failedRequests: Record<string, number>;
  /** Work that had not ended when nobody waited any longer. */
  unfinished: string[];
}

/** Holds what clients were answered against what is there when all is whole again. */
export function judge(history: readonly HistoryEntry[], final: FinalState, timeouts: Timeouts): Verdict {
  const operations = history.filter((entry) => entry.kind === "operation");
  const faults = history.filter((entry) => entry.kind === "fault");
  const { received: deliveries } = final.webhooks;
  const webhookIds = new Set(deliveries.map(({ webhookId }) => webhookId)).size;
  const outcomes = new Outcomes(operations, faults, timeouts);
  const violations = Object.values(CHECKS).flatMap((check) => check(operations, final));
  const acknowledged: Partial<Record<OperationType, number>> = {};
  for (const { type, result } of operations) if (result === "ok") acknowledged[type] = (acknowledged[type] ?? 0) + 1;
  const failed = operations.filter(({ result }) => result !== "ok");
  const outside = failed.filter((operation) => !faults.some((fault) => isWithin(operation, fault)));
  const figures = faults.map((fault) => computeFigures(fault, outcomes));
  const broken = [
    ...figures.flatMap(({ name, target, broken: felt }) => felt.map((what) => `${name} of ${target}: ${what}`)),
    ...outside
      .filter((operation) => !outcomes.isSlow(operation) && !outcomes.mayBeLocked(operation))
      .map((operation) => `without a fault: ${described(operation)}`),
  ];
  return {
    ok: violations.length === 0 && final.unfinished.length === 0 && broken.length === 0,
    violations,
    broken,
    acknowledged,
    refused: failed.filter(({ result }) => result === "refused").length,
    unknown: failed.filter(({ result }) => result === "unknown").length,
    found: {
      orders: final.orders.length,
      events: final.events.length,
      payments: final.payments.filter(({ received }) => received > 0).length,
      refunds: final.orders.reduce((sum, { refunds: list }) => sum + list.length, 0),
      shipments: final.orders.reduce((sum, { shipments: list }) => sum + list.length, 0),
      mails: Object.values(final.mails).flat().length,
      webhooks: webhookIds,
      webhooksAgain: deliveries.length - webhookIds,
      manuals: Object.keys(final.manuals).length,
      received: final.payments.reduce((sum, { received }) => sum + received, 0),
      refunded: final.payments.reduce((sum, { refunded }) => sum + refunded, 0),
      disputed: final.payments.reduce((sum, { disputed }) => sum + disputed, 0),
    },
    faults: figures,
    failedOutsideFaults: counted(outside),
    requests: operations.reduce((sum, { attempts }) => sum + attempts.length, 0),
    slowRequests: operations.reduce(
      (sum, operation) =>
        sum + outcomes.failedAttempts(operation).filter((attempt) => outcomes.wasSlow(operation, attempt)).length,
      0,
    ),
    failedRequests: countFailedRequests(operations),
    unfinished: final.unfinished,
  };
}

function countFailedRequests(operations: readonly Operation[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, attempts } of operations) {
    for (const { status, error } of attempts) {
      if (status !== undefined && status < 500) continue;
      const name = `${type} ${status ?? error}`;
      counts[name] = (counts[name] ?? 0) + 1;
    }
  }
  return counts;
}
