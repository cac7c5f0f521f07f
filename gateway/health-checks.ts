import type { ServiceBroker } from "moleculer";

export interface Dependency {
  status: "ok" | "error";
  /** Time that the check took. */
  latencyMs: number;
}

/** Resolves when the dependency is there, and throws otherwise. */
export type Check = () => Promise<void> | void;

/** A check that takes longer has failed; milliseconds. */
const LONGEST_CHECK = 2_000;

/** Runs a check against the clock. Why it failed is not said: health is open to everybody. */
export async function runCheck(check: Check): Promise<Dependency> {
  const startedAt = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const overdue = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), LONGEST_CHECK);
  });
  const passed = Promise.resolve().then(check).then(() => true, () => false);
  const ok = await Promise.race([passed, overdue]);
  clearTimeout(timer);
  return { status: ok ? "ok" : "error", latencyMs: Math.round((performance.now() - startedAt) * 100) / 100 };
}

/** Whether every service of the broker has started. Moleculer's declarations leave the field out. */
export function isStarted(broker: ServiceBroker): boolean {
  return (broker as { started?: boolean }).started === true;
}

/** The broker has started and, where it has a transporter, is connected. */
export function requireBroker(broker: ServiceBroker): void {
  if (!isStarted(broker) || broker.stopping) throw new Error("The broker is not running");
  if (broker.transit && !broker.transit.connected) throw new Error("The broker is not connected");
}

/** Somebody serves the action; one who is on another node answers a ping. */
export async function requireService(broker: ServiceBroker, action: string): Promise<void> {
  const endpoint = broker.findNextActionEndpoint(action);
  if (endpoint instanceof Error) throw endpoint;
  if (endpoint.local) return;
  const pong = (await broker.ping(endpoint.id, LONGEST_CHECK)) as unknown;
  if (!pong) throw new Error(`No pong from the node of ${action}`);
}
