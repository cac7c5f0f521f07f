import type { ChannelEvent, ChannelHandlers } from "../../broker/channels/port.ts";
import type { DurableEvents } from "../../broker/contract/define.ts";
import { withoutPersonal } from "../../broker/contract/personal.ts";
import { aggregateIdOf, eventTypeOf } from "../../broker/contract/recorded.ts";
import { PartlineError } from "../../mixins/errors.ts";
import type { NewEvent } from "../../mixins/event-log/port.ts";

/** Amounts are whole cents. */
const OF_THE_SYSTEM = { amounts: "minor" };

export function createRecorders(events: DurableEvents, append: (event: NewEvent) => Promise<unknown>): ChannelHandlers {
  const handler = async (event: ChannelEvent): Promise<void> => {
    await Promise.all(recordedEvents(events, event).map((made) => append({ ...made, metadata: OF_THE_SYSTEM })));
  };
  const recorded = [...events].filter(([, { recorded }]) => recorded !== null);
  return Object.fromEntries(recorded.map(([channel]) => [channel, { group: "eventstore", handler }]));
}

/** Without data of a person. */
export function recordedEvents(
  events: DurableEvents,
  { event_id, channel, occurred_at, payload: told }: ChannelEvent,
): NewEvent[] {
  const { recorded, payload: fields } = events.get(channel) ?? {};
  if (!recorded || !fields) return [];
  const payload = withoutPersonal(fields, told);
  const { aggregate, each } = recorded;
  const common = { aggregate_type: aggregate, event_type: eventTypeOf(channel) };
  if (!each) {
    const aggregate_id = aggregateIdOf(payload, recorded, event_id);
    return [{ ...common, event_id, aggregate_id, data: payload, timestamp: occurred_at }];
  }
  return (payload[each.list] as Record<string, unknown>[]).map(({ [each.at]: at, ...data }, index) => {
    const id = `${event_id}-${index}`;
    const timestamp = new Date(at as string);
    return { ...common, event_id: id, aggregate_id: aggregateIdOf(data, recorded, id), data, timestamp };
  });
}

/** Refuses types and ids of the system's own events. */
export function createReserved(events: DurableEvents) {
  const recorded = [...events.values()].map(({ recorded }) => recorded).filter((recorded) => recorded !== null);
  /** Of the system's aggregate ids; a checkout's ids are the provider's, a document's those of manuals. */
  const prefixes = [...new Set(recorded.flatMap(({ prefixes }) => prefixes))];
  const aggregateTypes: ReadonlySet<string> = new Set(recorded.map(({ aggregate }) => aggregate));
  const eventTypes: ReadonlySet<string> = new Set([
    ...[...events.keys()].map((channel) => eventTypeOf(channel)),
    "DOCUMENT_UPDATED",
  ]);
  /** @throws FORBIDDEN, naming the field */
  const assertIdNotReserved = (field: string, id: unknown): void => {
    const prefix = prefixes.find((known) => String(id).startsWith(known));
    if (prefix !== undefined) throw reserved(field, `begin with ${prefix}`, "about these");
  };
  /** Known before the event is recorded: who took one would keep it from the log. */
  const eventIds = ["manual_", ...[...events.keys()].map((channel) => `${channel}:`)];
  /** @throws FORBIDDEN, naming the field */
  const assertNotReserved = (event: Omit<NewEvent, "data" | "timestamp">): void => {
    const { event_id, event_type, aggregate_type, aggregate_id } = event;
    const own = eventIds.find((known) => event_id.startsWith(known));
    if (own !== undefined) throw reserved("event_id", `begin with "${own}"`, "with such an id");
    if (eventTypes.has(event_type)) throw reserved("event_type", `be ${event_type}`, "of this type");
    if (aggregateTypes.has(aggregate_type)) throw reserved("aggregate_type", `be ${aggregate_type}`, "of this type");
    assertIdNotReserved("aggregate_id", aggregate_id);
  };
  return { assertIdNotReserved, assertNotReserved };
}

function reserved(field: string, be: string, which: string): PartlineError {
  const message = `The '${field}' field must not ${be}: the system alone records events ${which}.`;
  return new PartlineError("FORBIDDEN", message, [{ field, message }]);
}
