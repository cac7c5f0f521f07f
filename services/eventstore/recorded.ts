import type { ChannelEvent, ChannelHandlers, NewEvent } from "@partline/durable";
import { type DurableEvents, omitPersonal } from "@partline/api-contracts";
import { toAggregateId, toEventType } from "../../broker/contract/recorded.ts";

/** Metadata of each recorded event: amounts are whole cents. */
const OF_THE_SYSTEM = { amounts: "minor" };

export function createRecorders(events: DurableEvents, append: (event: NewEvent) => Promise<unknown>): ChannelHandlers {
  const handler = async (event: ChannelEvent): Promise<void> => {
    await Promise.all(
      toRecordedEvents(events, event).map((newEvent) => append({ ...newEvent, metadata: OF_THE_SYSTEM })),
    );
  };
  const recorded = [...events].filter(([, { recorded }]) => recorded !== null);
  return Object.fromEntries(recorded.map(([channel]) => [channel, { group: "eventstore", handler }]));
}

/** Returns what an event of a durable channel is recorded as, without data of a person. */
export function toRecordedEvents(
  events: DurableEvents,
  { event_id, channel, occurred_at, payload: channelPayload }: ChannelEvent,
): NewEvent[] {
  const { recorded, payload: fields } = events.get(channel) ?? {};
  if (!recorded || !fields) return [];
  const payload = omitPersonal(fields, channelPayload);
  const { aggregate, each: elements } = recorded;
  const common = { aggregate_type: aggregate, event_type: toEventType(channel) };
  if (!elements) {
    const aggregate_id = toAggregateId(payload, recorded, event_id);
    return [{ ...common, event_id, aggregate_id, data: payload, timestamp: occurred_at }];
  }
  return (payload[elements.list] as Record<string, unknown>[]).map(
    ({ [elements.at]: timestampField, ...data }, index) => {
      const id = `${event_id}-${index}`;
      const timestamp = new Date(timestampField as string);
      return { ...common, event_id: id, aggregate_id: toAggregateId(data, recorded, id), data, timestamp };
    },
  );
}
