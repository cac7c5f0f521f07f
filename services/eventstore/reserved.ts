import type { DurableEvents } from "@partline/api-contracts";
import { toEventType } from "../../broker/contract/recorded.ts";
import { PartlineError } from "../../mixins/errors.ts";
import type { NewEvent } from "@partline/durable";

/** Returns what refuses types and ids of the system's own events. */
export function createReserved(events: DurableEvents) {
  const recorded = [...events.values()].map(({ recorded }) => recorded).filter((recorded) => recorded !== null);
  /** Prefixes of the system's aggregate ids; a checkout's ids are the provider's, a document's those of manuals. */
  const prefixes = [...new Set(recorded.flatMap(({ prefixes }) => prefixes))];
  const aggregateTypes: ReadonlySet<string> = new Set(recorded.map(({ aggregate }) => aggregate));
  const eventTypes: ReadonlySet<string> = new Set([
    ...[...events.keys()].map((channel) => toEventType(channel)),
    "DOCUMENT_UPDATED",
  ]);
  /** @throws FORBIDDEN, naming the field */
  const assertIdNotReserved = (field: string, id: string): void => {
    const prefix = prefixes.find((reservedPrefix) => id.startsWith(reservedPrefix));
    if (prefix !== undefined) throw createReservedError(field, `begin with ${prefix}`, "about these");
  };
  /** Prefixes of event ids that are predictable: an event of a client with such an id would suppress the real one. */
  const eventIds = ["manual_", ...[...events.keys()].map((channel) => `${channel}:`)];
  /** @throws FORBIDDEN, naming the field */
  const assertNotReserved = (event: Omit<NewEvent, "data" | "timestamp">): void => {
    const { event_id, event_type, aggregate_type, aggregate_id } = event;
    const reservedPrefix = eventIds.find((candidate) => event_id.startsWith(candidate));
    if (reservedPrefix !== undefined)
      throw createReservedError("event_id", `begin with "${reservedPrefix}"`, "with such an id");
    if (eventTypes.has(event_type)) throw createReservedError("event_type", `be ${event_type}`, "of this type");
    if (aggregateTypes.has(aggregate_type))
      throw createReservedError("aggregate_type", `be ${aggregate_type}`, "of this type");
    assertIdNotReserved("aggregate_id", aggregate_id);
  };
  return { assertIdNotReserved, assertNotReserved };
}

function createReservedError(field: string, be: string, which: string): PartlineError {
  const message = `The '${field}' field must not ${be}: the system alone records events ${which}.`;
  return new PartlineError("FORBIDDEN", message, [{ field, message }]);
}
