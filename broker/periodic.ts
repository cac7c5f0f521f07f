import { getAt } from "@partline/toolkit";
import type { ServiceBroker } from "moleculer";
import { type Periodic, type PeriodicTask, startPeriodic } from "@partline/durable";
import { getServiceRuntime } from "./runtime.ts";

/** Runs a periodic task of a service; a failed run is a line of its log. */
export function startPeriodicTask(broker: ServiceBroker, task: PeriodicTask): Periodic {
  const logger = broker.getLogger(getAt(task.name.split("."), 0));
  return startPeriodic(task, {
    documents: getServiceRuntime(broker).documents,
    holder: broker.nodeID,
    onError: (name, error) => logger.error({ task: name, err: error }, "A periodic task failed"),
  });
}
