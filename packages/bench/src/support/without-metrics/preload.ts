/**
 * Loaded before everything else (`--import`), so that a node runs without its metrics. The swap is made here and not by
 * a setting: nobody should run a shop that cannot be watched.
 */
import { registerHooks } from "node:module";

const counting = new URL("../../../../moleculer-kit/src/metrics/middleware.ts", import.meta.url).href;
const silent = new URL("./middleware.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    const resolved = nextResolve(specifier, context);
    return resolved.url === counting ? { ...resolved, url: silent } : resolved;
  },
});
