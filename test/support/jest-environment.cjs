const { ModernFakeTimers } = require("@jest/fake-timers");
const { ModuleMocker } = require("jest-mock");
const { appendFileSync } = require("node:fs");
const { relative } = require("node:path");
const { fileURLToPath } = require("node:url");
const { measureCosts } = require("./costs.mjs");

/** The address of a module in a stack, as jest-runtime.cjs asks for it. */
const MODULE = /(file:\/\/[^\s()?]+)(\?\w+=[^:]*)?/g;

/**
 * Jest's `testEnvironment`: the process itself, in which jest-runtime.cjs runs suites one after another. The end of a
 * suite takes back what it changed of the process.
 */
module.exports = class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #before = { env: { ...process.env }, exit: process.exit, console };
  #suite;
  #costsBefore;

  constructor({ projectConfig }, { testPath }) {
    this.#suite = `${projectConfig.displayName.name} ${relative(projectConfig.rootDir, testPath)}`;
    if (process.env.SUITE_COSTS) this.#costsBefore = measureCosts();
    /** For a suite that no other may share the product's modules with: `@jest-environment-options` says so. */
    this.hasOwnModules = projectConfig.testEnvironmentOptions.hasOwnModules === true;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    /** How test/support/system.ts runs the product: see jest.config.js. */
    globalThis.PARTLINE_MODE = projectConfig.testEnvironmentOptions.mode ?? "embedded";
  }

  async setup() {
    // Over Jest's own, which looks for maps of sources, and takes addresses for relative paths.
    Error.prepareStackTrace = (error, frames) =>
      [String(error), ...frames].join("\n    at ").replaceAll(MODULE, (_all, url) => fileURLToPath(url));
  }

  async teardown() {
    if (this.#costsBefore) this.#writeCosts(process.env.SUITE_COSTS);
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    const { env, exit, console } = this.#before;
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
    Object.assign(process, { exit });
    globalThis.console = console;
  }

  getVmContext() {
    return null;
  }

  /** A line of JSON for each suite: what `.ci/run` prints at its end. */
  #writeCosts(file) {
    const [before, after] = [this.#costsBefore, measureCosts()];
    const grown = Object.entries(after.open).filter(([kind, count]) => count > (before.open[kind] ?? 0));
    const cost = {
      suite: this.#suite,
      process: process.pid,
      endedAt: Date.now(),
      machineIdleSeconds: after.machineIdleSeconds,
      wallSeconds: (after.at - before.at) / 1_000,
      seconds: after.seconds - before.seconds,
      childSeconds: after.childSeconds - before.childSeconds,
      leaves: grown.map(([kind, count]) => `${count - (before.open[kind] ?? 0)} ${kind}`),
    };
    appendFileSync(file, `${JSON.stringify(cost)}\n`);
  }
};
