const { registerHooks } = require("node:module");
const { pathToFileURL } = require("node:url");

const FRAMEWORK = "jest-circus";
const TESTS = pathToFileURL(`${__dirname}/../`).href;

/** The suite that runs in this process, and what it imports from @jest/globals. */
let suite = 0;
let globals = {};

/**
 * Suites run one after another in one process of Jest's. A suite has its own copy of what lies in test/, and with it
 * of Jest's functions; the product and its packages are loaded once.
 */
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "@jest/globals") return { url: `jest-globals:${suite}`, shortCircuit: true };
    const resolved = next(specifier, context);
    if (!resolved.url.startsWith(TESTS) || resolved.format === "commonjs") return resolved;
    return { ...resolved, url: `${resolved.url}?suite=${suite}` };
  },
  load(url, context, next) {
    if (!url.startsWith("jest-globals:")) return next(url, context);
    const source = Object.keys(globals).map((name) => `export const ${name} = globalThis[Symbol.for("jest-globals")].${name};`);
    return { format: "module", source: source.join("\n"), shortCircuit: true };
  },
});

/**
 * Jest's `runtime`: loads suites as Node loads the product, with its stripping of types, its cache of compiled code and
 * its one realm, in place of Jest's own modules in a context of their own. That is half of the time of all suites.
 */
module.exports = class NativeRuntime {
  #environment;

  constructor(_config, environment) {
    this.#environment = environment;
    suite += 1;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  /** Jest's framework, with a state of its own for each suite. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for("EVENT_HANDLERS")];
    for (const key of Object.keys(require.cache)) if (key.includes(`/${FRAMEWORK}/`)) delete require.cache[key];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(given) {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    globals = {
      ...given,
      jest: {
        spyOn: moduleMocker.spyOn.bind(moduleMocker),
        restoreAllMocks: () => moduleMocker.restoreAllMocks(),
        useFakeTimers: (options) => fakeTimersModern.useFakeTimers(options),
        useRealTimers: () => fakeTimersModern.useRealTimers(),
        setSystemTime: (now) => fakeTimersModern.setSystemTime(now),
        advanceTimersByTime: (ms) => fakeTimersModern.advanceTimersByTime(ms),
        runAllTimersAsync: () => fakeTimersModern.runAllTimersAsync(),
        advanceTimersByTimeAsync: (ms) => fakeTimersModern.advanceTimersByTimeAsync(ms),
      },
    };
    globalThis[Symbol.for("jest-globals")] = globals;
  }

  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {}

  enterTestCode() {}

  leaveTestCode() {}

  teardown() {}
};
