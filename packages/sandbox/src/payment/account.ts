import type { Webhooks } from "../server/webhooks.ts";
import type { AnyResource, Store } from "./store.ts";

/** Version of the provider's API that the sandbox speaks: the one that the `stripe` package pins. */
export const API_VERSION = "2026-10-28.endive";

/** The provider's account that the sandbox plays. */
export type Account = {
  store: Store;
  webhooks: Webhooks;
  /** Unix seconds by the sandbox's clock, which `POST /sandbox/clock` moves forward. */
  now(): number;
  ahead(): number;
  /** Origin of the hosted pages, without a slash at the end. */
  baseUrl: string;
};

/** The account as one request sees it: events name the request that caused them. */
export type Scope = Account & { request: { id: string | null; idempotency_key: string | null } };

/** Runs work as one transaction, before which overdue sessions expire, and sends webhooks after it. */
export type Runner = <T>(work: (scope: Scope) => T, request?: Scope["request"]) => T;

/** Records what happened to `resource` as it is now, and queues it for every webhook address. */
export function emit(scope: Scope, type: string, resource: AnyResource): void {
  const event = scope.store.insert("event", {
    api_version: API_VERSION,
    data: { object: resource },
    pending_webhooks: scope.webhooks.urls.length,
    request: scope.request,
    type,
  });
  scope.webhooks.enqueue(event.id);
}
