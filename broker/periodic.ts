import type { ServiceBroker } from "moleculer";
import { type Periodic, type PeriodicTask, startPeriodic } from "@partline/durable";
import { serviceRuntimeOf } from "./runtime.ts";

/** Runs a periodic task of a service; a failed run is a line of its log. */
export function startPeriodicOf(broker: ServiceBroker, task: PeriodicTask): Periodic {
  const logger = broker.getLogger(task.name.split(".")[0]!);
  return startPeriodic(task, {
    documents: serviceRuntimeOf(broker).documents,
    holder: broker.nodeID,
    onError: (name, error) => logger.error({ task: name, err: error }, "A periodic task failed"),
  });
}
