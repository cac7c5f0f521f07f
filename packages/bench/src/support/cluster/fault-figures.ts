import type { FaultRecord, Operation, OperationType } from "./history.ts";
import { counted, described, isWithin, NOTICED_WITHIN, type Outcomes } from "./outcomes.ts";

/** Only read, so that they may be sent again. */
const READS: ReadonlySet<OperationType> = new Set<OperationType>([
  "search",
  "shipping.quotes",
  "cart.read",
  "cart.get",
  "order.find",
  "order.read",
  "manual.read",
]);

export interface FaultFigures {
  name: string;
  target: string;
  /** Milliseconds. */
  lasted: number;
  /** Operations that were under way between its beginning and its end, or begun soon after, before the next fault. */
  operations: number;
  /** Those of them whose client was left without what it asked for. */
  failed: number;
  /** Those that were last sent before a silent node is passed by. */
  failedInFlight: number;
  /** Milliseconds from its beginning to the last failure; 0 without one. */
  failingFor: number;
  /** By operation and status, or what the connection said. */
  failures: Record<string, number>;
  /** What was felt of it, each by operation, subject and outcome, that docs/failure-modes.md says is not. */
  broken: string[];
}

/** Counts what a fault caused. A request that begins once the next fault has begun is that fault's. */
export function computeFigures(fault: FaultRecord, outcomes: Outcomes): FaultFigures {
  const next = Math.min(...outcomes.faults.map(({ at }) => at).filter((at) => at >= fault.until));
  const operations = outcomes.operations.filter(
    (operation) => isWithin(operation, fault) && operation.invokedAt < next,
  );
  const failed = operations.filter(({ result }) => result !== "ok");
  return {
    name: fault.name,
    target: fault.target,
    lasted: Math.round(fault.until - fault.at),
    operations: operations.length,
    failed: failed.length,
    failedInFlight: failed.filter((operation) => lastSentAt(operation) <= fault.at + NOTICED_WITHIN).length,
    failingFor: Math.round(Math.max(0, ...failed.map(({ answeredAt }) => answeredAt - fault.at))),
    failures: counted(failed),
    broken: brokenBy(
      fault,
      next,
      failed.filter(({ answeredAt }) => answeredAt < next),
      outcomes,
    ),
  };
}

/** @param failed and over before the next fault */
function brokenBy(fault: FaultRecord, next: number, failed: readonly Operation[], outcomes: Outcomes): string[] {
  if (fault.node === undefined) return [];
  if (fault.name === "SIGTERM") return turnedAwayBy(fault, next, outcomes);
  // It answers, and late: that is nothing by which others could know to pass it by.
  if (fault.name === "slow") return [];
  // Reads are asked of another, and writes too once it is known to be silent.
  const reads = failed.filter((operation) => READS.has(operation.type) && !outcomes.isSlow(operation));
  // A gateway that hears nothing of the others is unready only when it has waited for them.
  const isDeaf = fault.name === "no NATS" || fault.name === "isolated";
  const isPassedBy = !isDeaf || !outcomes.gateways.has(fault.target);
  const writes = failed.filter(
    (operation) =>
      isPassedBy &&
      !READS.has(operation.type) &&
      lastSentAt(operation) > fault.at + NOTICED_WITHIN &&
      !outcomes.isSlow(operation) &&
      !outcomes.mayBeLocked(operation),
  );
  return [...reads, ...writes].map((operation) => described(operation));
}

/**
 * Every request that failed while a process stopped and until another had taken its place, whether or not its client
 * tried again: by that process, where it is a gateway, else by any. What waited until its time was over for a process
 * that was not asked to stop is not one that is lost: that one is slow.
 */
function turnedAwayBy(fault: FaultRecord, next: number, outcomes: Outcomes): string[] {
  const isGateway = outcomes.gateways.has(fault.target);
  const stopping = new Set(
    outcomes.faults
      .filter(({ name, at, until }) => name === "SIGTERM" && at <= fault.until && until >= fault.at)
      .map(({ node }) => node),
  );
  const waitedForOthers = (nodes: ReadonlySet<string> | undefined): boolean =>
    nodes !== undefined && ![...nodes].some((node) => stopping.has(node));
  return outcomes.operations
    .filter((operation) => !outcomes.mayBeLocked(operation))
    .flatMap((operation) =>
      outcomes
        .failedAttempts(operation)
        .filter((attempt) => {
          const { gateway, at, answeredAt } = operation.attempts[attempt]!;
          return (
            at <= fault.until &&
            answeredAt >= fault.at &&
            answeredAt < next &&
            (!isGateway || gateway === fault.target) &&
            !waitedForOthers(outcomes.waitedFor(operation, attempt))
          );
        })
        .map((attempt) => described(operation, attempt)),
    );
}

function lastSentAt({ attempts, invokedAt }: Operation): number {
  return attempts.at(-1)?.at ?? invokedAt;
}
