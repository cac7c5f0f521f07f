import type { StoredEvent } from "../port.ts";

/**
 * Bytes of a page at most, as JSON, where it has more than one event: with what travels around it, it fits into a
 * message of NATS (1 MiB), and what a reader asks for does not fill the memory. A single event is bounded by
 * LARGEST_EVENT_BYTES.
 */
const PAGE_BYTES = 512 * 1024;
/** The names of an event's fields, its numbers and its time. */
const FRAME_BYTES = 200;
/** What JSON writes as it is, in a byte each. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** An event as the adapters keep it: data and metadata as JSON text. */
export interface EventRow extends Omit<StoredEvent, "data" | "metadata"> {
  data: string;
  metadata: string;
}

/** The events that an answer holds. */
export class Page {
  readonly events: StoredEvent[] = [];
  #bytes = 0;

  /** Whether there was room for the event; there is always for the first. */
  add(row: EventRow): boolean {
    this.#bytes += bytesOf(row);
    if (this.events.length > 0 && this.#bytes > PAGE_BYTES) return false;
    this.events.push(toStoredEvent(row));
    return true;
  }
}

/** In one order of fields, so that the answers of all adapters read alike. */
export function toStoredEvent({
  event_id,
  position,
  aggregate_id,
  aggregate_type,
  version,
  event_type,
  data,
  metadata,
  timestamp,
}: EventRow): StoredEvent {
  return {
    event_id,
    position,
    aggregate_id,
    aggregate_type,
    version,
    event_type,
    data: JSON.parse(data) as StoredEvent["data"],
    metadata: metadata === "{}" ? {} : (JSON.parse(metadata) as StoredEvent["metadata"]),
    timestamp,
  };
}

function bytesOf({ event_id, aggregate_id, aggregate_type, event_type, data, metadata }: EventRow): number {
  return (
    FRAME_BYTES +
    bytesOfName(event_id) +
    bytesOfName(aggregate_id) +
    bytesOfName(aggregate_type) +
    bytesOfName(event_type) +
    Buffer.byteLength(data) +
    Buffer.byteLength(metadata)
  );
}

/** As JSON, with a comma. */
function bytesOfName(name: string): number {
  return 1 + (PLAIN.test(name) ? name.length + 2 : Buffer.byteLength(JSON.stringify(name)));
}
