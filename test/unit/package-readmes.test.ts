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

/** Imports the texts of modules, which lie at the root for what they import, and names each before what it prints. */
const RUNNER = `
  import { registerHooks } from "node:module";
  const codes = JSON.parse(process.env.CODES);
  const isExample = (url = "") => url.startsWith("example:");
  registerHooks({
    resolve: (name, context, next) =>
      isExample(name)
        ? { url: name, shortCircuit: true }
        : next(name, isExample(context.parentURL) ? { ...context, parentURL: import.meta.url } : context),
    load: (url, context, next) =>
      isExample(url)
        ? { format: "module-typescript", source: codes[url], shortCircuit: true }
        : next(url, context),
  });
  for (const url of Object.keys(codes)) {
    console.log(url);
    await import(url);
  }
`;
const NAMES = packages.filter((name) => !WITHOUT_EXAMPLE.has(name));
const CODES = Object.fromEntries(
  NAMES.map((name) => [`example:${name}`, /```ts\n([^]*?)```/.exec(readReadme(name))?.[1] ?? ""]),
);

describe("the README of a package", () => {
  test("begins with its name", () => {
    const titles = packages.map((name) => readReadme(name).split("\n")[0]);
    expect(titles).toEqual(packages.map((name) => (name === "bench" ? "# Benchmarks" : `# @partline/${name}`)));
  });

  test("has an example that prints what its comments say, on at most a page", async () => {
    const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", RUNNER], {
      cwd: ROOT,
      env: { ...process.env, CODES: JSON.stringify(CODES) },
    });
    const promised = Object.entries(CODES).map(([url, code]) => [
      url,
      ...[...code.matchAll(/console\.log\(.*; \/\/ (.+)$/gm)].map(([, text]) => text),
    ]);
    expect(promised.filter(({ length }) => length === 1)).toEqual([]);
    expect(stdout.trimEnd().split("\n")).toEqual(promised.flat());
    expect(NAMES.filter((name) => readReadme(name).split("\n").length > 52)).toEqual([]);
  });
});
