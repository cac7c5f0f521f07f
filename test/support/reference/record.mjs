/**
 * Remakes the pages in docs/reference/: the tests that hold them against the code write them instead.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const partline = fileURLToPath(new URL("../../../bin/partline.mjs", import.meta.url));
const RUNS = [
  ["--selectProjects", "unit", "--testPathPatterns", "unit/reference", "unit/asyncapi"],
  ["--selectProjects", "api embedded", "--testPathPatterns", "api/watching"],
];
const env = { ...process.env, RECORD_DOCS: "1" };
const statuses = RUNS.map(
  (only) => spawnSync(process.execPath, [partline, "test", ...only], { env, stdio: "inherit" }).status,
);
process.exit(statuses.find((status) => status !== 0) === undefined ? 0 : 1);
