import type { ServiceBroker } from "moleculer";
import type { ServiceContract } from "../broker/contract/define.ts";
import { redisHealth } from "../broker/redis.ts";
import type { Runtime } from "../broker/runtime.ts";
import { isStarted, LONGEST_CHECK, requireBroker, runCheck, type Check, type Dependency } from "./health-checks.ts";
import type { Health, HealthReport } from "./health.ts";

interface NodeHealthDeps {
  broker: ServiceBroker;
  runtime: Runtime;
  contracts: readonly ServiceContract[];
}

/**
 * The health of a process: its broker, its store and the services that it runs itself, each as it says by its internal action `ready`. What
 * it calls elsewhere counts for nothing here, so that one part of the system that is away does not make all others unready.
 */
export function createNodeHealth({ broker, runtime, contracts }: NodeHealthDeps): Pick<Health, "report" | "readiness"> {
  const { settings, stores } = runtime;
  const withOwnWord = contracts.filter(({ name, actions: { ready } }) => settings.run.services.some((run) => run === name) && ready && !ready.http);
  const checks: [name: string, check: Check][] = [
    ["broker", () => requireBroker(broker)],
    ...(stores ? [["documents", () => stores.documents.ping()] satisfies [string, Check]] : []),
    ...withOwnWord.map(({ name }): [string, Check] => [
      name,
      () => broker.call(`${name}.ready`, {}, { nodeID: broker.nodeID, timeout: LONGEST_CHECK }).then(() => undefined),
    ]),
  ];

  const check = async (): Promise<HealthReport> => {
    const results = await Promise.all(checks.map(async ([name, probe]): Promise<[string, Dependency]> => [name, await runCheck(probe)]));
    const isHealthy = results.every(([, { status }]) => status === "ok");
    const status = runtime.draining ? "draining" : !isStarted(broker) ? "starting" : isHealthy ? "ok" : "degraded";
    return { status, version: settings.version, uptime: Math.floor(process.uptime()), dependencies: { ...redisHealth(broker), ...Object.fromEntries(results) } };
  };
  let checking: Promise<HealthReport> | undefined;
  const report = (): Promise<HealthReport> => (checking ??= check().finally(() => (checking = undefined)));

  return {
    report,
    readiness: async () => {
      const current = await report();
      return { ready: current.status === "ok", report: current };
    },
  };
}
