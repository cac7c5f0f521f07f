import { API_VERSION, type Account } from "../account.ts";
import { defineOperation, defineListing, toList } from "../protocol/operation.ts";
import { text, list, paging } from "../protocol/parameters.ts";
import type { WireEvent } from "../store.ts";

export const eventOperations = [
  defineOperation("GET /v1/events/:id", {}, (scope, _given, { id }) => present(scope, scope.store.get("event", id))),
  defineListing(
    "/v1/events",
    "event",
    { type: text(), types: list(text(), { max: 20 }) },
    ({ type, types }) => ({ type: types ?? type }),
    present,
  ),
];

export const endpointOperations = [
  defineOperation("GET /v1/webhook_endpoints", paging, ({ webhooks }) =>
    toList(
      "/v1/webhook_endpoints",
      webhooks.urls.map((url, index) => ({
        id: `we_sandbox_${index + 1}`,
        object: "webhook_endpoint",
        url,
        status: "enabled",
        api_version: API_VERSION,
        enabled_events: ["*"],
      })),
    ),
  ),
];

function present({ webhooks }: Account, event: WireEvent): WireEvent {
  return { ...event, pending_webhooks: webhooks.pending(event.id) };
}
