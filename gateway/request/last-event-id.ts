import { validationFailed } from "../../mixins/errors.ts";
import type { EdgeRequest } from "./edge-request.ts";

/** What a client that comes back to an event stream has seen last. @throws VALIDATION_FAILED */
export function lastEventIdOf({ headers }: EdgeRequest): number | undefined {
  const id = headers["last-event-id"];
  if (id === undefined || id === "") return undefined;
  const position = typeof id === "string" && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
  if (position === undefined)
    throw validationFailed({
      field: "Last-Event-ID",
      message: "The 'Last-Event-ID' header must be the id of an event.",
    });
  return position;
}
