import { API_VERSION } from "../api-version.ts";
import { operation } from "../protocol/operation.ts";
import { listOperation } from "../protocol/lists.ts";
import { noSuchResource } from "../protocol/errors.ts";
import { list, text } from "../protocol/parameters.ts";
import type { Account, Scope } from "../scope.ts";
import { newId } from "../state/ids.ts";
import type { AnyResource, WireEvent } from "../state/resources.ts";

/** Records that `type` happened to `resource` as it is now, and puts it on its way to every webhook address. */
export function emit(scope: Scope, type: string, resource: AnyResource, previousAttributes?: object): void {
  const event = scope.store.insert<WireEvent>({
    id: newId.event(),
    object: "event",
    api_version: API_VERSION,
    created: scope.now(),
    data: { object: resource, ...(previousAttributes ? { previous_attributes: previousAttributes } : {}) },
    livemode: false,
    pending_webhooks: scope.outbox.urls.length,
    request: scope.request,
    type,
  });
  scope.outbox.enqueue(event.id);
}

export const eventOperations = [
  operation("GET /v1/events/:id", {}, (scope, _parameters, { id }) => {
    const event = scope.store.find("event", id);
    if (!event) throw noSuchResource("event", id);
    return present(scope, event);
  }),
  listOperation("GET /v1/events", { type: text(), types: list(text(), { max: 20 }) }, (parameters) => ({
    object: "event",
    ...(parameters.types ? { anyOf: { field: "type", values: parameters.types } } : {}),
    match: { type: parameters.type },
    present,
  })),
];

function present(account: Account, event: WireEvent): WireEvent {
  return { ...event, pending_webhooks: account.outbox.pending(event.id) };
}
