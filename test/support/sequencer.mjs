import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import TestSequencer from "@jest/test-sequencer";

/**
 * The projects in the order in which they run, with the seconds that a suite takes on average in `.ci/run`. Of the
 * systems that suites share (shared-system.ts) one mode's runs at a time. The shortest suites are last.
 */
const PROJECTS = new Map([
  ["browser", 90],
  ["system", 40],
  ["api split", 17],
  ["api embedded", 8],
  ["contract", 12],
  ["packages", 12],
  ["unit", 2],
]);
/** Their suites wait more than they work, and share no system. They run beside the others: no processor is idle. */
const CRASHES = "system";
const WAITS = ["contract", "packages"];
const LAST = "unit";
/** They take most of a minute: begun late, one of them would be alone at the end. */
const LONG = [
  "catalog.tire-sync",
  "channels.jetstream",
  "channels.stored",
  "document-store.mongo",
  "node-probe.nats",
  "pipeline.faults",
  "pipeline.manual-files",
  "pipeline.pdf-reader",
  "search-index.elasticsearch",
  "search-index.elasticsearch-faults",
  "search-index.embedded",
  "search-index.parity",
];

/** Any word; suites then run in the random order that it stands for, project after project. */
const SEED = process.env.SHUFFLE_SEED;

const projectOf = ({ context }) => context.config.displayName.name;

/**
 * Jest's testSequencer. Within a project, suites with a system of their own come before those that share one, which
 * then come one after another.
 */
export default class Sequencer extends TestSequencer {
  sort(tests) {
    const places = new Map(tests.map((test) => [test, placeOf(test)]));
    const sorted = super.sort(tests).toSorted((one, other) => places.get(one) - places.get(other));
    const of = (...projects) => sorted.filter((test) => projects.includes(projectOf(test)));
    const sharing = [...PROJECTS.keys()].filter((project) => ![CRASHES, ...WAITS, LAST].includes(project));
    return [...sideBySide(of(...sharing), of(CRASHES), of(...WAITS)), ...of(LAST)];
  }
}

/** Lists as one, so that about the same share of the time of each is over at any moment. */
function sideBySide(...lists) {
  const timed = lists.flatMap((tests) => {
    const seconds = tests.map((test) => PROJECTS.get(projectOf(test)));
    const all = seconds.reduce((sum, each) => sum + each, 0);
    let before = 0;
    return tests.map((test, index) => ({ test, at: ((before += seconds[index]) - seconds[index] / 2) / all }));
  });
  return timed.sort((one, other) => one.at - other.at).map(({ test }) => test);
}

/**
 * The project's number, and as its fraction the place in it. Jest's own order is by size, or by the time before; those
 * that wait are mixed, so that each stretch of the run has its share of long ones, all of them in its first half.
 */
function placeOf(test) {
  const project = [...PROJECTS.keys()].indexOf(projectOf(test));
  if (SEED !== undefined) return project + shuffled(`${SEED} ${basename(test.path)}`);
  const name = basename(test.path, ".test.ts");
  if (WAITS.includes(projectOf(test))) return project + shuffled(name) / (LONG.includes(name) ? 2 : 1);
  return project + (/(?:use|join)System\(/.test(readFileSync(test.path, "utf8")) ? 0.2 : 0.1);
}

/** A number from 0 to 1. */
function shuffled(text) {
  return createHash("sha256").update(text).digest().readUInt32BE() / 2 ** 32;
}
