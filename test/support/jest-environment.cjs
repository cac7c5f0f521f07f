const { TestEnvironment } = require("jest-environment-node");

/**
 * Jest runs tests in a realm of its own, where a Date or an Error that comes from a Node built-in is not an
 * `instanceof` the test's. The product runs in one realm; so that tests see what the product does, share the main one's.
 */
module.exports = class SharedRealmEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    /** How test/support/system.ts runs the product: see jest.config.js. */
    this.global.PARTLINE_MODE = config.projectConfig.testEnvironmentOptions.mode ?? "embedded";
    Object.assign(this.global, { Date, Error, TypeError, RangeError, SyntaxError, RegExp, Map, Set, Promise, Uint8Array, ArrayBuffer });
  }
};
