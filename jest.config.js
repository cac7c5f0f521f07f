import { existsSync } from "node:fs";
import { findChangedPackages } from "./test/support/changed-packages.mjs";

/**
 * Jest lists and parses all that is in its roots once for each project. What looks for the suites of a changed file needs
 * the product, too.
 */
const looksForSuites = process.argv.some((argument) =>
  /^(--watch|--findRelatedTests|--onlyChanged|-o$)/.test(argument),
);
const rootsFor = (...folders) => (looksForSuites ? ["<rootDir>"] : folders.map((folder) => `<rootDir>/${folder}`));

/** Node loads the suites, as it loads the product: see docs/decisions/0002-node-from-the-lock-file.md. */
const shared = {
  roots: rootsFor("test"),
  runtime: "./test/support/jest-runtime.cjs",
  testEnvironment: "./test/support/jest-environment.cjs",
  // Node's own streams need them.
  fakeTimers: { doNotFake: ["nextTick", "queueMicrotask"] },
};

/** The modes of API tests whose servers are there: see test/support/system.ts. */
const modes = ["embedded", ...(process.env.MONGO_URL && process.env.NATS_URL ? ["split"] : [])];

/**
 * The contract suites run over MongoDB, with each service apart. So two processes over NATS run those whose requests
 * lead through several services. Faults of several processes have suites of their own (test/system/).
 */
const SUITES = {
  embedded: ["*"],
  split: ["access", "checkout", "crash", "equipment", "orders"],
};

/** The suites of packages run where they changed; all of them with PACKAGES=all, as in CI, or where they are named. */
const isAsked = process.env.PACKAGES === "all" || process.argv.some((argument) => argument.includes("packages"));
const packages = findChangedPackages({ all: isAsked }).filter((name) => existsSync(`packages/${name}/test`));

export default {
  testTimeout: 300_000,
  // A suite waits as much as it works: for processes to start, and for what dies to be noticed;
  // test/support/sequencer.mjs mixes those that work with those that wait. Beside the servers, a fifth worker makes
  // calls over MongoDB time out.
  maxWorkers: process.env.MONGO_URL ? 4 : 5,
  workerIdleMemoryLimit: "1GB",
  testSequencer: "./test/support/sequencer.mjs",
  globalSetup: "./test/support/shared-systems.mjs",
  globalTeardown: "./test/support/end-shared-systems.mjs",
  projects: [
    { ...shared, displayName: "unit", testMatch: ["<rootDir>/test/unit/**/*.test.ts"] },
    { ...shared, displayName: "contract", testMatch: ["<rootDir>/test/contract/**/*.test.ts"] },
    ...(packages.length === 0
      ? []
      : [
          {
            ...shared,
            displayName: "packages",
            roots: rootsFor(...packages.map((name) => `packages/${name}/test`)),
            testMatch: packages.map((name) => `<rootDir>/packages/${name}/test/*.test.ts`),
          },
        ]),
    ...modes.map((mode) => ({
      ...shared,
      displayName: `api ${mode}`,
      testMatch: SUITES[mode].map((name) => `<rootDir>/test/api/${name}.test.ts`),
      testEnvironmentOptions: { mode },
    })),
    // Skipped where there is no Chromium: see test/browser/chromium.ts.
    { ...shared, displayName: "browser", testMatch: ["<rootDir>/test/browser/**/*.test.ts"] },
    { ...shared, displayName: "system", testMatch: ["<rootDir>/test/system/**/*.test.ts"] },
  ],
};
