import type { ServiceBroker } from "moleculer";
import type { EntryPoint, ServiceContract } from "../../broker/contract/define.ts";
import type { Rule } from "@partline/api-contracts";
import { type ReadinessProbe, shareRunning } from "@partline/moleculer-kit";
import { getFrom, LONGEST_LOOK } from "@partline/toolkit";
import { getRedisHealth } from "../../broker/redis.ts";
import type { Runtime } from "../../broker/runtime.ts";
import {
  isOffered,
  isOfferedHere,
  listOwnChecks,
  resolvePhase,
  requireService,
  runChecks,
  type Dependency,
  type NamedCheck,
  type Phase,
} from "./health-checks.ts";
import type { RouteTable } from "./routes.ts";

export interface HealthReport {
  status: "ok" | "degraded" | "starting" | "draining";
  version: string;
  uptime: number;
  dependencies: Dependencies;
  [contributed: string]: unknown;
}

type Dependencies = Record<string, Dependency | ToldDependency>;

/** A dependency that is reported, not checked: the result of the shop's last use of it. */
interface ToldDependency {
  status: "ok" | "error" | "unknown";
  [told: string]: unknown;
}

/** Health of an entry point or process, for probes. */
export interface Health {
  report(): Promise<HealthReport>;
  getReadiness(): Promise<{ ready: boolean; report: HealthReport }>;
}

interface NodeHealthDeps {
  broker: ServiceBroker;
  runtime: Runtime;
  contracts: readonly ServiceContract[];
}

interface HealthDeps extends NodeHealthDeps {
  table: RouteTable;
  phase: () => Phase;
}

type Checked = Pick<HealthReport, "status" | "dependencies">;

/** Concurrent probes share one check: they cannot load the stores. */
function createHealthReport(
  version: string,
  check: () => Promise<Checked & { fields?: object }>,
  isReady: (report: Checked) => boolean,
): Health {
  const report = shareRunning(async (): Promise<HealthReport> => {
    const { fields, status, dependencies } = await check();
    return { ...fields, status, version, uptime: Math.floor(process.uptime()), dependencies };
  });
  return {
    report,
    getReadiness: async () => {
      const current = await report();
      return { ready: isReady(current), report: current };
    },
  };
}

/** Returns whether a service reports further needs by an internal action. */
function hasOwnWord({ actions: { ready } }: ServiceContract): boolean {
  return ready !== undefined && !ready.http;
}

/**
 * The health of an entry point: broker, document store and the services of its routes. It is ready if its store
 * answers and its services except guests are there; the gateway, if any service is. A service reports further needs by
 * an internal action `ready`, which throws. Reported dependencies do not count.
 */
export function createHealth({ broker, runtime: { settings, stores }, table, contracts, phase }: HealthDeps) {
  // Of each service, that of its first route.
  const actions = new Map(table.routes.toReversed().map(({ service, action }) => [service, action]));
  const withOwnWord = new Set(contracts.filter(hasOwnWord).map(({ name }) => name));
  const services = [...actions.keys()].sort();
  const guests = new Set(contracts.filter(({ guestOf = [] }) => guestOf.includes(table.entry)).map(({ name }) => name));
  const checks: NamedCheck[] = [
    ...listOwnChecks(broker, stores),
    ...services.map((name): NamedCheck => [
      name,
      async () => {
        await requireService(broker, name, getFrom(actions, name));
        const ready = `${name}.ready`;
        // This process looks at its own store itself.
        const isStoreElsewhere = isOffered(broker, ready) && !isOfferedHere(broker, ready);
        if (withOwnWord.has(name) || isStoreElsewhere) await broker.call(ready, {}, { timeout: LONGEST_LOOK });
      },
    ]),
  ];
  const fieldsContributor = findContributor(table.entry, contracts);
  const contributors = listDependencyContributors(table.entry, contracts);

  const checkDependencies = async (): Promise<Checked> => {
    const counted = checks.filter(([name]) => !guests.has(name) || isOffered(broker, getFrom(actions, name)));
    const [{ status, dependencies }, contributions] = await Promise.all([
      runChecks(counted, phase),
      Promise.all(contributors.map((contributor) => loadContribution(broker, contributor))),
    ]);
    const reports = Object.assign(getRedisHealth(broker), ...contributions, dependencies) as Record<
      string,
      Dependencies[string] | null
    >;
    // A provider that the shop does without is null (DIS_URL=off).
    const present = Object.entries(reports).flatMap(([name, entry]) =>
      entry === null ? [] : [[name, entry] as const],
    );
    return { status, dependencies: Object.fromEntries(present) as Dependencies };
  };
  const check = async () => {
    const [checked, fields] = await Promise.all([
      checkDependencies(),
      fieldsContributor && loadContribution(broker, fieldsContributor),
    ]);
    return { ...checked, fields };
  };
  const isReady = ({ dependencies }: Checked): boolean => {
    const isOk = (name: string): boolean => (dependencies[name]?.status ?? "ok") === "ok";
    const served =
      table.entry === "gateway" && services.length > 0
        ? services.some(isOk)
        : services.every((name) => guests.has(name) || isOk(name));
    return phase() === "running" && isOk("broker") && isOk("documents") && served;
  };

  return {
    ...createHealthReport(settings.version, check, isReady),
    /** Short, without the services' fields. */
    look: async () => {
      const checked = await checkDependencies();
      const { status, dependencies } = checked;
      const failing = Object.keys(dependencies).filter((name) => dependencies[name]!.status === "error");
      return { status, ready: isReady(checked), failing };
    },
  };
}

/**
 * The health of a process: broker, store and its own services. Others do not count, so that one missing part does not
 * make all processes unready.
 */
export function createNodeHealth({ broker, runtime, contracts }: NodeHealthDeps) {
  const { settings, stores } = runtime;
  const ownContracts = contracts.filter((contract) => settings.run.services.some((run) => run === contract.name));
  const checks = [
    ...listOwnChecks(broker, stores),
    ...ownContracts.filter(hasOwnWord).map(({ name }): NamedCheck => [
      name,
      async () => {
        if (!isOfferedHere(broker, `${name}.ready`)) throw new Error(`${name} has not started`);
        await broker.call(`${name}.ready`, {}, { nodeID: broker.nodeID, timeout: LONGEST_LOOK });
      },
    ]),
  ];
  const check = shareRunning(() => runChecks(checks, () => resolvePhase(broker, runtime)));
  const checkAll = async (): Promise<Checked> => {
    const { status, dependencies } = await check();
    return { status, dependencies: { ...getRedisHealth(broker), ...dependencies } };
  };
  return {
    ...createHealthReport(settings.version, checkAll, ({ status }) => status === "ok"),
    /** Checks the dependencies that readiness needs. */
    look: (async () => {
      const { status, dependencies } = await check();
      return { ready: status === "ok", dependencies };
    }) satisfies ReadinessProbe,
  };
}

/** An action that adds to /health. */
interface Contributor {
  action: string;
  result: Rule;
  away: object;
}

/** Dependencies that other services report. */
export function listDependencyContributors(entry: EntryPoint, contracts: readonly ServiceContract[]): Contributor[] {
  const contributingServices = contracts.find(({ name }) => name === entry)?.asks ?? [];
  return contributingServices.flatMap((name) => findContributor(name, contracts) ?? []);
}

function findContributor(service: string, contracts: readonly ServiceContract[]): Contributor | undefined {
  const health = contracts.find(({ name }) => name === service)?.actions.health;
  return health && !health.http
    ? { action: `${service}.health`, result: health.result, away: health.away ?? {} }
    : undefined;
}

/** Returns what a service adds, or its contract's replacement. */
async function loadContribution(broker: ServiceBroker, { action, away }: Contributor): Promise<object> {
  if (!isOffered(broker, action)) return away;
  try {
    return await broker.call<object, object>(action, {}, { timeout: LONGEST_LOOK });
  } catch (error) {
    broker.logger.debug(`${action} failed`, error);
    return away;
  }
}
