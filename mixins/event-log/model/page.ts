import type { StoredEvent } from "../port.ts";

/**
 * Largest page of more than one event, bytes of JSON: it fits into a NATS message (1 MiB) and does not fill the memory.
 * LARGEST_EVENT_BYTES bounds a single event.
 */
const PAGE_BYTES = 512 * 1024;
/** The names of an event's fields, its numbers and its time, bytes. */
const FRAME_BYTES = 200;

/** An event as the adapters keep it: data and metadata as JSON text. */
export interface EventRow extends Omit<StoredEvent, "data" | "metadata"> {
  data: string;
  metadata: string;
}

/** In the order in which all adapters answer them. */
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

/** The events that an answer holds. */
export class Page {
  readonly events: StoredEvent[] = [];
  #bytes = 0;

  /** Adds an event if there is room, which there always is for the first. Returns whether there was. */
  add(row: EventRow): boolean {
    this.#bytes += bytesOf(row);
    if (this.events.length > 0 && this.#bytes > PAGE_BYTES) return false;
    this.events.push(toStoredEvent(row));
    return true;
  }
}

function toStoredEvent(row: EventRow): StoredEvent {
  const event: Partial<Record<keyof StoredEvent, unknown>> = {};
  for (const field of EVENT_FIELDS) event[field] = row[field];
  event.data = JSON.parse(row.data);
  event.metadata = row.metadata === "{}" ? {} : JSON.parse(row.metadata);
  return event as StoredEvent;
}

function bytesOf({ event_id, aggregate_id, aggregate_type, event_type, data, metadata }: EventRow): number {
  const names = JSON.stringify([event_id, aggregate_id, aggregate_type, event_type]);
  return FRAME_BYTES + Buffer.byteLength(names) + Buffer.byteLength(data) + Buffer.byteLength(metadata);
}
