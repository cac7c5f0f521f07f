import { API_VERSION, type Account, type Scope } from "../account.ts";
import { listing, operation } from "../protocol/operation.ts";
import { list, text } from "../protocol/parameters.ts";
import type { AnyResource, WireEvent } from "../state/resources.ts";

/** Records that `type` happened to `resource` as it is now, and queues it for every webhook address. */
export function emit(scope: Scope, type: string, resource: AnyResource, previousAttributes?: object): void {
  const event = scope.store.insert("event", {
    api_version: API_VERSION,
    data: { object: resource, ...(previousAttributes ? { previous_attributes: previousAttributes } : {}) },
    pending_webhooks: scope.outbox.urls.length,
    request: scope.request,
    type,
  });
  scope.outbox.enqueue(event.id);
}

export const eventOperations = [
  operation("GET /v1/events/:id", {}, (scope, _given, { id }) => present(scope, scope.store.get("event", id))),
  listing(
    "/v1/events",
    "event",
    { type: text(), types: list(text(), { max: 20 }) },
    ({ type, types }) => ({ type: types ?? type }),
    present,
  ),
];

function present({ outbox }: Account, event: WireEvent): WireEvent {
  return { ...event, pending_webhooks: outbox.pending(event.id) };
}
