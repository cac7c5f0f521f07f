import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { hasEventLogCode } from "../../mixins/event-log/port.ts";
import { LARGEST_STATE_BYTES } from "./limits.ts";

/** The answer to an append that the log refused; other errors as they are. */
export function toRefusal(error: unknown): unknown {
  if (hasEventLogCode(error, "VERSION_CONFLICT"))
    return new PartlineError("VERSION_CONFLICT", error.message, { actual_version: error.actualVersion });
  if (hasEventLogCode(error, "OTHER_TYPE"))
    return validationFailed({ field: "aggregate_type", message: error.message });
  if (hasEventLogCode(error, "TOO_LARGE")) return validationFailed({ field: "data", message: error.message });
  return error;
}

export function stateTooLarge(aggregateId: string): PartlineError {
  return validationFailed({
    field: "aggregate_id",
    message: `The 'aggregate_id' field names an aggregate whose state has more than ${LARGEST_STATE_BYTES / 1024} KiB: read its events (GET /events?aggregate_id=${encodeURIComponent(aggregateId)}).`,
  });
}

/** A reader of events that are no longer there would wait for ever. */
export function beyondTheEnd(head: number): PartlineError {
  return validationFailed({
    field: "after",
    message: `The 'after' field (of a stream, the Last-Event-ID header too) must not be beyond the newest event, whose position is ${head}.`,
  });
}
