import type { ServiceBroker } from "moleculer";
import type { EntryPoint, ServiceContract } from "../broker/contract/define.ts";
import type { Rule } from "../broker/contract/rules.ts";
import { LONGEST_LOOK } from "../mixins/within-time.ts";
import { isOffered } from "./health-checks.ts";

/** An internal action `health`, whose result is added to the /health of an entry point. */
export interface Contributor {
  action: string;
  result: Rule;
  /** Told where the action cannot be called. */
  away: object;
}

/** The service that an entry point is named after may add fields, flat. */
export function fieldContributor(entry: EntryPoint, contracts: readonly ServiceContract[]): Contributor | undefined {
  return contributorOf(entry, contracts);
}

/** The services that it asks may add to the dependencies how what they stand for did when it was last asked. */
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

/** What a service adds, and of one that cannot what its contract says of that. */
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
