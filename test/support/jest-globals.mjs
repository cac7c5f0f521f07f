/** What suites import from @jest/globals: the functions of the suite that runs now (see jest-runtime.cjs). */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

export function setGlobals(given) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = given);
}
