/**
 * Remakes the pages in docs/reference/ and the generated part of packages/client: the tests that hold them against
 * the code write them instead.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const partline = fileURLToPath(new URL("../../../bin/partline.mjs", import.meta.url));
/** One after the other: the first remakes the client, which the pages of a system that starts are built of. */
const RUNS = [
  ["--selectProjects", "unit", "--testPathPatterns", "unit/reference", "unit/asyncapi", "unit/client"],
  ["--selectProjects", "api embedded", "--testPathPatterns", "api/watching"],
];
const env = { ...process.env, RECORD_DOCS: "1" };
const statuses = RUNS.map(
  (only) => spawnSync(process.execPath, [partline, "test", ...only], { env, stdio: "inherit" }).status,
);
process.exit(statuses.find((status) => status !== 0) === undefined ? 0 : 1);
