import { ownCarts, savedCarts } from "./checks/carts.ts";
import type { Check, Violation } from "./checks/check.ts";
import { orderHistories, recorded, versions } from "./checks/events.ts";
import { manuals } from "./checks/manuals.ts";
import { money, moves, oneSessionACart, ordersOfPayments, refunds } from "./checks/orders.ts";
import { readsOfWhatIsThere } from "./checks/reads.ts";
import { counted, figuresOf, isWithin, type FaultFigures } from "./fault-figures.ts";
import type { FinalState } from "./final-state.ts";
import type { HistoryEntry, Operation, OperationType } from "./history.ts";

const CHECKS: Record<string, Check> = {
  ordersOfPayments, oneSessionACart, money, refunds, moves, versions, recorded, orderHistories, ownCarts, savedCarts, manuals, readsOfWhatIsThere,
};

export interface Verdict {
  /** Nothing that was acknowledged is lost, nothing is there twice, and all that was begun has ended. */
  ok: boolean;
  violations: Violation[];
  acknowledged: Partial<Record<OperationType, number>>;
  refused: number;
  unknown: number;
  /** What there is at the end. */
  found: { orders: number; events: number; payments: number; refunds: number; manuals: number; received: number; refunded: number };
  faults: FaultFigures[];
  /** Failures outside all faults. */
  failedOutsideFaults: Record<string, number>;
  /** Requests that failed behind the load balancer, whether or not their client tried again and got what it wanted. */
  failedRequests: Record<string, number>;
  /** What had not ended when nobody waited any longer. */
  unfinished: string[];
}

/** Holds what clients were told against what is there when all is whole again. */
export function judge(history: readonly HistoryEntry[], final: FinalState): Verdict {
  const operations = history.filter((entry) => entry.kind === "operation");
  const faults = history.filter((entry) => entry.kind === "fault");
  const violations = Object.values(CHECKS).flatMap((check) => check(operations, final));
  const acknowledged: Partial<Record<OperationType, number>> = {};
  for (const { type, result } of operations) if (result === "ok") acknowledged[type] = (acknowledged[type] ?? 0) + 1;
  const failed = operations.filter(({ result }) => result !== "ok");
  return {
    ok: violations.length === 0 && final.unfinished.length === 0,
    violations,
    acknowledged,
    refused: failed.filter(({ result }) => result === "refused").length,
    unknown: failed.filter(({ result }) => result === "unknown").length,
    found: {
      orders: final.orders.length,
      events: final.events.length,
      payments: final.payments.filter(({ received }) => received > 0).length,
      refunds: final.orders.reduce((sum, { refunds: own }) => sum + own.length, 0),
      manuals: Object.keys(final.manuals).length,
      received: final.payments.reduce((sum, { received }) => sum + received, 0),
      refunded: final.payments.reduce((sum, { refunded }) => sum + refunded, 0),
    },
    faults: faults.map((fault) => figuresOf(fault, faults, operations)),
    failedOutsideFaults: counted(failed.filter((operation) => !faults.some((fault) => isWithin(operation, fault)))),
    failedRequests: failedRequestsOf(operations),
    unfinished: final.unfinished,
  };
}

function failedRequestsOf(operations: readonly Operation[]): Record<string, number> {
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
