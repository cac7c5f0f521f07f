import type { TasksOf } from "../../broker/contract/define.ts";
import {
  type DocumentStore,
  type Filter,
  isWritten,
  type PeriodicTask,
  type TaskDocument,
  TASKS,
} from "@partline/durable";
import type { webhookContract } from "./contract.ts";
import { enqueueDelivery } from "./messages.ts";

const LOOK_MS = 60_000;
const BATCH = 100;
const KIND = "webhook.deliver:";

/**
 * Gives tasks of releases whose kinds were `webhook.deliver:<endpointId>` the kind and lane of today, also those that a
 * process of such a release leaves behind while a cluster is upgraded.
 */
export function createEarlierDeliveries(documents: DocumentStore, wake: () => void): PeriodicTask {
  const tasks = documents.collection<TaskDocument>(TASKS);
  const find = (limit: number): Promise<TaskDocument[]> => {
    const free: Filter = { state: "waiting", heldUntil: { $lte: new Date() } };
    return tasks.find({ ...free, kind: { $gt: KIND, $lt: `${KIND}~` } }, { limit });
  };
  return {
    name: "webhook.earlier-deliveries",
    everyMs: LOOK_MS,
    isNeeded: async () => (await find(1)).length > 0,
    async run() {
      for (let batch = await find(BATCH); batch.length > 0; batch = await find(BATCH))
        for (const { _id, payload, dueAt, enqueued, holder } of batch) {
          const { deliveryId = "", ...queued } = payload as TasksOf<typeof webhookContract>["webhook.deliver"];
          // A process of that release may have taken it meanwhile.
          const removal = { collection: TASKS, require: true, deleteOne: { filter: { _id, enqueued, holder } } };
          const writes = [removal, enqueueDelivery({ _id: deliveryId, ...queued }, dueAt)];
          await isWritten(documents.atomically(writes), "CONDITION_FAILED");
        }
      wake();
    },
  };
}
