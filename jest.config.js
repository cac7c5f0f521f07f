/** Native ES modules; TypeScript by Node's own type stripping, as in the product. */
export default {
  testEnvironment: "./test/support/jest-environment.cjs",
  extensionsToTreatAsEsm: [".ts"],
  transform: { "\\.ts$": "./test/support/strip-types.cjs" },
  testMatch: ["<rootDir>/test/**/*.test.ts"],
  testTimeout: 30_000,
  maxWorkers: 2,
};
