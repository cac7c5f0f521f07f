import type { ChannelEvent } from "@partline/durable";
import type { Events } from "../contracts.ts";

/**
 * Returns the reason of an erasure that a release without `order.erased` announced by `order.updated` 1; undefined for
 * any other change. Such an event may wait in the outbox or in NATS, or be a dead letter.
 */
export function findEarlierErasureReason({
  v,
  payload: { changed: changedFields },
}: ChannelEvent<Events["order.updated"]>): Events["order.erased"]["reason"] | undefined {
  if (v !== 1) return undefined;
  if (changedFields.includes("userId")) return "account_deleted";
  return changedFields.includes("contact") ? "guest_request" : undefined;
}
