import { enqueueWrite } from "../../broker/tasks/task.ts";
import type { AtomicWrite } from "../../mixins/document-store/port.ts";
import type { DeliveryDocument } from "./collections.ts";

/**
 * What is sent one after another: a delivery, or the deliveries of an aggregate to an ordered endpoint. An interface is
 * no payload of a task: it has no index signature.
 */
export type Queued = {
  endpointId: string;
  /** Of a single delivery. */
  deliveryId?: string;
  /** Of an ordered endpoint. */
  lane?: string;
};

/** Each endpoint has its own kind of task: a long queue of one delays no other. */
export function kindOf(endpointId: string): `webhook.deliver:${string}` {
  return `webhook.deliver:${endpointId}`;
}

const enqueue = enqueueWrite<Record<string, Queued>>();

/** Returns the write that makes a delivery due; deliveries of a lane share a task. */
export function enqueueDelivery(
  { _id, endpointId, lane }: Pick<DeliveryDocument, "_id" | "endpointId" | "lane">,
  dueAt: Date,
): AtomicWrite {
  const queued = { endpointId, ...(lane === undefined ? { deliveryId: _id } : { lane }) };
  return enqueue(kindOf(endpointId), keyOf(lane ?? _id), queued, { dueAt });
}

/** Returns an id without its endpoint, which the task's kind has. */
function keyOf(id: string): string {
  return id.slice(id.indexOf(":") + 1);
}
