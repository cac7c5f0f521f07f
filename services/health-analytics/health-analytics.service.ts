import type { DocumentStore } from "@partline/durable";
import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import type { Registry } from "prom-client";
import { startPeriodicTask } from "../../broker/periodic.ts";
import { getMetrics, readMetric } from "@partline/moleculer-kit";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { SAMPLE_EVENT, SAMPLE_MS, sampleRules, type NodeSample } from "../../broker/telemetry/sample.ts";
import { implement } from "../contracts.ts";
import { INCIDENTS, type IncidentDocument } from "./collections.ts";
import { healthAnalyticsContract, INCIDENT_KINDS } from "./contract.ts";
import { createShopChecks } from "./shop-checks.ts";
import { sendNotices } from "./notices.ts";
import { createRecorder } from "./recorder.ts";
import { recordSync } from "./vendor-syncs.ts";
import { createReports } from "./reports.ts";
import { createWatch } from "./watch.ts";

const CHECK_MS = 60_000;

export default function healthAnalyticsService(broker: ServiceBroker): ServiceSchema {
  const { documents, settings } = getServiceRuntime(broker);
  const { logger } = broker;
  const recorder = createRecorder(documents, (error) =>
    logger.debug("Samples of nodes wait: the store does not take them", error),
  );
  const periodic: { stop(): Promise<void> }[] = [];

  /** A task that fails each time has one line in the log. */
  const startTask = (name: string, everyMs: number, turn: () => Promise<void>, message: string): void => {
    let isFailing = false;
    const run = async (): Promise<void> => {
      await turn();
      isFailing = false;
    };
    const onError = (error: unknown): void => {
      if (!isFailing) logger.warn(message, error);
      isFailing = true;
    };
    periodic.push(startPeriodicTask(broker, { name, everyMs, leaseMs: everyMs, run }, onError));
  };

  return implement(healthAnalyticsContract, {
    actions: createReports(documents),
    events: {
      [SAMPLE_EVENT]: {
        params: sampleRules,
        handler: (ctx: Context) => recorder.hear(ctx.params as NodeSample, new Date()),
      },
    },
    channels: {
      "sync.ended": {
        group: "health-analytics",
        handler: ({ payload, occurred_at: occurredAt }) => recordSync(documents, { ...payload, at: occurredAt }),
      },
    },
    started: () => {
      const watch = createWatch(documents, new Date(), recorder.lastHeard);
      const retried = "it is tried again until it can";
      startTask(
        "health-watch",
        SAMPLE_MS,
        () => watch.turn(new Date()),
        `The health of the system cannot be watched; ${retried}`,
      );
      const checks = createShopChecks({ broker, documents, settings });
      startTask("health-checks", CHECK_MS, () => checks.run(new Date()), `The shop cannot be checked; ${retried}`);
      startTask(
        "health-notices",
        CHECK_MS,
        () => sendNotices(broker, documents, new Date()),
        `The shop cannot be mailed about incidents; ${retried}`,
      );
      watchIncidents(getMetrics(broker).registry, documents);
    },
    stopped: async () => void (await Promise.all(periodic.map((task) => task.stop()))),
  });
}

function watchIncidents(registry: Registry, documents: DocumentStore): void {
  readMetric(
    registry,
    "partline_open_incidents",
    "Open incidents of the system by kind, also those that the shop is mailed about",
    async () => {
      const open = await documents.collection<IncidentDocument>(INCIDENTS).find({ isOpen: true });
      return INCIDENT_KINDS.map((kind) => [{ kind }, open.filter((incident) => incident.kind === kind).length]);
    },
    ["kind"],
  );
}
