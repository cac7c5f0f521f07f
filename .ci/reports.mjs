import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** More suites that failed are a fault, not a busy machine. */
const MOST_AGAIN = 8;

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

({ failed: printFailed, verdict: printVerdict })[command]();
