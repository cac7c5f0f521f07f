import type { StoredEvent } from "../../mixins/event-log/port.ts";
import type { FoldedState, State } from "./folded-state.ts";

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
 * An order as it was placed, with the states, the refunded amount (cents) and the version that its events led to.
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
}

function statesIn({ to }: State): State {
  return typeof to === "object" && to !== null ? (to as State) : {};
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
