const { types } = require("node:util");
const { TestEnvironment } = require("jest-environment-node");

/**
 * Jest runs tests in a realm of its own, where a Date or an Error that comes from a Node built-in is not an
 * `instanceof` the test's. The product runs in one realm, so that tests see what the product does: what no literal
 * makes is shared with the main realm, and `instanceof` asks for the kind of the rest.
 */
module.exports = class OneRealmEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    /** How test/support/system.ts runs the product: see jest.config.js. */
    this.global.PARTLINE_MODE = config.projectConfig.testEnvironmentOptions.mode ?? "embedded";
    Object.assign(this.global, { Date, Map, Set });
    for (const name of ["Error", "TypeError", "RangeError", "SyntaxError"]) {
      const native = this.global[name];
      acceptKind(native, (value) => types.isNativeError(value) && (name === "Error" || value.name === name));
    }
    acceptKind(this.global.RegExp, types.isRegExp);
    acceptKind(this.global.Promise, types.isPromise);
  }
};

function acceptKind(native, isKind) {
  const ordinary = Function.prototype[Symbol.hasInstance];
  Object.defineProperty(native, Symbol.hasInstance, {
    value(instance) {
      return ordinary.call(this, instance) || (this === native && isKind(instance));
    },
  });
}
