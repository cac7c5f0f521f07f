import { closeSync, openSync, writeSync } from "node:fs";

/** Actions of clients, with what they send and what they are answered. Money is in cents. */
export interface Operations {
  search: { input: { q: string }; output: { total: number } };
  "cart.add": { input: { sessionId: string; quantity: number }; output: { quantity: number } };
  "cart.read": { input: { sessionId: string }; output: { quantity: number } };
  "cart.save": { input: { cartId: string; quantity: number }; output: object };
  "cart.get": { input: { cartId: string }; output: { quantity: number } };
  "shipping.quotes": { input: { cartId: string; state: string }; output: { methods: ShippingQuote[] } };
  checkout: { input: { cartId: string }; output: { sessionId: string; url: string } };
  /**
   * At the provider's page, which no fault reaches. With a `difference`, an address is typed there to which shipping
   * costs so much more than was paid.
   */
  pay: { input: { sessionId: string; cartId: string; difference?: number | undefined }; output: object };
  "order.find": { input: { sessionId: string }; output: { orderId: string | null } };
  "order.read": { input: { orderId: string }; output: { total: number; status: string } };
  /** To an address that costs more: `ok` is the refusal with the difference. */
  "order.readdress": { input: { orderId: string; state: string; difference: number }; output: { difference: number } };
  "order.move": { input: { orderId: string; status: string }; output: { version: number } };
  /** Each refund of an order is of another amount, by which it is known. */
  refund: { input: { orderId: string; amount: number }; output: object };
  /** More than a dispute leaves: `ok` is the refusal. */
  "refund.disputed": { input: { orderId: string; amount: number }; output: object };
  /** At the provider. */
  "dispute.open": { input: { orderId: string; amount: number }; output: { disputeId: string } };
  "dispute.close": { input: { orderId: string; disputeId: string; status: "won" | "lost" }; output: object };
  cancel: { input: { orderId: string }; output: object };
  /** A shipment is known by its tracking number. */
  ship: { input: { orderId: string; tracking: string }; output: object };
  return: { input: { orderId: string; pieces: number }; output: { returnId: string } };
  "return.receive": { input: { orderId: string; returnId: string; pieces: number }; output: object };
  /** Its rest is called off. */
  "return.cancel": { input: { orderId: string; returnId: string }; output: object };
  "event.append": { input: { eventId: string; aggregateId: string }; output: { version: number; position: number } };
  "document.store": { input: { id: string; content: string }; output: { eventId: string; version: number } };
  "manual.upload": { input: { sha256: string; parts: number }; output: { batchId: string } };
  "manual.read": { input: { batchId: string }; output: { status: string } };
}

/** Of one method, the cheapest first; in currency units. */
export interface ShippingQuote {
  serviceType: string;
  cost: number;
  quote: string;
}

export type OperationType = keyof Operations;

/** One request as it was sent to one gateway. */
export interface Attempt {
  gateway: string;
  /** Milliseconds since 1970. */
  at: number;
  answeredAt: number;
  /** None where no answer came. */
  status?: number;
  error?: string;
}

/**
 * `ok`: acknowledged. `refused`: answered that nothing was done. `unknown`: no answer, or one that leaves open whether
 * it was done; it may have been, or may yet be.
 */
export type Result = "ok" | "refused" | "unknown";

export interface Operation<T extends OperationType = OperationType> {
  kind: "operation";
  client: string;
  type: T;
  /** X-Request-Id of its first attempt. */
  requestId: string;
  input: Operations[T]["input"];
  /** Milliseconds since 1970. */
  invokedAt: number;
  answeredAt: number;
  result: Result;
  /** Where the result is `ok`. */
  output?: Operations[T]["output"];
  /** In their order. A load balancer's own turn to another gateway, where one took no connection, is within one. */
  attempts: Attempt[];
}

/**
 * `kill -9`, `SIGTERM` and `restart`: it ended, and was started again. `SIGSTOP`, `no NATS` and `cut off`: it was there
 * all the time.
 */
export type FaultName =
  | "kill -9"
  | "SIGTERM"
  | "SIGSTOP"
  | "no NATS"
  | "restart"
  | "cut off"
  | "isolated"
  | "slow"
  | "wrong clock"
  | "no quorum";

export interface FaultRecord {
  kind: "fault";
  name: FaultName;
  target: string;
  /** Where a process of ours was its target: the id by which the cluster knew it when it began. */
  node?: string;
  at: number;
  /** When what was taken away was there again, as far as the one who took it away can see. */
  until: number;
}

export type HistoryEntry = Operation | FaultRecord;

/** X-Request-Id of an operation's attempt, from 0. */
export function attemptId(requestId: string, attempt: number): string {
  return attempt === 0 ? requestId : `${requestId}-${attempt}`;
}

/**
 * What the clients of a run did and were answered, kept in memory and in a file, a JSON line each, which is written at
 * once: a run may break off.
 */
export class History {
  readonly entries: HistoryEntry[] = [];
  #file: number | undefined;

  /** @param file nothing is written without one */
  constructor(file?: string) {
    this.#file = file === undefined ? undefined : openSync(file, "w");
  }

  add(entry: HistoryEntry): void {
    this.entries.push(entry);
    if (this.#file !== undefined) writeSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  operations(): Operation[] {
    return this.entries.filter((entry) => entry.kind === "operation");
  }

  faults(): FaultRecord[] {
    return this.entries.filter((entry) => entry.kind === "fault");
  }

  /** What comes later is kept in memory alone. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

/** Those of these types, with the types of what they send and are answered. */
export function ofType<T extends OperationType>(operations: readonly Operation[], ...types: T[]): Operation<T>[] {
  return operations.filter((operation): operation is Operation<T> =>
    (types as OperationType[]).includes(operation.type),
  );
}
