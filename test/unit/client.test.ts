import { describe, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { generateContract, listSources } from "../../packages/client/generate.ts";
import { writeContract } from "../../packages/client/generate/contract.ts";
import { contracts } from "../../services/all-contracts.ts";
import { ENTRY_POINTS, type ServiceContract } from "../../broker/contract/define.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLIENT = join(ROOT, "packages/client");
const MOST_BYTES = 8_000;
const BUNDLE = ["--bundle", "--minify", "--format=esm"];

const run = (...args: string[]): string =>
  execFileSync(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], { cwd: ROOT, encoding: "utf8" });

describe("packages/client", () => {
  test("is made again when anything changes that its generator loads", () => {
    const entries = ["services/all-contracts.ts", "packages/client/generate/contract.ts"];
    const meta = join(mkdtempSync(join(tmpdir(), "partline-client-")), "meta.json");
    const options = ["--bundle", "--platform=node", "--packages=external", `--metafile=${meta}`];
    run("node_modules/esbuild/bin/esbuild", ...entries, ...options, `--outdir=${dirname(meta)}`, "--log-level=error");
    const { inputs } = JSON.parse(readFileSync(meta, "utf8")) as { inputs: Record<string, unknown> };
    expect(listSources()).toEqual(expect.arrayContaining(Object.keys(inputs)));
  });

  test("is made from the contracts where it is not there, or of others", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "partline-client-")), "contract.ts");
    await generateContract(path);
    const made = readFileSync(path, "utf8");
    expect(made).toContain(writeContract(contracts));
    writeFileSync(path, made.replace(/: \w+\n[^]*/, ": another\n"));
    await generateContract(path);
    expect(readFileSync(path, "utf8")).toBe(made);
  });

  test(`has at most ${MOST_BYTES} bytes for a page, and needs no package`, () => {
    const minified = run("node_modules/esbuild/bin/esbuild", join(CLIENT, "src/index.ts"), ...BUNDLE);
    expect(gzipSync(minified).length).toBeLessThanOrEqual(MOST_BYTES);
    expect(minified).not.toMatch(/\b(from|import|require)\s*[("']/);
    expect(JSON.parse(readFileSync(join(CLIENT, "package.json"), "utf8"))).not.toHaveProperty("dependencies");
  });

  test("has every route but the webhooks", async () => {
    const { createClient } = await import(join(CLIENT, "src/index.ts"));
    const client = createClient({ baseUrl: "http://127.0.0.1:9" });
    const missing = (contracts as readonly ServiceContract[]).flatMap(({ name, actions }) => {
      const functions = client[name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
      return Object.entries(actions)
        .filter(([, { http = [] }]) => http.some(({ body }) => body !== "raw"))
        .map(([action]) => action)
        .filter((action) => typeof functions[action] !== "function");
    });
    expect(missing).toEqual([]);
  });
});

test("of every OpenAPI document, openapi-typescript makes types that are strict TypeScript", () => {
  const folder = mkdtempSync(join(tmpdir(), "partline-openapi-types-"));
  run("test/support/client/openapi-types.ts", folder);
  const files = readdirSync(folder).map((file) => join(folder, file));
  expect(files).toHaveLength(ENTRY_POINTS.length);
  const options = ["--strict", "--noEmit", "--ignoreConfig", "--types", "", "--lib", "ES2022,DOM"];
  expect(run("node_modules/typescript-7/bin/tsc", ...options, ...files)).toBe("");
});
