import type { FaultRecord, Operation, OperationType } from "./history.ts";

/** Only read, so that they may be sent again. */
const READS: ReadonlySet<OperationType> = new Set<OperationType>(["search", "cart.read", "cart.get", "order.find", "order.read", "manual.read"]);

export interface FaultFigures {
  name: string;
  target: string;
  /** Milliseconds. */
  lasted: number;
  /** Operations that were under way between its beginning and its end, or begun soon after, before the next fault. */
  operations: number;
  /** Those of them whose client was left without what it asked for. */
  failed: number;
  /** Reads that failed at the second attempt as well. */
  failedReads: number;
  /** Those that were last sent before a silent node is passed by. */
  failedInFlight: number;
  /** Writes that were sent later and failed before the next fault, of what the silent node cannot have locked: each by operation, subject and outcome. */
  failedLater: string[];
  /** Milliseconds from its beginning to the last failure; 0 without one. */
  failingFor: number;
  /** By operation and status, or what the connection said. */
  failures: Record<string, number>;
}

/** For as long after a fault's end what is felt of it counts as its own; milliseconds. */
const AFTERMATH = 15_000;
/**
 * Until every gateway passes a silent node by: 1.25 s after it owes that gateway an answer (docs/decisions/0023), which it does once it has been
 * called there; milliseconds.
 */
const NOTICED_WITHIN = 3_000;

export function isWithin({ invokedAt, answeredAt }: Operation, { at, until }: FaultRecord): boolean {
  return answeredAt >= at && invokedAt <= until + AFTERMATH;
}

/** What begins once the next fault has begun, is that one's. */
export function figuresOf(fault: FaultRecord, faults: readonly FaultRecord[], all: readonly Operation[]): FaultFigures {
  const next = Math.min(...faults.map(({ at }) => at).filter((at) => at >= fault.until));
  const operations = all.filter((operation) => isWithin(operation, fault) && operation.invokedAt < next);
  const failed = operations.filter(({ result }) => result !== "ok");
  const noticedAt = fault.at + NOTICED_WITHIN;
  const later = failed.filter((operation) => lastSentAt(operation) > noticedAt && operation.answeredAt < next);
  const usedBefore = new Set(all.filter(({ invokedAt }) => invokedAt <= noticedAt).map(subjectOf));
  return {
    name: fault.name,
    target: fault.target,
    lasted: Math.round(fault.until - fault.at),
    operations: operations.length,
    failed: failed.length,
    failedReads: failed.filter(({ type }) => READS.has(type)).length,
    failedInFlight: failed.filter((operation) => lastSentAt(operation) <= noticedAt).length,
    failedLater: later.filter((operation) => !READS.has(operation.type) && !usedBefore.has(subjectOf(operation)) && !isOfTheLog(operation))
      .map((operation) => `${operation.type} of ${subjectOf(operation)}: ${outcomeOf(operation)}`),
    failingFor: Math.round(Math.max(0, ...failed.map(({ answeredAt }) => answeredAt - fault.at))),
    failures: counted(failed),
  };
}

/** Kills of these processes that more was felt of than one of two may cost: what was in flight on it, and no read after one retry. */
export function killsFeltTooMuch(faults: readonly FaultFigures[], members: readonly { name: string }[]): FaultFigures[] {
  const names = new Set(members.map(({ name }) => name));
  return faults.filter(({ name, target, failedReads, failedLater }) => name === "kill -9" && names.has(target) && failedReads + failedLater.length > 0);
}

/** How many ended so, by operation. */
export function counted(operations: readonly Operation[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of operations) {
    const name = `${operation.type} ${outcomeOf(operation)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function outcomeOf({ attempts }: Operation): number | string {
  const last = attempts.at(-1);
  return last?.status ?? last?.error ?? "not sent";
}

function lastSentAt({ attempts, invokedAt }: Operation): number {
  return attempts.at(-1)?.at ?? invokedAt;
}

/** All events share the log's next position, which an append of the silent node, a client's or the system's own, may hold locked. */
function isOfTheLog({ type }: Operation): boolean {
  return type === "event.append" || type === "document.store";
}

/** The cart, order, document or manual that it is about: MongoDB keeps what a killed process was writing locked until it ends its transaction. */
function subjectOf({ input }: Operation): string {
  const { cartId, orderId, sessionId, aggregateId, id, sha256, batchId, q } = input as Record<string, string | number | undefined>;
  return String(cartId ?? orderId ?? sessionId ?? aggregateId ?? id ?? sha256 ?? batchId ?? q);
}
