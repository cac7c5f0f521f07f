import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import TestSequencer from "@jest/test-sequencer";

/**
 * One project after another, so that of the systems that suites share (shared-system.ts) one mode's runs at a time. The
 * shortest suites are last.
 */
const PROJECTS = ["system", "api split", "api mongo", "api embedded", "contract", "unit"];

/** Any word; suites then run in the random order that it stands for, project after project. */
const SEED = process.env.SHUFFLE_SEED;

/**
 * Jest's testSequencer. Within a project, suites with a system of their own come before those that share one, which
 * then come one after another.
 */
export default class Sequencer extends TestSequencer {
  sort(tests) {
    const places = new Map(tests.map((test) => [test, placeOf(test)]));
    return super.sort(tests).toSorted((one, other) => places.get(one) - places.get(other));
  }
}

/** The project's number, and as its fraction the place in it. */
function placeOf({ path, context }) {
  const project = PROJECTS.indexOf(context.config.displayName?.name);
  if (SEED !== undefined)
    return (
      project +
      createHash("sha256")
        .update(`${SEED} ${basename(path)}`)
        .digest()
        .readUInt32BE() /
        2 ** 32
    );
  return project + (readFileSync(path, "utf8").includes("useSystem(") ? 0.2 : 0.1);
}
