import type { ServiceBroker } from "moleculer";
import { startPeriodic, type Periodic, type PeriodicTask } from "./periodic.ts";
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
