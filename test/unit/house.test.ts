import { expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const runTool = (script: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: "utf8" });
  return { status, printed: stdout + stderr };
};

test("the whole tree type-checks", () => {
  expect(runTool("node_modules/typescript/bin/tsc", "-p", ".")).toEqual({ status: 0, printed: "" });
}, 120_000);

test("the linter finds nothing", () => {
  expect(runTool("node_modules/eslint/bin/eslint.js", ".")).toEqual({ status: 0, printed: "" });
}, 180_000);
