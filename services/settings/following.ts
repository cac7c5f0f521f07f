import type { ServiceBroker, ServiceSchema } from "moleculer";
import { getRuntime } from "../../broker/runtime.ts";
import { applyShopFacts, resolveShopFacts } from "../../mixins/shop/shop-facts.ts";
import { call } from "../contracts.ts";

/** Between two looks of a node that hears of no change; with the timeout of a look, under five seconds. */
const LOOK_EVERY_MS = 3_000;
const WITHIN_MS = 1_500;

/** Keeps `settings.shop` of this node up to date; the environment of the node pins what it sets. */
export function createSettingsFollower(broker: ServiceBroker) {
  const { settings } = getRuntime(broker);
  let applied = 0;
  let isAway = false;
  let timer: NodeJS.Timeout | undefined;

  async function follow(): Promise<void> {
    try {
      const { version, values } = await call(broker, "settings.stored", { version: applied }, { timeout: WITHIN_MS });
      isAway = false;
      // An older answer may come later.
      if (values === null || version <= applied) return;
      applied = version;
      applyShopFacts(settings.shop, resolveShopFacts(values as object, settings.pins));
    } catch (error) {
      // What was read last holds, and without it the environment's.
      if (!isAway) broker.logger.warn("The shop's settings cannot be read now", error);
      isAway = true;
    }
  }

  return {
    follow,
    schema: {
      name: "$settings",
      events: { "settings.changed": { handler: follow } },
      started: () => {
        timer = setInterval(() => void follow(), LOOK_EVERY_MS).unref();
      },
      stopped: () => clearInterval(timer),
    } satisfies ServiceSchema,
  };
}
