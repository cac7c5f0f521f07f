/**
 * Makes the pages in docs/reference/ and the generated part of clients/typescript anew: the tests that hold them against
 * the code write them instead.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const partline = fileURLToPath(new URL("../../../bin/partline.mjs", import.meta.url));
const only = [
  "--selectProjects",
  "unit",
  "api embedded",
  "--testPathPatterns",
  "unit/reference",
  "unit/asyncapi",
  "unit/client",
  "api/watching",
];
const env = { ...process.env, RECORD_DOCS: "1" };
process.exit(spawnSync(process.execPath, [partline, "test", ...only], { env, stdio: "inherit" }).status ?? 1);
