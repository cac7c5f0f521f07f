/**
 * Runs every bench, or those named, one after another. With `--record` their figures go to record.json and to the table
 * of README.md. Exits 1 if a bench does. `npm run bench -- all [--record] [NAME ...]`
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Run, type Table, TABLES_VARIABLE, toFigures, writeRuns } from "./support/record.ts";

/** Those that take a folder, print a profile, or run for a time that is given. */
const BY_THEMSELVES = new Set(["all", "profile", "real", "soak", "tables"]);
const RECORD = fileURLToPath(new URL("../record.json", import.meta.url));
const PAGE = fileURLToPath(new URL("../README.md", import.meta.url));

const isRecording = process.argv.includes("--record");
const names = process.argv.slice(2).filter((argument) => argument !== "--record");
const benches = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.slice(0, -".ts".length))
  .filter((bench) => (names.length > 0 ? names.includes(bench) : !BY_THEMSELVES.has(bench)));
const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.versions.node}`;
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
const folder = mkdtempSync(join(tmpdir(), "partline-bench-"));

for (const bench of benches) {
  console.log(`\n# ${bench}`);
  const file = join(folder, `${bench}.ndjson`);
  const script = join(import.meta.dirname, `${bench}.ts`);
  const env = { ...process.env, [TABLES_VARIABLE]: file };
  const { status } = spawnSync(process.execPath, [...process.execArgv, script], { env, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
  if (isRecording && existsSync(file)) recordRun(bench, file);
}
rmSync(folder, { recursive: true });

function recordRun(bench: string, file: string): void {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const figures = toFigures(lines.map((line) => JSON.parse(line) as Table));
  const run = { bench, date: new Date().toISOString().slice(0, 10), machine, commit, figures };
  const earlier = JSON.parse(readFileSync(RECORD, "utf8")) as Run[];
  const runs = [...earlier.filter((earlierRun) => earlierRun.bench !== bench), run].sort((a, b) =>
    a.bench < b.bench ? -1 : 1,
  );
  writeFileSync(RECORD, `${JSON.stringify(runs, null, 2)}\n`);
  writeFileSync(PAGE, writeRuns(readFileSync(PAGE, "utf8"), runs));
}
