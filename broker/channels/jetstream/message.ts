import type { ChannelEvent } from "../port.ts";

export function encodeEvent(event: ChannelEvent): Uint8Array {
  return Buffer.from(JSON.stringify(event));
}

/** @throws if the bytes are no event of ours */
export function decodeEvent(data: Uint8Array): ChannelEvent {
  const event = JSON.parse(Buffer.from(data).toString()) as ChannelEvent & { occurred_at: string };
  if (!Number.isInteger(event.v) || typeof event.event_id !== "string")
    throw new Error("A message in the stream of events is not one of ours");
  return { ...event, occurred_at: new Date(event.occurred_at) };
}
