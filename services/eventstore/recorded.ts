import type { ChannelEvent, ChannelHandlers, NewEvent } from "@partline/durable";
import type { DurableEvents } from "../../broker/contract/define.ts";
import { omitPersonal } from "../../broker/contract/personal.ts";
import { toAggregateId, toEventType } from "../../broker/contract/recorded.ts";

/** Metadata of each recorded event: amounts are whole cents. */
const OF_THE_SYSTEM = { amounts: "minor" };

export function createRecorders(events: DurableEvents, append: (event: NewEvent) => Promise<unknown>): ChannelHandlers {
  const handler = async (event: ChannelEvent): Promise<void> => {
    await Promise.all(recordedEvents(events, event).map((made) => append({ ...made, metadata: OF_THE_SYSTEM })));
  };
  const recorded = [...events].filter(([, { recorded }]) => recorded !== null);
  return Object.fromEntries(recorded.map(([channel]) => [channel, { group: "eventstore", handler }]));
}

/** Returns what an event of a durable channel is recorded as, without data of a person. */
export function recordedEvents(
  events: DurableEvents,
  { event_id, channel, occurred_at, payload: told }: ChannelEvent,
): NewEvent[] {
  const { recorded, payload: fields } = events.get(channel) ?? {};
  if (!recorded || !fields) return [];
  const payload = omitPersonal(fields, told);
  const { aggregate, each } = recorded;
  const common = { aggregate_type: aggregate, event_type: toEventType(channel) };
  if (!each) {
    const aggregate_id = toAggregateId(payload, recorded, event_id);
    return [{ ...common, event_id, aggregate_id, data: payload, timestamp: occurred_at }];
  }
  return (payload[each.list] as Record<string, unknown>[]).map(({ [each.at]: at, ...data }, index) => {
    const id = `${event_id}-${index}`;
    const timestamp = new Date(at as string);
    return { ...common, event_id: id, aggregate_id: toAggregateId(data, recorded, id), data, timestamp };
  });
}
