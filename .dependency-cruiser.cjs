/**
 * The layers of the house: packages < mixins < broker < services < gateway < bin. `npm run check` holds them. Tests and
 * benches look inside.
 */
const ABOVE_MIXINS = "^(broker|services|gateway|bin)/";
const ABOVE_BROKER = "^(services|gateway|bin)/";
const CORE = "^(bin|broker|gateway|mixins|services)/|^moleculer[.]config[.]ts$";
/** What a start runs beside the core. */
const PACKAGES =
  "^packages/(api-contracts|durable|http-client|http-edge|instantsearch|manual-reader|moleculer-kit|papers|parts-desk|parts-language|parts-search|price-files|sandbox|toolkit|web)/(src/|index[.]ts$)";
const PRODUCT = `${CORE}|${PACKAGES}`;
/** What the pages import of the core: values for browsers. */
const OF_PAGES =
  "^(broker/contract/(scopes|define)|mixins/shop/(csv|languages|method-names|return-(limits|terms)|refused-labels|shelves|shop-days|shop-facts|states|tracking|work-days)|services/shared/dis-errors|bin/fail)[.]ts$";
/** What a contract is made of: rules, error codes, event payloads, limits; no logic. */
const CONTRACT_PART = [
  ...["", "[^/]+/"].map(
    (folder) => `^services/[^/]+/${folder}(contract|resources|shape|rules|events|errors|limits|statuses)[.]ts$`,
  ),
  "^services/shared/(commerce|dis-errors|export-rules|fitment|indexed-part|manual-rules|placed-order|revenue|routes|shipping-table-rules|shop-rules)[.]ts$",
];
/** Values of ports that contracts name. */
const VALUES = ["^mixins/(payment-provider/limits|shop/(languages|return-limits|shelves))[.]ts$"];
/** What the contracts of several services have in common. */
const SHARED = "^services/shared/";

const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

module.exports = {
  forbidden: [
    forbid(
      "packages-have-one-door",
      "What a package offers is in its index.ts.",
      { path: PRODUCT, pathNot: "^packages/" },
      { path: "^packages/[^/]+/(src|test)/" },
    ),
    forbid(
      "packages-enter-packages-by-the-door",
      "What a package offers is in its index.ts.",
      { path: "^packages/([^/]+)/src/", pathNot: "^packages/bench/" },
      { path: "^packages/[^/]+/(src|test)/", pathNot: ["^packages/$1/", "^packages/client/src/index[.]ts$"] },
    ),
    forbid(
      "packages-know-no-core",
      "A package can stand alone. The pages share a few values with the core, benches look inside, and the client is " +
        "made from the contracts.",
      { path: "^packages/", pathNot: "^packages/((bench|web)/|client/generate)|/test/" },
      { path: CORE },
    ),
    forbid(
      "pages-know-little-of-the-core",
      "What the pages import runs in browsers.",
      { path: "^packages/web/" },
      { path: CORE, pathNot: OF_PAGES },
    ),
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
      "ulids-come-from-the-toolkit",
      "The library by itself takes forty times as long.",
      { path: PRODUCT, pathNot: "^packages/(toolkit/src/ulid[.]ts$|sandbox/)" },
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
      "The launcher and `npm run sandbox` alone start stand-ins of providers; nothing of the product imports tests or benches.",
      { path: PRODUCT, pathNot: "^(bin/sandbox([.]service)?[.]ts$|packages/sandbox/)" },
      { path: "^(packages/(sandbox|bench)|test)/" },
    ),
    forbid(
      "stand-ins-apart-from-the-product",
      "What stands in for a provider shares no code with what it is to judge: clients, rules, protocols. How any " +
        "server of this process holds its connections is none of that.",
      { path: "^packages/sandbox/src/" },
      { path: PRODUCT, pathNot: "^packages/(sandbox|toolkit)/" },
    ),
    forbid(
      "generators-apart-from-the-product",
      "What generates test data shares no code with what it is to judge.",
      { path: "^packages/bench/src/support/generators/" },
      { path: PRODUCT, pathNot: "^packages/sandbox/" },
    ),
    forbid(
      "judges-apart-from-the-product",
      "What judges answers of the product, or makes what it is asked about, shares no code with it. What runs the " +
        "product, or records a model (pathNot), is no judge.",
      {
        path: "^packages/bench/src/support/(answers|fitment|generated-catalog|manuals|relevance|search-engines|tables/score)",
        pathNot: "/(cassette|port|read-set|set-ups)[.]ts$",
      },
      { path: PRODUCT, pathNot: "^packages/sandbox/", dependencyTypesNot: ["type-only"] },
    ),
    forbid("no-circles", "Files that import each other, be it for types alone, are one file.", {}, { circular: true }),
    forbid(
      "declared-packages",
      "A package that is imported is in package.json. The icons stand in for a package of which react-admin is the " +
        "user: it brings what they import.",
      { path: PRODUCT, pathNot: "^packages/web/src/icons/" },
      { dependencyTypes: ["npm-dev", "npm-no-pkg"] },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // What is built is ten times as long as all sources.
    exclude: { path: "^packages/(client/dist|web/[.]built)/" },
    moduleSystems: ["es6"],
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
