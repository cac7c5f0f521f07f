import { EventLogError, type NewEvent, type StoredEvent } from "../port.ts";

/** Largest data and metadata together, as JSON: a NATS message (1 MiB) holds the event and what travels around it. */
export const LARGEST_EVENT_BYTES = 512 * 1024;
/**
 * Largest page of more than one event, bytes of JSON: it fits into a NATS message (1 MiB) and does not fill the memory.
 * LARGEST_EVENT_BYTES bounds a single event.
 */
const PAGE_BYTES = 512 * 1024;
/** The names of an event's fields, its numbers and its time, bytes. */
const FRAME_BYTES = 200;

/** Data and metadata as JSON text. */
interface Texts {
  data: string;
  metadata: string;
}

/** A new event as it is stored: times in milliseconds since 1970, data and metadata as JSON text. */
export type EventText = Omit<NewEvent, keyof Texts | "timestamp"> & Texts & { timestamp: number };

/** An event as the adapters keep it. */
export type EventRow = Omit<StoredEvent, keyof Texts> & Texts;

/** Fields of an event, in the order in which all adapters return them. */
export const EVENT_FIELDS = [
  "event_id",
  "position",
  "aggregate_id",
  "aggregate_type",
  "version",
  "event_type",
  "data",
  "metadata",
  "timestamp",
] satisfies (keyof EventRow)[];

/** @throws TOO_LARGE */
export function toEventText({ data, metadata = {}, timestamp, ...event }: NewEvent): EventText {
  const text = {
    ...event,
    timestamp: timestamp.getTime(),
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  };
  if (isTooLarge(text))
    throw new EventLogError("TOO_LARGE", `An event has at most ${LARGEST_EVENT_BYTES / 1024} KiB of data and metadata`);
  return text;
}

/** A UTF-16 unit takes three bytes at most, so short texts need no count. */
export function isTooLarge({ data, metadata }: Texts): boolean {
  return (
    (data.length + metadata.length) * 3 > LARGEST_EVENT_BYTES &&
    Buffer.byteLength(data) + Buffer.byteLength(metadata) > LARGEST_EVENT_BYTES
  );
}

export type StreamHead = Pick<StoredEvent, "version" | "aggregate_type">;

/** Returns the version of an event that is the next of its aggregate. @throws VERSION_CONFLICT, OTHER_TYPE */
export function resolveNextVersion(
  { aggregate_id, aggregate_type, expected_version }: Omit<EventText, keyof Texts>,
  head: StreamHead | undefined,
): number {
  const actualVersion = head?.version ?? 0;
  if (expected_version !== undefined && expected_version !== actualVersion) {
    const message = `Aggregate ${aggregate_id} has version ${actualVersion}, not ${expected_version}`;
    throw new EventLogError("VERSION_CONFLICT", message, { actualVersion });
  }
  if (head && head.aggregate_type !== aggregate_type)
    throw new EventLogError("OTHER_TYPE", `Aggregate ${aggregate_id} is of the type ${head.aggregate_type}`);
  return actualVersion + 1;
}

export class Page {
  readonly events: StoredEvent[] = [];
  #bytes = 0;

  /** Adds an event if there is room, which there always is for the first. Returns whether there was. */
  add(row: EventRow): boolean {
    const { event_id, aggregate_id, aggregate_type, event_type, data, metadata } = row;
    const names = JSON.stringify([event_id, aggregate_id, aggregate_type, event_type]);
    this.#bytes += FRAME_BYTES + Buffer.byteLength(names) + Buffer.byteLength(data) + Buffer.byteLength(metadata);
    if (this.events.length > 0 && this.#bytes > PAGE_BYTES) return false;
    this.events.push({
      ...row,
      data: JSON.parse(data) as object,
      metadata: JSON.parse(metadata) as object,
    } as StoredEvent);
    return true;
  }
}
