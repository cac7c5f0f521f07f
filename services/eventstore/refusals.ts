import { PartlineError, validationFailed } from "../../mixins/errors.ts";
import { hasEventLogCode } from "../../mixins/event-log/port.ts";

/** What a caller is told of an append that the log refused; anything else as it is. */
export function toRefusal(error: unknown): unknown {
  if (hasEventLogCode(error, "VERSION_CONFLICT")) return new PartlineError("VERSION_CONFLICT", error.message, { actual_version: error.actualVersion });
  if (hasEventLogCode(error, "OTHER_TYPE")) return validationFailed({ field: "aggregate_type", message: error.message });
  if (hasEventLogCode(error, "TOO_LARGE")) return validationFailed({ field: "data", message: error.message });
  return error;
}
