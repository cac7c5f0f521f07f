const { enableCompileCache, flushCompileCache, registerHooks } = require("node:module");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { setGlobals } = require("./jest-globals.mjs");

const ROOT = pathToFileURL(join(__dirname, "../..")).href;
const GLOBALS = pathToFileURL(join(__dirname, "jest-globals.mjs")).href;
/** Of a suite that has its own copy of all code of ours. */
const OWN_COPY = /[?&](copy=\d+)/;
let copies = 0;

enableCompileCache();
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "@jest/globals") return { url: GLOBALS, shortCircuit: true };
    const resolved = next(specifier, context);
    const [, copy] = OWN_COPY.exec(context.parentURL ?? "") ?? [];
    const isOurs = resolved.url.startsWith(ROOT) && !resolved.url.includes("/node_modules/");
    return copy && isOurs && resolved.format !== "commonjs"
      ? { ...resolved, url: `${resolved.url}?${copy}` }
      : resolved;
  },
});

/**
 * Jest's `runtime`: Node itself loads the suites, as it loads the product. One process runs many suites, and loads what
 * they import once: see docs/decisions/0002-node-from-the-lock-file.md.
 */
module.exports = class NativeRuntime {
  #environment;
  #query;

  constructor({ displayName }, environment, _resolver, _transformer, _sources, _coverage, _path, { watch, watchAll }) {
    this.#environment = environment;
    // One suite may run in several projects.
    this.#query = `suite=${encodeURIComponent(displayName.name)}`;
    // Files that are watched change between runs.
    if (watch || watchAll || environment.hasOwnModules) this.#query += `&copy=${(copies += 1)}`;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(`${pathToFileURL(path).href}?${this.#query}`);
  }

  /** Jest's framework, with a state of its own for each suite. */
  requireInternalModule(path) {
    delete globalThis[Symbol.for("EVENT_HANDLERS")];
    delete require.cache[path];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  setGlobalsForRuntime(globals) {
    const { moduleMocker, fakeTimersModern } = this.#environment;
    setGlobals({ ...globals, jest: { ...methodsOf(moduleMocker), ...methodsOf(fakeTimersModern) } });
  }

  /** Stripped types leave every line and column where it was. */
  getSourceMaps() {
    return new Map();
  }

  getAllCoverageInfoCopy() {}

  enterTestCode() {}

  leaveTestCode() {}

  /** Jest ends its workers by a signal: what they compiled would be compiled again by the next, and by each child. */
  teardown() {
    flushCompileCache();
  }
};

function methodsOf(object) {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(object)).filter((name) => name !== "constructor");
  return Object.fromEntries(names.map((name) => [name, object[name].bind(object)]));
}
