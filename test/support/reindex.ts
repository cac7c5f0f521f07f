import type { ServiceBroker } from "moleculer";
import type { Result } from "@partline/api-contracts";
import type { LogicalIndex } from "../../packages/parts-search/src/search-index/port.ts";
import { call, type Actions } from "../../services/contracts.ts";
import { eventually } from "./eventually.ts";

type Build = Result<Actions["search.build"]>;

/** Rebuilds indexes; resolves when the build has ended, in any state. */
export async function reindex(
  broker: ServiceBroker,
  asked: { index?: LogicalIndex; force?: boolean } = {},
): Promise<Build> {
  return buildEnded(broker, (await call(broker, "search.reindex", asked)).buildId);
}

export function buildEnded(broker: ServiceBroker, buildId: string): Promise<Build> {
  return eventually(async () => {
    const build = await call(broker, "search.build", { buildId });
    return build.status !== "running" && build;
  }, 30_000);
}
