import { attemptId, type FaultRecord, type Operation } from "./history.ts";
import type { Timeouts } from "./timeouts.ts";

/** For as long after a fault's end what is felt of it counts as its own; milliseconds. */
const AFTERMATH = 15_000;
/**
 * Until every gateway passes a silent node by: 1.25 s after it owes that gateway an answer (docs/decisions/0023), which
 * it does once it has been called there; milliseconds.
 */
export const NOTICED_WITHIN = 3_000;
/** For as long after its end a fault may be why a request that is sent then is late; milliseconds. */
const SETTLED_WITHIN = 5_000;
/**
 * MongoDB's transactionLifetimeLimitSeconds, a minute unless set, and what it takes to find that it is over;
 * milliseconds.
 */
const LOCKED_FOR = 75_000;

/** Outcomes of a run's clients, with what its faults and the processes' logs say of why. */
export class Outcomes {
  readonly operations: readonly Operation[];
  readonly faults: readonly FaultRecord[];
  readonly gateways: ReadonlySet<string>;
  readonly #timeouts: Timeouts;
  readonly #firstUse = new Map<string, number>();

  constructor(operations: readonly Operation[], faults: readonly FaultRecord[], timeouts: Timeouts) {
    this.operations = operations;
    this.faults = faults;
    this.#timeouts = timeouts;
    this.gateways = new Set(operations.flatMap(({ attempts }) => attempts.map(({ gateway }) => gateway)));
    for (const operation of operations) {
      const subject = getSubject(operation);
      this.#firstUse.set(subject, Math.min(this.#firstUse.get(subject) ?? Infinity, operation.invokedAt));
    }
  }

  /** Of its requests those that got no answer, or 5xx, from 0. */
  failedAttempts({ attempts }: Operation): number[] {
    return attempts.flatMap(({ status, error }, index) =>
      error !== undefined || status === undefined || status >= 500 ? [index] : [],
    );
  }

  /** The processes that a request's time was over at; undefined where it was answered, or given up before. */
  waitedFor({ requestId, attempts }: Operation, attempt: number): ReadonlySet<string> | undefined {
    return attempts[attempt]!.status === 504 ? this.#timeouts.get(attemptId(requestId, attempt)) : undefined;
  }

  /**
   * The request waited until its time was over for processes that nothing was done to; nor to a server, nor to the
   * gateway that waited, but that it was to stop: the machine is slow.
   */
  wasSlow(operation: Operation, attempt: number): boolean {
    const { gateway, at, answeredAt } = operation.attempts[attempt]!;
    const nodes = this.waitedFor(operation, attempt);
    if (nodes === undefined) return false;
    const near = this.faults.filter((fault) => answeredAt >= fault.at && at <= fault.until + SETTLED_WITHIN);
    return near.every(
      ({ name, target, node }) => node !== undefined && !nodes.has(node) && (target !== gateway || name === "SIGTERM"),
    );
  }

  /** Returns whether that is all that was wrong with it. */
  isSlow(operation: Operation): boolean {
    const failed = this.failedAttempts(operation);
    return failed.length > 0 && failed.every((attempt) => this.wasSlow(operation, attempt));
  }

  /**
   * Whether it is about what a process that was killed, hung or cut off may have been writing then, which MongoDB keeps
   * locked until that transaction ends. All events share the log's next position.
   */
  mayBeLocked(operation: Operation): boolean {
    const isOfTheLog = operation.type === "event.append" || operation.type === "document.store";
    return this.faults.some(
      ({ name, node, at }) =>
        node !== undefined &&
        (name === "kill -9" || name === "SIGSTOP" || name === "isolated") &&
        operation.answeredAt >= at &&
        operation.invokedAt <= at + LOCKED_FOR &&
        (isOfTheLog || this.#firstUse.get(getSubject(operation))! <= at + NOTICED_WITHIN),
    );
  }
}

export function isWithin({ invokedAt, answeredAt }: Operation, { at, until }: FaultRecord): boolean {
  return answeredAt >= at && invokedAt <= until + AFTERMATH;
}

/** Counts the requests that ended so, by operation. */
export function counted(operations: readonly Operation[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const operation of operations) {
    const name = `${operation.type} ${getOutcome(operation)}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Describes one of its requests, or the last: `refund of ord_1: 504 by edge-2`. */
export function described(operation: Operation, attempt = operation.attempts.length - 1): string {
  const gateway = operation.attempts[attempt]?.gateway;
  return `${operation.type} of ${getSubject(operation)}: ${getOutcome(operation, attempt)}${gateway === undefined ? "" : ` by ${gateway}`}`;
}

function getOutcome({ attempts }: Operation, attempt = attempts.length - 1): number | string {
  return attempts[attempt]?.status ?? attempts[attempt]?.error ?? "not sent";
}

/** The cart, order, document or manual that it is about. */
function getSubject({ input }: Operation): string {
  const { cartId, orderId, sessionId, aggregateId, id, sha256, batchId, q } = input as Record<
    string,
    string | number | undefined
  >;
  return String(cartId ?? orderId ?? sessionId ?? aggregateId ?? id ?? sha256 ?? batchId ?? q);
}
