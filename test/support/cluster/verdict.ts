import { ownCarts, savedCarts } from "./checks/carts.ts";
import type { Check, Violation } from "./checks/check.ts";
import { orderHistories, recorded, versions } from "./checks/events.ts";
import { manuals } from "./checks/manuals.ts";
import { money, moves, oneSessionACart, ordersOfPayments, refunds } from "./checks/orders.ts";
import type { FinalState } from "./final-state.ts";
import type { FaultRecord, HistoryEntry, Operation, OperationType } from "./history.ts";

const CHECKS: Record<string, Check> = {
  ordersOfPayments, oneSessionACart, money, refunds, moves, versions, recorded, orderHistories, ownCarts, savedCarts, manuals,
};

/** Only read, so that they may be sent again. */
const READS: ReadonlySet<OperationType> = new Set<OperationType>(["search", "cart.read", "cart.get", "order.find", "order.read", "manual.read"]);

export interface FaultFigures {
  name: string;
  target: string;
  /** Milliseconds. */
  lasted: number;
  /** Operations that were under way between its beginning and its end. */
  operations: number;
  /** Those of them whose client was left without what it asked for. */
  failed: number;
  /** Reads that failed at the second attempt as well. */
  failedReads: number;
  /** Those that were under way when it began. Only they may fail when one of two is killed. */
  failedInFlight: number;
  /** Milliseconds from its beginning to the last failure; 0 without one. */
  failingFor: number;
  /** By operation and status, or what the connection said. */
  failures: Record<string, number>;
}

export interface Verdict {
  /** Nothing that was acknowledged is lost, nothing is there twice. */
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
    ok: violations.length === 0,
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
    faults: faults.map((fault) => figuresOf(fault, operations)),
    failedOutsideFaults: counted(failed.filter((operation) => !faults.some((fault) => isWithin(operation, fault)))),
    failedRequests: failedRequestsOf(operations),
    unfinished: final.unfinished,
  };
}

/** For as long after a fault's end what is felt of it counts as its own; milliseconds. */
const AFTERMATH = 15_000;

function isWithin({ invokedAt, answeredAt }: Operation, { at, until }: FaultRecord): boolean {
  return answeredAt >= at && invokedAt <= until + AFTERMATH;
}

function figuresOf(fault: FaultRecord, all: readonly Operation[]): FaultFigures {
  const operations = all.filter((operation) => isWithin(operation, fault));
  const failed = operations.filter(({ result }) => result !== "ok");
  return {
    name: fault.name,
    target: fault.target,
    lasted: Math.round(fault.until - fault.at),
    operations: operations.length,
    failed: failed.length,
    failedReads: failed.filter(({ type }) => READS.has(type)).length,
    failedInFlight: failed.filter(({ invokedAt }) => invokedAt <= fault.at).length,
    failingFor: Math.round(Math.max(0, ...failed.map(({ answeredAt }) => answeredAt - fault.at))),
    failures: counted(failed),
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

function counted(failed: readonly Operation[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type, attempts } of failed) {
    const last = attempts.at(-1);
    const name = `${type} ${last?.status ?? last?.error ?? "not sent"}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
