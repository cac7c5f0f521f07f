import { eventTypeOf } from "../../broker/contract/recorded.ts";
import { PartlineError } from "../../mixins/errors.ts";
import type { NewEvent } from "../../mixins/event-log/port.ts";
import { CHANNELS } from "../all-contracts.ts";

const RECORDED = [...CHANNELS.values()].map(({ recorded }) => recorded).filter((recorded) => recorded !== null);

/** Prefixes of the system's aggregate ids; a checkout's ids are the provider's, a document's those of manuals. */
const PREFIXES = [...new Set(RECORDED.flatMap(({ prefixes }) => prefixes))];

const AGGREGATE_TYPES: ReadonlySet<string> = new Set(RECORDED.map(({ aggregate }) => aggregate));
const EVENT_TYPES: ReadonlySet<string> = new Set([
  ...[...CHANNELS.keys()].map((channel) => eventTypeOf(channel)),
  "DOCUMENT_UPDATED",
]);

/** Refuses types and ids of the system's own events. @throws FORBIDDEN, naming the field */
export function assertNotReserved(event: Pick<NewEvent, "event_type" | "aggregate_type" | "aggregate_id">): void {
  const { event_type, aggregate_type, aggregate_id } = event;
  if (EVENT_TYPES.has(event_type)) throw reserved("event_type", `be ${event_type}`, "of this type");
  if (AGGREGATE_TYPES.has(aggregate_type)) throw reserved("aggregate_type", `be ${aggregate_type}`, "of this type");
  assertIdNotReserved("aggregate_id", aggregate_id);
}

export function assertIdNotReserved(field: string, id: unknown): void {
  const prefix = PREFIXES.find((known) => String(id).startsWith(known));
  if (prefix !== undefined) throw reserved(field, `begin with ${prefix}`, "about these");
}

function reserved(field: string, be: string, which: string): PartlineError {
  const message = `The '${field}' field must not ${be}: the system alone records events ${which}.`;
  return new PartlineError("FORBIDDEN", message, [{ field, message }]);
}
