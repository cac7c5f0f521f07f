import type { EventTypeOf, Recorded } from "@partline/api-contracts";

/**
 * Returns the id of the aggregate that an event is of. A client's id (a cart's) must not meet another aggregate's, so
 * every id has a prefix.
 */
export function toAggregateId(
  payload: Readonly<Record<string, unknown>>,
  { id = [], prefixes }: Recorded,
  eventId: string,
): string {
  const value = (id.map((field) => payload[field]).find((candidate) => candidate != null) ?? eventId) as string;
  return prefixes.some((prefix) => value.startsWith(prefix)) ? value : prefixes[0] + value;
}

/** Returns the channel's name in upper snake case. */
export function toEventType<Channel extends string>(channel: Channel): EventTypeOf<Channel> {
  return channel.replaceAll(".", "_").toUpperCase() as EventTypeOf<Channel>;
}
