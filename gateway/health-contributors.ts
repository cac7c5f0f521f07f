import type { ServiceBroker } from "moleculer";
import type { EntryPoint, ServiceContract } from "../broker/contract/define.ts";
import type { Rule } from "../broker/contract/rules.ts";
import { LONGEST_LOOK } from "../mixins/within-time.ts";
import { isOffered } from "./health-checks.ts";

/** An internal action `health` that adds to an entry point's /health. */
export interface Contributor {
  action: string;
  result: Rule;
  /** Its replacement if the action cannot be called. */
  away: object;
}

/** Flat fields of the service with the entry point's name. */
export function fieldContributor(entry: EntryPoint, contracts: readonly ServiceContract[]): Contributor | undefined {
  return contributorOf(entry, contracts);
}

/** Dependencies that the services it `asks` report: how they did at the last use. */
export function dependencyContributors(entry: EntryPoint, contracts: readonly ServiceContract[]): Contributor[] {
  const asked = contracts.find(({ name }) => name === entry)?.asks ?? [];
  return asked.flatMap((name) => contributorOf(name, contracts) ?? []);
}

function contributorOf(service: string, contracts: readonly ServiceContract[]): Contributor | undefined {
  const health = contracts.find(({ name }) => name === service)?.actions.health;
  return health && !health.http
    ? { action: `${service}.health`, result: health.result, away: health.away ?? {} }
    : undefined;
}

/** Returns what a service adds, or its contract's replacement. */
export async function contribution<Fields extends object>(
  broker: ServiceBroker,
  { action, away }: Contributor,
): Promise<Partial<Fields>> {
  if (!isOffered(broker, action)) return away;
  try {
    return await broker.call<Fields, object>(action, {}, { timeout: LONGEST_LOOK });
  } catch (error) {
    broker.logger.debug(`${action} failed`, error);
    return away;
  }
}
