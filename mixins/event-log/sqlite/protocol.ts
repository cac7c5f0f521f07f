import { createStoreErrors } from "../../sqlite/store-errors.ts";
import type { EventText } from "../model/new-event.ts";
import { EventLogError, type Appended } from "../port.ts";

/** What the calling thread asks of the writer thread, as JSON text. */
export type Request = { kind: "append"; event: EventText } | { kind: "ping" };

/** Of an append; null of a ping. The timestamp in milliseconds since 1970. */
export type Answer = (Omit<Appended, "timestamp"> & { timestamp: number }) | null;

export const errors = createStoreErrors("event log", EventLogError);
