import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "@jest/globals";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const packages = globSync("packages/*/package.json", { cwd: ROOT }).map((file) => file.split("/")[1]!);
/** Their examples are run by test/api/client.test.ts, and are commands. */
const WITHOUT_EXAMPLE = new Set(["client", "bench"]);
const readReadme = (name: string): string => readFileSync(join(ROOT, "packages", name, "README.md"), "utf8");

/** Runs a module as if it lay at the root, from where `@partline/…` resolves. */
async function runExample(code: string): Promise<string> {
  return (await run(process.execPath, ["--input-type=module-typescript", "--eval", code], { cwd: ROOT })).stdout;
}

describe("the README of a package", () => {
  test.each(packages)("packages/%s/README.md begins with its name", (name) => {
    expect(readReadme(name).split("\n")[0]).toBe(name === "bench" ? "# Benchmarks" : `# @partline/${name}`);
  });

  test.each(packages.filter((name) => !WITHOUT_EXAMPLE.has(name)))(
    "the example of packages/%s prints what its comments say, on at most a page",
    async (name) => {
      const readme = readReadme(name);
      const [, code = ""] = /```ts\n([^]*?)```/.exec(readme) ?? [];
      const promised = [...code.matchAll(/console\.log\(.*; \/\/ (.+)$/gm)].map(([, printed]) => printed);
      expect(promised.length).toBeGreaterThan(0);
      expect((await runExample(code)).trimEnd().split("\n")).toEqual(promised);
      expect(readme.split("\n").length).toBeLessThanOrEqual(52);
    },
  );
});
