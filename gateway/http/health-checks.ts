import type { ServiceBroker } from "moleculer";
import { reachNats } from "../../broker/nats-connection.ts";
import { perBroker, type Runtime, type Stores } from "../../broker/runtime.ts";
import { LONGEST_LOOK, withinTime } from "@partline/toolkit";
import { endpointsOf, internalsOf, transitOf } from "../../broker/moleculer/internals.ts";

export interface Dependency {
  status: "ok" | "error";
  latencyMs: number;
}

type Check = () => Promise<void> | void;
export type NamedCheck = [name: string, check: Check];

/** A process runs once its services and channels have started. */
export function phaseOf(broker: ServiceBroker, { draining, starting }: Runtime): Phase {
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

/** With a time limit. Health is public, so it does not say why a check failed. */
async function runCheck(check: Check): Promise<Dependency> {
  const startedAt = performance.now();
  const passed = Promise.resolve()
    .then(check)
    .then(
      () => true,
      () => false,
    );
  const ok = await withinTime(passed, LONGEST_LOOK, () => false);
  return { status: ok ? "ok" : "error", latencyMs: Math.round((performance.now() - startedAt) * 100) / 100 };
}

function isStarted(broker: ServiceBroker): boolean {
  return internalsOf(broker).started === true;
}

export function ownChecks(broker: ServiceBroker, stores: Stores | undefined): NamedCheck[] {
  const ofBroker: NamedCheck = ["broker", () => requireBroker(broker)];
  return stores ? [ofBroker, ["documents", () => stores.documents.ping()]] : [ofBroker];
}

/** The broker has started and, with a transporter, NATS answers. */
async function requireBroker(broker: ServiceBroker): Promise<void> {
  if (!isStarted(broker) || broker.stopping) throw new Error("The broker is not running");
  if (transitOf(broker)?.connected === false) throw new Error("The broker is not connected");
  await reachNats(broker);
}

/** Entry points and probes share one log line for each change. */
const missingOf = perBroker(() => new Set<string>());

/** Resolves if a node serves the action; a remote one must answer a ping. */
export async function requireService(broker: ServiceBroker, service: string, action: string): Promise<void> {
  const isThere = await isServed(broker, action);
  note(broker, service, isThere);
  if (!isThere) throw new Error(`Nobody serves ${action}`);
}

export function isOffered(broker: ServiceBroker, action: string): boolean {
  return endpointsOf(broker, action).length > 0;
}

export function isOfferedHere(broker: ServiceBroker, action: string): boolean {
  return endpointsOf(broker, action).some(({ local }) => local);
}

async function isServed(broker: ServiceBroker, action: string): Promise<boolean> {
  const offered = endpointsOf(broker, action);
  if (offered.some(({ local }) => local)) return true;
  // Of many, three at random: one dead node makes nobody unready.
  const asked = offered
    .map(({ id }) => ({ id, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, 3);
  const answered = asked.map(async ({ id }) => {
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
  const known = missingOf(broker);
  if (isThere && known.delete(service)) broker.logger.info(`The service ${service} is there again`);
  if (isThere || known.has(service)) return;
  known.add(service);
  broker.logger.warn(`The service ${service} cannot be reached: what needs it is refused until it is there again`);
}
