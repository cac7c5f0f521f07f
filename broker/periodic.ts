import { getAt } from "@partline/toolkit";
import type { ServiceBroker } from "moleculer";
import { type Periodic, type PeriodicTask, startPeriodic } from "@partline/durable";
import { getRuntime, getServiceRuntime } from "./runtime.ts";

/** Runs a periodic task of a service from when the process is ready. Without `onError`, a failed run is a log line. */
export function startPeriodicTask(
  broker: ServiceBroker,
  task: PeriodicTask,
  onError = (error: unknown): void =>
    broker.getLogger(getAt(task.name.split("."), 0)).error({ task: task.name, err: error }, "A periodic task failed"),
): Periodic {
  return startPeriodic(task, {
    documents: getServiceRuntime(broker).documents,
    holder: broker.nodeID,
    onError: (_name, error) => onError(error),
    after: getRuntime(broker).ready,
  });
}
