import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import { startPeriodicTask } from "../../broker/periodic.ts";
import { getServiceRuntime } from "../../broker/runtime.ts";
import { SAMPLE_EVENT, SAMPLE_MS, sampleRules, type NodeSample } from "../../broker/telemetry/sample.ts";
import { implement } from "../contracts.ts";
import { healthAnalyticsContract } from "./contract.ts";
import { createRecorder } from "./recorder.ts";
import { recordSync } from "./vendor-syncs.ts";
import { createReports } from "./reports.ts";
import { createWatch } from "./watch.ts";

export default function healthAnalyticsService(broker: ServiceBroker): ServiceSchema {
  const { documents } = getServiceRuntime(broker);
  const { logger } = broker;
  const recorder = createRecorder(documents, (error) =>
    logger.debug("Samples of nodes wait: the store does not take them", error),
  );
  let watching: { stop(): Promise<void> } | undefined;

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
      let isFailing = false;
      const run = async (): Promise<void> => {
        await watch.turn(new Date());
        isFailing = false;
      };
      const onError = (error: unknown): void => {
        if (!isFailing)
          logger.warn("The health of the system cannot be watched; it is tried again until it can", error);
        isFailing = true;
      };
      watching = startPeriodicTask(
        broker,
        { name: "health-watch", everyMs: SAMPLE_MS, leaseMs: SAMPLE_MS, run },
        onError,
      );
    },
    stopped: () => watching?.stop(),
  });
}
