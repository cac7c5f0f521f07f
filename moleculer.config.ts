import type { BrokerOptions } from "moleculer";
import { createNodeOptions, type RunningNode } from "./bin/node.ts";
import { readPackageVersion } from "./bin/version.ts";
import { loadSettings } from "./broker/settings.ts";
import { readShopSettings } from "./services/shared/settings.ts";
import { SUPPLIERS } from "./services/catalog/suppliers/list.ts";

/**
 * Returns the whole node that the environment describes, for `npm start` and for Moleculer's own runner, which takes no
 * service files then:
 *
 *   moleculer-runner-esm --config moleculer.config.ts
 *
 * Under the runner an upper-case variable that is named like a broker option (NAMESPACE, LOGLEVEL, …) overrides what
 * stands here.
 * @param serves is called with the node as soon as it has something to finish in a stop
 */
export default (serves?: (node: RunningNode) => void): BrokerOptions => ({
  ...createNodeOptions(loadSettings(process.env, readPackageVersion(), readShopSettings(SUPPLIERS)), serves),
  // The runner has no stop of its own; bin/start.ts listens to the signals itself.
  skipProcessEventRegistration: false,
});
