import type { StoredEvent } from "../../mixins/event-log/port.ts";

export type State = Record<string, unknown>;
type Fold = (state: State, event: Pick<StoredEvent, "event_type" | "data">) => State;

/** How the events of an aggregate fold to its state, by aggregate type; every fold begins with the empty state. */
const FOLDS: ReadonlyMap<string, Fold> = new Map([["order", foldOrder], ["document", foldDocument]]);

/** The fold of an aggregate type; one that has none of its own lays the data of each event over what was there. */
export function foldOf(aggregateType: string): Fold {
  return FOLDS.get(aggregateType) ?? foldByMerging;
}

function foldByMerging(state: State, { data }: Pick<StoredEvent, "data">): State {
  return { ...state, ...data };
}

/** DOCUMENT_CREATED and DOCUMENT_UPDATED each carry the whole document. */
function foldDocument(state: State, event: Pick<StoredEvent, "event_type" | "data">): State {
  return event.event_type === "DOCUMENT_CREATED" || event.event_type === "DOCUMENT_UPDATED" ? { ...event.data } : foldByMerging(state, event);
}

/**
 * An order as it was placed, with the states, the refunded amount (cents) and the version that its events led to. Channels promise delivery and
 * not its order: each event says the order's version that it made, and amounts are changes, so the same events give the same state
 * in any order.
 */
function foldOrder(state: State, { event_type, data }: Pick<StoredEvent, "event_type" | "data">): State {
  if (event_type === "ORDER_CREATED") return { ...data, status: "pending", refundedAmount: 0, version: 1, ...state };
  const version = numberIn(data, "version");
  const refundedAmount = numberIn(state, "refundedAmount") + numberIn(data, "amount");
  const isNewest = version > numberIn(state, "version");
  return { ...state, ...(isNewest ? { ...statesIn(data), version } : {}), orderId: data["orderId"], refundedAmount };
}

function statesIn({ to }: State): State {
  return typeof to === "object" && to !== null ? (to as State) : {};
}

function numberIn(fields: State, name: string): number {
  const value = fields[name];
  return typeof value === "number" ? value : 0;
}
