import type { Store } from "./state/store.ts";
import type { WebhookOutbox } from "../server/webhooks/outbox.ts";

/** The provider's account that the sandbox plays: its state and settings. */
export type Account = {
  store: Store;
  outbox: WebhookOutbox;
  /** Unix seconds by the sandbox's clock, which the control endpoints can move forward. */
  now(): number;
  /** Origin of the hosted pages, without a slash at the end. */
  baseUrl: string;
  /** Whether sessions may ask for automatic tax. */
  taxRegistered: boolean;
};

/** The account as one request sees it: what it does is told in events as the doing of that request. */
export type Scope = Account & { request: { id: string | null; idempotency_key: string | null } };
