import type { StoredEvent } from "@partline/durable";

export type State = Record<string, unknown>;

/**
 * The state of an aggregate while its events are folded. Fields are measured only when the size is asked for, so that a
 * fold costs what its events cost. `__proto__` is a name like any other.
 */
export class FoldedState {
  readonly #fields = new Map<string, { value: unknown; bytes?: number }>();

  static of(entries: Iterable<readonly [string, unknown]>): FoldedState {
    const state = new FoldedState();
    for (const [name, value] of entries) state.set(name, value);
    return state;
  }

  /** As JSON. */
  get bytes(): number {
    let bytes = 2 + Math.max(0, this.#fields.size - 1);
    for (const [name, field] of this.#fields) bytes += field.bytes ??= bytesOf(name) + 1 + bytesOf(field.value);
    return bytes;
  }

  entries(): [string, unknown][] {
    return [...this.#fields].map(([name, { value }]) => [name, value]);
  }

  get(name: string): unknown {
    return this.#fields.get(name)?.value;
  }

  set(name: string, value: unknown): void {
    this.#fields.set(name, { value });
  }

  lay(fields: State): void {
    for (const name of Object.keys(fields)) this.set(name, fields[name]);
  }

  /** Sets fields that are missing. */
  underlay(fields: State): void {
    for (const name of Object.keys(fields)) if (!this.#fields.has(name)) this.set(name, fields[name]);
  }

  replaceBy(fields: State): void {
    this.#fields.clear();
    this.lay(fields);
  }
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

type Folded = Pick<StoredEvent, "event_type" | "data">;
type Fold = (state: FoldedState, event: Folded) => void;

const FOLDS: ReadonlyMap<string, Fold> = new Map([
  ["order", foldOrder],
  ["document", foldDocument],
]);

/** The fold of an aggregate type; by default the data of each event is laid over the state. */
export function foldOf(aggregateType: string): Fold {
  return FOLDS.get(aggregateType) ?? foldByMerging;
}

function foldByMerging(state: FoldedState, { data }: Folded): void {
  state.lay(data);
}

/** DOCUMENT_CREATED and DOCUMENT_UPDATED each carry the whole document. */
function foldDocument(state: FoldedState, event: Folded): void {
  if (event.event_type === "DOCUMENT_CREATED" || event.event_type === "DOCUMENT_UPDATED") state.replaceBy(event.data);
  else foldByMerging(state, event);
}

/**
 * An order as it was placed, with the states, the refunded and the disputed amount (cents) and the version that its
 * events led to.
 * Events may come in any order: each has the order's version, and amounts are changes.
 */
function foldOrder(state: FoldedState, { event_type, data }: Folded): void {
  if (event_type === "ORDER_CREATED") {
    state.underlay({ status: "pending", refundedAmount: 0, version: 1 });
    state.underlay(data);
    return;
  }
  const version = numberOf(data["version"]);
  const isNewest = version > numberOf(state.get("version"));
  const refundedAmount = numberOf(state.get("refundedAmount")) + numberOf(data["amount"]);
  if (isNewest) {
    state.lay(statesIn(data));
    state.set("version", version);
  }
  state.set("orderId", data["orderId"]);
  state.set("refundedAmount", refundedAmount);
  if (data["disputedAmount"] !== undefined)
    state.set("disputedAmount", numberOf(state.get("disputedAmount")) + numberOf(data["disputedAmount"]));
}

function statesIn({ to }: State): State {
  return typeof to === "object" && to !== null ? (to as State) : {};
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
