import type { ServiceBroker } from "moleculer";
import type { Registry } from "prom-client";
import { LONGEST_LOOK, withTimeout } from "@partline/toolkit";
import { getFailureDetector } from "../calls/failure-detector.ts";
import type { Channels, KindDepth, Tasks } from "@partline/durable";
import { shareRunning, readMetric, type Reading } from "./read-metric.ts";
import { getRegistry } from "../internals.ts";

export function watchRegistry(registry: Registry, broker: ServiceBroker): void {
  const { nodes, services, actions } = getRegistry(broker);
  const figures: [name: string, help: string, read: () => number][] = [
    ["moleculer_registry_nodes", "Nodes known to this node, including itself", () => nodes.toArray().length],
    [
      "moleculer_registry_nodes_online",
      "Nodes online",
      () => nodes.toArray().filter(({ available }) => available).length,
    ],
    [
      "partline_cluster_suspected_nodes",
      "Nodes that do not answer and are avoided",
      () => getFailureDetector(broker).suspects.size,
    ],
    ["moleculer_registry_services", "Services on all nodes", () => services.services.length],
    ["moleculer_registry_actions", "Actions on all nodes", () => actions.actions.size],
  ];
  for (const [name, help, readValue] of figures) readMetric(registry, name, help, readValue);
}

interface Logger {
  debug(message: string, error: unknown): void;
}

async function readOrSkip<T>(logger: Logger, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await withTimeout(answer, LONGEST_LOOK, () => undefined);
  } catch (error) {
    logger.debug("The depth of the channels or tasks cannot be read", error);
    return undefined;
  }
}

const NO_TASKS: KindDepth = { waiting: 0, dead: 0, oldestWaitMs: 0 };

/** Waiting tasks of the kinds that this process runs; left out while the store is away. */
export function watchTasks(registry: Registry, logger: Logger, getNode: () => { stores?: { tasks: Tasks } }): void {
  const look = shareRunning(async () => {
    const tasks = getNode().stores?.tasks;
    const depths = tasks && (await readOrSkip(logger, tasks.depths()));
    return depths ? tasks.kinds().map((kind) => ({ kind, ...(depths.get(kind) ?? NO_TASKS) })) : [];
  });
  const registerDepth = (name: string, help: string, value: (depth: KindDepth) => number): void =>
    readMetric(
      registry,
      `partline_tasks_${name}`,
      help,
      async () => (await look()).map(({ kind, ...depth }) => [{ kind }, value(depth)]),
      ["kind"],
    );

  registerDepth("waiting", "Tasks that wait for a run, including running ones", ({ waiting }) => waiting);
  registerDepth(
    "oldest_wait_seconds",
    "Wait of the oldest due task for a successful run, without running tasks",
    ({ oldestWaitMs }) => oldestWaitMs / 1_000,
  );
  registerDepth("dead", "Tasks that were given up and need an operator", ({ dead }) => dead);
}

/** Waiting events of the durable channels; left out while the store or NATS is away. */
export function watchChannels(
  registry: Registry,
  logger: Logger,
  getNode: () => { stores?: { channels: Channels } },
): void {
  const look = shareRunning(async () => {
    const channels = getNode().stores?.channels;
    if (!channels) return {};
    const [ours, queues, allQueues] = await Promise.all([
      readOrSkip(logger, channels.outboxDepth()),
      readOrSkip(logger, channels.queues()),
      readOrSkip(logger, channels.depth()),
    ]);
    return { backend: channels.backend, ours, queues, all: allQueues };
  });
  type Look = Awaited<ReturnType<typeof look>>;
  const registerReading = (
    name: string,
    help: string,
    reading: (depths: Look) => Reading,
    labelNames?: string[],
  ): void => readMetric(registry, `partline_channel${name}`, help, async () => reading(await look()), labelNames);

  registerReading(
    "s_up",
    "1 if the number of waiting events is known",
    ({ backend, queues }) => (backend ? [[{ backend }, queues ? 1 : 0]] : []),
    ["backend"],
  );
  registerReading(
    "_group_pending_events",
    "Events that wait for a consumer group, including those in a handler",
    ({ queues = [] }) => queues.map(({ channel, group, pending }) => [{ channel, group }, pending]),
    ["channel", "group"],
  );
  registerReading(
    "_outbox_oldest_event_age_seconds",
    "Age of the oldest event not yet relayed",
    ({ ours }) => ours && ours.outboxAgeMs / 1_000,
  );
  registerReading("_outbox_events", "Events not yet relayed", ({ ours }) => ours?.outbox);
  registerReading(
    "_pending_events",
    "Events that wait for a consumer group",
    ({ all: allQueues }) => allQueues?.pending,
  );
  registerReading(
    "_dead_letters",
    "Events that were given up and need an operator",
    ({ all: allQueues }) => allQueues?.dead,
  );
  registerReading(
    "_oldest_event_age_seconds",
    "Age of the oldest waiting event",
    ({ all: allQueues }) => allQueues && allQueues.oldestAgeMs / 1_000,
  );
}
