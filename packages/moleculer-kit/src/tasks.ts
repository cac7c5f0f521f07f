import type { ServiceBroker } from "moleculer";
import { createTasks, type DocumentStore, formatReason, type Tasks } from "@partline/durable";
import { runInOrigin } from "./handling.ts";
import { getMetrics } from "./metrics/metrics.ts";
import { createThrottledWarning } from "./logging.ts";

const FAILURES = {
  failed: { level: "warn", message: "Task failed, it is tried again" },
  dead: { level: "error", message: "Task is dead: tasks retry or tasks drop" },
} as const;

/** Opens the durable tasks of a process. */
export function openTasks(broker: ServiceBroker, documents: DocumentStore): Tasks {
  const logger = broker.getLogger("tasks");
  const { taskRuns } = getMetrics(broker);
  return createTasks({
    documents,
    around: ({ _id: id, kind: name, origin }, run) => runInOrigin(broker, { name, id, origin }, run),
    report: {
      stuck: createThrottledWarning(logger, "A task could not be taken, held or ended; it is tried again"),
      ended: ({ kind, key, attempts }, outcome, error) => {
        taskRuns.inc({ kind, outcome });
        if (outcome === "done") return;
        const { level, message } = FAILURES[outcome];
        logger[level]({ kind, key, attempts, error: formatReason(error) }, message);
      },
    },
  });
}
