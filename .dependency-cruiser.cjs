/** The layers of the house: mixins < broker < services < gateway < bin. `npm run check` holds them. */
const ABOVE_MIXINS = "^(broker|services|gateway|bin)/";
const ABOVE_BROKER = "^(services|gateway|bin)/";
const PRODUCT = "^(bin|broker|gateway|mixins|services)/|^moleculer[.]config[.]ts$";
/** What a contract is made of: rules, error codes, event payloads, limits; no logic. */
const CONTRACT_PART = [
  ...["", "[^/]+/"].map(
    (folder) => `^services/[^/]+/${folder}(contract|resources|shape|rules|events|errors|limits|statuses)[.]ts$`,
  ),
  "^services/shared/(dis-errors|export-rules|fitment|indexed-part|manual-rules|routes)[.]ts$",
];
/** Values of ports that contracts name. */
const VALUES = [
  "^mixins/(availability|money|tires)[.]ts$",
  "^mixins/(fitment-index/collections|payment-provider/limits|search-index/attributes)[.]ts$",
];
/** What the contracts of several services have in common. */
const SHARED = "^services/shared/";

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    forbid(
      "mixins-know-nobody-above",
      "A port knows no broker, service or gateway.",
      { path: "^mixins/" },
      { path: ABOVE_MIXINS },
    ),
    forbid(
      "mixins-keep-their-folders",
      "The folders of a mixin are its own: what two mixins share is a mixin.",
      { path: "^mixins/([^/]+)/" },
      { path: "^mixins/[^/]+/[^/]+/", pathNot: "^mixins/$1/" },
    ),
    forbid(
      "ulids-come-from-the-mixin",
      "The library by itself takes forty times as long.",
      { path: PRODUCT, pathNot: "^mixins/ulid[.]ts$" },
      { path: "node_modules/ulid/" },
    ),
    forbid("broker-knows-no-service", "The broker carries any service.", { path: "^broker/" }, { path: ABOVE_BROKER }),
    forbid(
      "services-know-no-gateway",
      "Services do not know how they are reached.",
      { path: "^services/" },
      { path: "^(gateway|bin)/" },
    ),
    forbid("gateway-knows-no-launcher", "The launcher starts the gateway.", { path: "^gateway/" }, { path: "^bin/" }),
    forbid(
      "gateway-knows-contracts-alone",
      "The gateway knows services by their contracts.",
      { path: "^gateway/" },
      { path: "^services/", pathNot: "^services/(all-)?contracts[.]ts$" },
    ),
    forbid(
      "services-know-each-other-by-contract",
      "A service calls another's action or hears its event; types come from services/contracts.ts.",
      { path: "^services/([^/]+)/" },
      { path: "^services/[^/]+/", pathNot: ["^services/$1/", SHARED] },
    ),
    forbid(
      "services-load-their-own-contract-alone",
      "What a service needs of all contracts, the launcher passes through the runtime (broker/runtime.ts).",
      { path: "^services/(contracts[.]ts$|[^/]+/)" },
      { path: "^services/all-contracts[.]ts$", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "contracts-hold-no-logic",
      "What a contract imports, everybody who knows the contract loads.",
      { path: CONTRACT_PART },
      { path: "^(broker|mixins|services)/", pathNot: [...CONTRACT_PART, ...VALUES, "^broker/contract/"] },
    ),
    forbid(
      "values-of-contracts-load-nothing",
      "What a contract imports, everybody who knows the contract loads.",
      { path: VALUES },
      { path: "^(broker|mixins|services)/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "product-without-stand-ins",
      "The product imports nothing of sandbox, test or bench; the launcher loads the sandbox as a service.",
      { path: PRODUCT },
      { path: "^(sandbox|test|bench)/" },
    ),
    forbid(
      "stand-ins-apart-from-the-product",
      "What stands in for a provider (folders of sandbox/; the files beside them wire it in) shares no code with " +
        "what it is to judge: clients, rules, protocols. How any server of this process holds its connections is " +
        "none of that.",
      { path: "^sandbox/[^/]+/" },
      { path: "^(bin|broker|gateway|mixins|services)/", pathNot: "^mixins/(connections|this-machine)[.]ts$" },
    ),
    forbid(
      "generators-apart-from-the-product",
      "What generates test data shares no code with what it is to judge.",
      { path: "^test/support/generators/" },
      { path: "^(bin|broker|gateway|mixins|services)/" },
    ),
    forbid(
      "judges-apart-from-the-product",
      "What judges answers of the product, or makes what it is asked about, shares no code with it. What runs the " +
        "product, or records a model (pathNot), is no judge.",
      {
        path: "^bench/support/(answers|fitment|generated-catalog|manuals|relevance|search-engines|tables/score)",
        pathNot: "/(cassette|port|read-set|set-ups)[.]ts$",
      },
      { path: "^(bin|broker|gateway|mixins|services)/", dependencyTypesNot: ["type-only"] },
    ),
    forbid(
      "no-circles",
      "Files that import each other are one file.",
      {},
      { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    ),
    forbid(
      "declared-packages",
      "A package that is imported is in package.json.",
      { path: PRODUCT },
      { dependencyTypes: ["npm-dev", "npm-no-pkg"] },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
