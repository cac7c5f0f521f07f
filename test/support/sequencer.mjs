import { readFileSync } from "node:fs";
import TestSequencer from "@jest/test-sequencer";

/** One project after another, so that of the systems that suites share (shared-system.ts) one mode's runs at a time. The shortest suites are last. */
const PROJECTS = ["system", "api split", "api mongo", "api embedded", "contract", "unit"];

/** Alone of the last project's suites it takes a minute: the workers are to end together. */
const LONG = "/test/unit/house.test.ts";

/** Jest's testSequencer. Within a project, suites with a system of their own come before those that share one, which then come one after another. */
export default class Sequencer extends TestSequencer {
  sort(tests) {
    const places = new Map(tests.map((test) => [test, placeOf(test)]));
    return super.sort(tests).toSorted((one, other) => places.get(one) - places.get(other));
  }
}

function placeOf({ path, context }) {
  const project = PROJECTS.indexOf(context.config.displayName?.name);
  if (path.endsWith(LONG)) return 3 * project;
  return 3 * project + (readFileSync(path, "utf8").includes("useSystem(") ? 2 : 1);
}
