import type { ChannelEvent } from "../port.ts";

export function encodeEvent(event: ChannelEvent): Uint8Array {
  return Buffer.from(JSON.stringify(event));
}

/** Undefined if it is no event of ours; a reason would quote its payload. */
export function decodeEvent(data: Uint8Array): ChannelEvent | undefined {
  try {
    const event = JSON.parse(Buffer.from(data).toString()) as ChannelEvent & { occurred_at: string };
    if (!Number.isInteger(event.v) || typeof event.event_id !== "string") return undefined;
    return { ...event, occurred_at: new Date(event.occurred_at) };
  } catch {
    return undefined;
  }
}
