import type { ServiceBroker } from "moleculer";
import { reachNats, listEndpoints, getInternals, findTransit, memoizeByBroker } from "@partline/moleculer-kit";
import { type Runtime, type Stores } from "../../broker/runtime.ts";
import { LONGEST_LOOK, withTimeout } from "@partline/toolkit";

export interface Dependency {
  status: "ok" | "error";
  latencyMs: number;
}

type Check = () => Promise<void> | void;
export type NamedCheck = [name: string, check: Check];

/** A process runs once its services and channels have started. */
export function resolvePhase(broker: ServiceBroker, { draining, starting }: Runtime): Phase {
  if (draining) return "draining";
  return starting || !isStarted(broker) ? "starting" : "running";
}

/** `running` from the open port and the start of every service until the drain. */
export type Phase = "starting" | "running" | "draining";

export async function runChecks(checks: readonly NamedCheck[], phase: () => Phase) {
  const results = await Promise.all(checks.map(async ([name, check]) => [name, await runCheck(check)] as const));
  const isHealthy = results.every(([, { status }]) => status === "ok");
  const now = phase();
  const status = now === "running" ? (isHealthy ? "ok" : "degraded") : now;
  return { status, dependencies: Object.fromEntries(results) } as const;
}

/** Runs a check with a time limit. Health is public, so it does not say why a check failed. */
async function runCheck(check: Check): Promise<Dependency> {
  const startedAt = performance.now();
  const passed = Promise.resolve()
    .then(check)
    .then(
      () => true,
      () => false,
    );
  const ok = await withTimeout(passed, LONGEST_LOOK, () => false);
  return { status: ok ? "ok" : "error", latencyMs: Math.round((performance.now() - startedAt) * 100) / 100 };
}

function isStarted(broker: ServiceBroker): boolean {
  return getInternals(broker).started === true;
}

export function listOwnChecks(broker: ServiceBroker, stores: Stores | undefined): NamedCheck[] {
  const brokerCheck: NamedCheck = ["broker", () => requireBroker(broker)];
  return stores ? [brokerCheck, ["documents", () => stores.documents.ping()]] : [brokerCheck];
}

/** The broker has started and, with a transporter, NATS answers. */
async function requireBroker(broker: ServiceBroker): Promise<void> {
  if (!isStarted(broker) || broker.stopping) throw new Error("The broker is not running");
  if (findTransit(broker)?.connected === false) throw new Error("The broker is not connected");
  await reachNats(broker);
}

/** Entry points and probes share one log line for each change. */
const getMissingServices = memoizeByBroker(() => new Set<string>());

/** Resolves if a node serves the action; a remote one must answer a ping. */
export async function requireService(broker: ServiceBroker, service: string, action: string): Promise<void> {
  const isThere = await isServed(broker, action);
  note(broker, service, isThere);
  if (!isThere) throw new Error(`Nobody serves ${action}`);
}

export function isOffered(broker: ServiceBroker, action: string): boolean {
  return listEndpoints(broker, action).length > 0;
}

export function isOfferedHere(broker: ServiceBroker, action: string): boolean {
  return listEndpoints(broker, action).some(({ local }) => local);
}

async function isServed(broker: ServiceBroker, action: string): Promise<boolean> {
  const offered = listEndpoints(broker, action);
  if (offered.some(({ local }) => local)) return true;
  // Of many, three at random: one dead node makes nobody unready.
  const sampledNodes = offered
    .map(({ id }) => ({ id, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, 3);
  const answered = sampledNodes.map(async ({ id }) => {
    const pong = (await broker.ping(id, LONGEST_LOOK)) as unknown;
    if (!pong) throw new Error(`No pong from ${id}`);
  });
  return Promise.any(answered).then(
    () => true,
    () => false,
  );
}

function note(broker: ServiceBroker, service: string, isThere: boolean): void {
  // Starting or stopping nodes are no news.
  if (!isStarted(broker) || broker.stopping) return;
  const missingServices = getMissingServices(broker);
  if (isThere && missingServices.delete(service)) broker.logger.info(`The service ${service} is there again`);
  if (isThere || missingServices.has(service)) return;
  missingServices.add(service);
  broker.logger.warn(`The service ${service} cannot be reached: what needs it is refused until it is there again`);
}
