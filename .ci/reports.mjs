import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** More suites that failed are a fault, not a busy machine. */
const MOST_AGAIN = 8;
const DEAREST = 40;

const [command, directory] = process.argv.slice(2);

/** Jest's report of a run; of one that hung there is none. */
function readReport(run) {
  const path = join(directory, `${run}.json`);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** Prints the paths of the suites that failed, unless they are too many to be run again. */
function printFailed() {
  const { testResults = [] } = readReport("first") ?? {};
  const failed = new Set(
    testResults.filter(({ status }) => status === "failed").map(({ name }) => relative(".", name)),
  );
  if (failed.size <= MOST_AGAIN) console.log([...failed].join(" "));
}

/** Prints the line that `.ci/run` ends with; what failed and then passed by itself has passed. */
function printVerdict() {
  const first = readReport("first");
  const last = readReport("again") ?? first;
  if (!first || !last) return end(0, 1);
  if (first.numPendingTests > 0) console.log(`${first.numPendingTests} skipped`);
  const failed = last.numFailedTests + last.numRuntimeErrorTestSuites || (last.success ? 0 : 1);
  end(first.numPassedTests + (failed === 0 ? first.numFailedTests : 0), failed);
}

function end(passed, failed) {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Prints the suites that used most of the processors, and what suites left open in their worker. */
function printCosts() {
  const path = join(directory, "costs.jsonl");
  if (!existsSync(path)) return;
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const costs = lines.map((line) => JSON.parse(line));
  const total = ({ seconds, childSeconds }) => seconds + childSeconds;
  const sum = costs.reduce((seconds, cost) => seconds + total(cost), 0);
  console.log(`\nProcessor seconds of ${costs.length} suites, with their ended child processes: ${sum.toFixed(0)}`);
  const dearest = costs.sort((one, other) => total(other) - total(one)).slice(0, DEAREST);
  for (const cost of dearest)
    console.log(
      `${total(cost).toFixed(1).padStart(6)}  ${cost.childSeconds.toFixed(1).padStart(6)} of children  ${cost.suite}`,
    );
  for (const { suite, leaves } of costs)
    if (leaves.length > 0) console.log(`left open: ${leaves.join(", ")} by ${suite}`);
}

({ failed: printFailed, verdict: printVerdict, costs: printCosts })[command]();
