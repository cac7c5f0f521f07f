const { ModernFakeTimers } = require("@jest/fake-timers");
const { ModuleMocker } = require("jest-mock");

/** Jest's `testEnvironment`: the process itself, as jest-runtime.cjs runs suites in it. What a suite sets in process.env ends with it. */
module.exports = class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  #variables = { ...process.env };
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    /** How test/support/system.ts runs the product: see jest.config.js. */
    globalThis.PARTLINE_MODE = projectConfig.testEnvironmentOptions.mode ?? "embedded";
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    this.moduleMocker.restoreAllMocks();
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
  }

  getVmContext() {
    return null;
  }
};
