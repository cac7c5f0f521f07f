import type { EventText } from "../model/new-event.ts";
import type { Appended, EventLogErrorCode } from "../port.ts";

/** What the calling thread and the writer thread say to each other, as JSON text. */

export type Request = { kind: "append"; event: EventText } | { kind: "ping" };

/** Of an append; null of a ping. The timestamp in milliseconds since 1970. */
export type Answer = (Omit<Appended, "timestamp"> & { timestamp: number }) | null;

export interface WireError {
  /** Undefined for an error that is a fault of ours. */
  code?: EventLogErrorCode;
  message: string;
  actualVersion?: number;
}

export interface WriterOptions {
  path: string;
  busyTimeoutMs: number;
}
