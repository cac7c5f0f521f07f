import type { StoredEvent } from "@partline/durable";

export type State = Record<string, unknown>;

/**
 * The state of an aggregate while its events are folded. Fields are measured only when the size is asked for, so that a
 * fold costs what its events cost. `__proto__` is a name like any other.
 */
export class FoldedState {
  readonly #fields = new Map<string, { value: unknown; bytes?: number }>();

  static fromEntries(entries: Iterable<readonly [string, unknown]>): FoldedState {
    const state = new FoldedState();
    for (const [name, value] of entries) state.set(name, value);
    return state;
  }

  /** Bytes of the state as JSON. */
  get bytes(): number {
    let bytes = 2 + Math.max(0, this.#fields.size - 1);
    for (const [name, field] of this.#fields)
      bytes += field.bytes ??= measureBytes(name) + 1 + measureBytes(field.value);
    return bytes;
  }

  listEntries(): [string, unknown][] {
    return [...this.#fields].map(([name, { value }]) => [name, value]);
  }

  get(name: string): unknown {
    return this.#fields.get(name)?.value;
  }

  set(name: string, value: unknown): void {
    this.#fields.set(name, { value });
  }

  setAll(fields: State): void {
    for (const name of Object.keys(fields)) this.set(name, fields[name]);
  }

  /** Sets fields that are missing. */
  setMissing(fields: State): void {
    for (const name of Object.keys(fields)) if (!this.#fields.has(name)) this.set(name, fields[name]);
  }

  replaceAll(fields: State): void {
    this.#fields.clear();
    this.setAll(fields);
  }
}

function measureBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

type Folded = Pick<StoredEvent, "event_type" | "data">;
type Fold = (state: FoldedState, event: Folded) => void;

const FOLDS: ReadonlyMap<string, Fold> = new Map([
  ["order", foldOrder],
  ["document", foldDocument],
]);

/** Returns the fold of an aggregate type; by default the data of each event is laid over the state. */
export function getFold(aggregateType: string): Fold {
  return FOLDS.get(aggregateType) ?? foldByMerging;
}

function foldByMerging(state: FoldedState, { data }: Folded): void {
  state.setAll(data);
}

/** DOCUMENT_CREATED and DOCUMENT_UPDATED each carry the whole document. */
function foldDocument(state: FoldedState, event: Folded): void {
  if (event.event_type === "DOCUMENT_CREATED" || event.event_type === "DOCUMENT_UPDATED") state.replaceAll(event.data);
  else foldByMerging(state, event);
}

/**
 * Folds an order as it was placed, with the states, the refunded and the disputed amount (cents) and the version that
 * its events led to. Events may come in any order: each has the order's version, and amounts are changes.
 */
function foldOrder(state: FoldedState, { event_type, data }: Folded): void {
  if (event_type === "ORDER_CREATED") {
    state.setMissing({ status: "pending", refundedAmount: 0, version: 1 });
    state.setMissing(data);
    return;
  }
  const version = toNumber(data["version"]);
  const isNewest = version > toNumber(state.get("version"));
  const refundedAmount = toNumber(state.get("refundedAmount")) + toNumber(data["amount"]);
  if (isNewest) {
    state.setAll(readStates(data));
    state.set("version", version);
  }
  state.set("orderId", data["orderId"]);
  state.set("refundedAmount", refundedAmount);
  if (data["disputedAmount"] !== undefined)
    state.set("disputedAmount", toNumber(state.get("disputedAmount")) + toNumber(data["disputedAmount"]));
}

function readStates({ to }: State): State {
  return typeof to === "object" && to !== null ? (to as State) : {};
}

function toNumber(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
