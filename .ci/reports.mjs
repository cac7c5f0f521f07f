import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** More suites that failed are a fault, not a busy machine. */
const MOST_AGAIN = 8;
const [DEAREST, SLOWEST, LEAKIEST] = [20, 10, 5];

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

/** Prints how busy the processors were, and the suites that used most of them, wait longest or leave most open. */
function printCosts() {
  const path = join(directory, "costs.jsonl");
  if (!existsSync(path)) return;
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const costs = lines.filter(({ suite }) => suite);
  const systems = lines.filter(({ shared }) => shared);
  for (const system of systems) takeFromSuite(system, costs);
  const work = ({ seconds, childSeconds }) => seconds + childSeconds;
  const sum = (of) => of.reduce((seconds, cost) => seconds + work(cost), 0).toFixed(0);
  console.log(`\nProcessor seconds since the start: ${processorsUse()}`);
  console.log(`Of them ${sum(costs)} by ${costs.length} suites, with their ended child processes:`);
  const projectOf = ({ suite }) => suite.replace(/ \S+$/, "");
  for (const project of new Set(costs.map(projectOf)))
    console.log(`${sum(costs.filter((cost) => projectOf(cost) === project)).padStart(6)}  ${project}`);
  console.log(`${sum(systems)} by ${systems.length} systems that suites share:`);
  for (const system of systems) console.log(`${work(system).toFixed(1).padStart(6)}  ${system.shared}`);
  const waited = (cost) => cost.wallSeconds - work(cost);
  const leaves = ({ leaves }) => leaves.reduce((count, kind) => count + Number.parseInt(kind), 0);
  printMost("Worked most", DEAREST, costs, work, ({ childSeconds }) => `, ${childSeconds.toFixed(1)} of children`);
  printMost("Waited longest", SLOWEST, costs, waited);
  console.log(`Idle seconds of the processors in each minute: ${idleInMinutes(costs).join(" ")}`);
  printMost("Left most open", LEAKIEST, costs, leaves, (cost) => `: ${cost.leaves.join(", ")}`);
}

/** Of a system that has ended, its process's children have it, in the suite that the process ran just then. */
function takeFromSuite({ startedBy, endedAt, seconds, childSeconds }, costs) {
  const later = costs.filter((cost) => cost.process === startedBy && cost.endedAt >= endedAt);
  const [suite] = later.toSorted((one, other) => one.endedAt - other.endedAt);
  if (suite) suite.childSeconds = Math.max(0, suite.childSeconds - seconds - childSeconds);
}

function printMost(title, count, costs, value, tell = () => "") {
  console.log(`${title}:`);
  for (const cost of costs.toSorted((one, other) => value(other) - value(one)).slice(0, count))
    console.log(`${value(cost).toFixed(1).padStart(6)}  ${cost.suite}${tell(cost)}`);
}

/** Idle seconds of all processors in each minute, as the first suites that ended in it and in the next one saw. */
function idleInMinutes(costs) {
  const ends = costs.toSorted((one, other) => one.endedAt - other.endedAt);
  const minuteOf = ({ endedAt }) => Math.floor((endedAt - ends[0].endedAt) / 60_000);
  const firsts = ends.filter((cost, index) => index === 0 || minuteOf(cost) > minuteOf(ends[index - 1]));
  const idle = [...firsts, ends.at(-1)].map(({ machineIdleSeconds }) => machineIdleSeconds);
  return idle.slice(1).map((seconds, minute) => Math.round(seconds - idle[minute]));
}

/** Linux alone has the file; its times are hundredths of a second. */
function processorsUse() {
  const read = (path) => readFileSync(path, "utf8").split("\n", 1)[0].split(/\s+/).slice(1).map(Number);
  const before = read(join(directory, "stat"));
  const [user, nice, system, idle, wait, irq, softIrq] = read("/proc/stat").map((now, at) => (now - before[at]) / 100);
  const used = user + nice + system + irq + softIrq;
  return `${used.toFixed(0)} used, ${(idle + wait).toFixed(0)} idle`;
}

({ failed: printFailed, verdict: printVerdict, costs: printCosts })[command]();
