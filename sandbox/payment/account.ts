import type { WebhookOutbox } from "../server/webhooks/outbox.ts";
import type { Store } from "./state/store.ts";

/** Version of the provider's API that the sandbox speaks: the one that the `stripe` package pins. */
export const API_VERSION = "2026-10-28.endive";

/** The provider's account that the sandbox plays. */
export type Account = {
  store: Store;
  outbox: WebhookOutbox;
  /** Unix seconds by the sandbox's clock, which `POST /sandbox/clock` moves forward. */
  now(): number;
  /** Origin of the hosted pages, without a slash at the end. */
  baseUrl: string;
  /** Whether sessions may ask for automatic tax. */
  taxRegistered: boolean;
};

/** The account as one request sees it: events name the request that caused them. */
export type Scope = Account & { request: { id: string | null; idempotency_key: string | null } };

/** Runs work as one transaction, before which overdue sessions expire; sends webhooks after it. */
export type Runner = <T>(work: (scope: Scope) => T, request?: Scope["request"]) => T;
