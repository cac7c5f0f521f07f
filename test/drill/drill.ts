import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findProject, putFault, readFaults, type Fault } from "./faults.ts";

/**
 * Puts faults back, one after another, in a work tree of its own, and runs the suites that must find them: `npm run
 * drill`, with words of faults for these alone, with `--suites PATH` for other suites than those named.
 */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LONGEST_RUN_MS = 10 * 60_000;

interface Report {
  numFailedTests: number;
  success: boolean;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const { values, positionals } = parseArgs({
  options: { suites: { type: "string", multiple: true } },
  allowPositionals: true,
});
const words = positionals.map((word) => word.toLowerCase());
const faults = readFaults().filter(({ fault }) => words.every((word) => fault.toLowerCase().includes(word)));
const findSuites = ({ suites }: Fault): string[] => values.suites ?? suites;

const scratch = mkdtempSync(join(tmpdir(), "partline-drill-"));
const tree = join(scratch, "tree");
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
process.once("exit", () => {
  git("worktree", "remove", "--force", tree);
  rmSync(scratch, { recursive: true, force: true });
});
// What is not committed counts too.
git("worktree", "add", "--detach", tree, git("stash", "create") || "HEAD");
linkPackages(join(ROOT, "node_modules"), join(tree, "node_modules"));

const passing = new Set<string>();
const missed = faults.filter((fault) => !isFound(fault));
console.log(`${faults.length - missed.length} of ${faults.length} faults found`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** Runs the suites without a fault, once. On a busy machine one may fail for want of time: it has a second try. */
function assertPassing(suites: readonly string[]): void {
  const open = suites.filter((suite) => !passing.has(suite));
  if (open.length > 0 && !runSuites(open)?.success) {
    const report = runSuites(open);
    if (!report?.success) fail(`Without a fault this does not pass: ${explain(report)}`);
  }
  for (const suite of open) passing.add(suite);
}

function isFound(fault: Fault): boolean {
  assertPassing(findSuites(fault));
  const path = join(tree, fault.file);
  const source = readFileSync(path, "utf8");
  const startedAt = performance.now();
  let report: Report | undefined;
  try {
    writeFileSync(path, putFault(source, fault));
    report = runSuites(findSuites(fault));
  } finally {
    writeFileSync(path, source);
  }
  if (report && !report.success && report.numFailedTests === 0) fail(`${fault.fault}: ${explain(report)}`);
  const verdict = !report ? "found (no end)" : report.success ? "MISSED" : "found";
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  console.log(`${verdict}: ${fault.fault} (${seconds} s)${verdict === "found" ? `\n    ${explain(report)}` : ""}`);
  return verdict !== "MISSED";
}

/** Returns Jest's report; undefined if the run did not end. */
function runSuites(suites: readonly string[]): Report | undefined {
  const output = join(scratch, "report.json");
  rmSync(output, { force: true });
  const projects = [...new Set(suites.map(findProject))];
  const options = ["--ci", "--maxWorkers=2", "--json", `--outputFile=${output}`, "--selectProjects", ...projects];
  const { signal, stderr } = spawnSync(
    process.execPath,
    [
      "--disable-warning=ExperimentalWarning",
      "node_modules/jest/bin/jest.js",
      ...options,
      "--runTestsByPath",
      ...suites,
    ],
    { cwd: tree, timeout: LONGEST_RUN_MS, stdio: ["ignore", "ignore", "pipe"], encoding: "utf8" },
  );
  if (signal) return undefined;
  try {
    return JSON.parse(readFileSync(output, "utf8")) as Report;
  } catch {
    return fail(`Jest has written no report:\n${stderr}`);
  }
}

/** Names the first test that failed, or what kept a suite from running. */
function explain(report: Report | undefined): string {
  for (const { name, message, assertionResults } of report?.testResults ?? []) {
    const failed = assertionResults.find(({ status }) => status === "failed");
    if (failed) return failed.fullName;
    if (message !== "") return `${name}: ${message}`;
  }
  return "the run did not end";
}

/** Links installed packages; those of the workspaces lead to the tree's own. */
function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name === ".cache") continue;
    if (name !== "@partline") symlinkSync(join(from, name), join(to, name));
  }
  mkdirSync(join(to, "@partline"));
  for (const name of readdirSync(join(from, "@partline")))
    symlinkSync(join("../../packages", name), join(to, "@partline", name));
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
