import { EventLogError, type NewEvent } from "../port.ts";

/** Largest data and metadata together, as JSON: a NATS message (1 MiB) holds the event and what travels around it. */
export const LARGEST_EVENT_BYTES = 512 * 1024;

/** A new event as it is stored: times in milliseconds since 1970, data and metadata as JSON text. */
export interface EventText extends Omit<NewEvent, "data" | "metadata" | "timestamp"> {
  timestamp: number;
  data: string;
  metadata: string;
}

/** @throws TOO_LARGE */
export function toEventText({ data, metadata, timestamp, ...event }: NewEvent): EventText {
  const text = {
    ...event,
    timestamp: timestamp.getTime(),
    data: JSON.stringify(data),
    metadata: metadata === undefined ? "{}" : JSON.stringify(metadata),
  };
  if (isTooLarge(text))
    throw new EventLogError("TOO_LARGE", `An event has at most ${LARGEST_EVENT_BYTES / 1024} KiB of data and metadata`);
  return text;
}

/** A UTF-16 unit takes three bytes at most, so short texts need no count. */
export function isTooLarge({ data, metadata }: Pick<EventText, "data" | "metadata">): boolean {
  return (
    (data.length + metadata.length) * 3 > LARGEST_EVENT_BYTES &&
    Buffer.byteLength(data) + Buffer.byteLength(metadata) > LARGEST_EVENT_BYTES
  );
}

/** The last event of an aggregate. */
export interface StreamHead {
  version: number;
  aggregate_type: string;
}

/** Returns the version of an event that is the next of its aggregate. @throws VERSION_CONFLICT, OTHER_TYPE */
export function nextVersion(
  { aggregate_id, aggregate_type, expected_version }: Omit<EventText, "data" | "metadata">,
  head: StreamHead | undefined,
): number {
  const actualVersion = head?.version ?? 0;
  if (expected_version !== undefined && expected_version !== actualVersion) {
    throw new EventLogError(
      "VERSION_CONFLICT",
      `Aggregate ${aggregate_id} has version ${actualVersion}, not ${expected_version}`,
      { actualVersion },
    );
  }
  if (head && head.aggregate_type !== aggregate_type) {
    throw new EventLogError("OTHER_TYPE", `Aggregate ${aggregate_id} is of the type ${head.aggregate_type}`);
  }
  return actualVersion + 1;
}
